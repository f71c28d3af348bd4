import { mapSchemas, type Schema } from "./schema.ts";

/**
 * Returns a schema of an older draft in the words of 2020-12, since a vendor refuses the whole request for a keyword whose value
 * has another form there: lists in `items`, and `exclusiveMinimum` that is true or false. Leaves out `$schema`.
 */
export const toCurrentDraft = (schema: Schema): Schema =>
	mapSchemas(schema, ({ $schema: _, ...at }) => ({ ...at, ...tupleOf(at), ...boundsOf(at) }));

function tupleOf({ items, additionalItems }: Schema): Schema {
	if (!Array.isArray(items)) return {};
	return { prefixItems: items, items: additionalItems ?? {}, additionalItems: undefined };
}

/** Before draft 6, these said whether the bound beside them was exclusive. */
function boundsOf(at: Schema): Schema {
	const bounds: Schema = {};
	for (const [exclusive, inclusive] of [
		["exclusiveMinimum", "minimum"],
		["exclusiveMaximum", "maximum"],
	] as const) {
		if (typeof at[exclusive] !== "boolean") continue;
		const bound = at[inclusive];
		bounds[exclusive] = at[exclusive] && typeof bound === "number" ? bound : undefined;
		if (at[exclusive]) bounds[inclusive] = undefined;
	}
	return bounds;
}
