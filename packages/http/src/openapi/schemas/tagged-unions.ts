import type { Components, JsonSchema } from "../examples/examples.ts";

const REF = "#/components/schemas/";

/**
 * Gives every tagged union a `discriminator`, so that tools show one variant at a time. OpenAPI reads a discriminator only over
 * references: variants that are written inline become components, named after the union and their tag.
 * @param components the document's schemas, to which variants are added
 * @param roots schemas of bodies, which refer to them
 */
export function describeTaggedUnions(components: Components, roots: readonly JsonSchema[]): void {
	for (const [name, schema] of Object.entries(components)) walk(schema, name, components);
	for (const root of roots) walk(root, "Body", components);
}

function walk(schema: JsonSchema, owner: string, components: Components): void {
	for (const variants of [schema.oneOf, schema.anyOf]) {
		const tag = variants && tagOf(variants, components);
		if (variants && tag) schema.discriminator = discriminate(variants, tag, owner, components);
	}
	for (const [name, property] of Object.entries(schema.properties ?? {}))
		walk(property, owner + pascal(name), components);
	for (const inner of [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
		walk(inner, owner, components);
	if (schema.items) walk(schema.items, owner, components);
	if (typeof schema.additionalProperties === "object") walk(schema.additionalProperties, owner, components);
}

/** Replaces the variants by references and returns the discriminator over them. */
function discriminate(
	variants: JsonSchema[],
	propertyName: string,
	owner: string,
	components: Components,
): NonNullable<JsonSchema["discriminator"]> {
	const mapping: Record<string, string> = {};
	for (const [index, variant] of variants.entries()) {
		const value = String(resolve(variant, components).properties?.[propertyName]?.const);
		const ref = variant.$ref ?? REF + addComponent(components, owner + pascal(value), variant);
		variants[index] = { $ref: ref };
		mapping[value] = ref;
	}
	return { propertyName, mapping };
}

function addComponent(components: Components, wanted: string, schema: JsonSchema): string {
	const text = JSON.stringify(schema);
	for (let count = 1; ; count++) {
		const name = count === 1 ? wanted : `${wanted}${count}`;
		if (components[name] === undefined || JSON.stringify(components[name]) === text) {
			components[name] = schema;
			walk(schema, name, components);
			return name;
		}
	}
}

/** Returns the property whose constant tells the variants apart; undefined when there is none. */
function tagOf(variants: readonly JsonSchema[], components: Components): string | undefined {
	const resolved = variants.map((variant) => resolve(variant, components));
	const [first, ...others] = resolved;
	if (!first || others.length === 0) return undefined;
	return Object.keys(first.properties ?? {}).find((name) => {
		const values = resolved.map(({ properties }) => properties?.[name]?.const);
		return values.every((value) => typeof value === "string") && new Set(values).size === values.length;
	});
}

const resolve = (schema: JsonSchema, components: Components): JsonSchema =>
	schema.$ref === undefined ? schema : (components[schema.$ref.slice(REF.length)] ?? {});

const pascal = (name: string): string =>
	name
		.split(/[^A-Za-z0-9]+/)
		.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
		.join("");
