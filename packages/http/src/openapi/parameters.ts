import { z } from "zod";

type Place = "path" | "query" | "header";
type Parameter = {
	name: string;
	in: Place;
	required: boolean;
	description?: string;
	example?: unknown;
	schema: Record<string, unknown>;
};

/**
 * Parameters of a path or query as OpenAPI describes them: by the type that a value has once it is read, so that a number
 * is documented as a number although it travels as text.
 */
export function describeParameters(place: Place, parameters: z.ZodObject): Parameter[] {
	return Object.entries(parameters.shape as Record<string, z.ZodType>).map(([name, schema]) => {
		const { description, example } = metaOf(schema);
		return {
			name,
			in: place,
			required: !schema.safeParse(undefined).success,
			...(description !== undefined && { description }),
			...(example !== undefined && { example }),
			schema: describeValue(schema),
		};
	});
}

/** Without a registry no schema is named, so that none is referred to which the document may not hold. */
function describeValue(schema: z.ZodType): Record<string, unknown> {
	const options = {
		io: "output",
		unrepresentable: "any",
		metadata: z.registry<z.core.GlobalMeta>(),
	} as const;
	const { $schema, ...described } = z.toJSONSchema(schema, options);
	return described;
}

/** Returns a parameter's description and example, set before or after it was made optional. */
function metaOf(schema: z.ZodType): { description?: string | undefined; example?: unknown } {
	const meta = schema.meta() ?? {};
	if (meta.description !== undefined || meta.example !== undefined) return meta;
	const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
	return isWrapper ? metaOf(schema.unwrap() as z.ZodType) : {};
}
