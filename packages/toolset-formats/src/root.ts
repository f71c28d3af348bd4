import { isSchema, omit, propertiesOf, requiredOf, type Schema } from "./schema.ts";

/** Combinators that no vendor accepts at the root of a tool's parameters. */
const ROOT_COMBINATORS = ["oneOf", "anyOf", "allOf", "not", "enum", "const", "if", "then", "else"];

/**
 * Returns parameters whose root is a plain object: without combinators, with properties. Each combinator that is left out gives
 * a warning.
 */
export function toPlainRoot(parameters: Schema, warnings: string[]): Schema {
	const left = ROOT_COMBINATORS.filter((keyword) => parameters[keyword] !== undefined);
	for (const keyword of left)
		warnings.push(
			`\`${keyword}\` at the root of the schema is left out: the vendor accepts only a plain object there`,
		);
	const root: Schema = { ...omit(parameters, left), type: "object" };
	// A reference at the root could lead to any of them.
	if (root.$ref !== undefined) {
		warnings.push(
			"`$ref` at the root of the schema is left out: the vendor accepts only a plain object there",
		);
		delete root.$ref;
	}
	if (!isSchema(root.properties)) root.properties = {};
	return root;
}

/**
 * Returns an object schema without the properties whose names a vendor refuses, or undefined when a required one is among them,
 * since the tool could then not be called.
 */
export function withoutForeignNames(root: Schema, pattern: RegExp, warnings: string[]): Schema | undefined {
	const refused = Object.keys(propertiesOf(root)).filter((name) => !pattern.test(name));
	if (refused.length === 0) return root;
	const required = requiredOf(root);
	for (const name of refused) {
		const consequence = required.includes(name) ? "the tool is left out" : "the parameter is left out";
		warnings.push(`the parameter name ${JSON.stringify(name)} is refused by the vendor: ${consequence}`);
	}
	if (refused.some((name) => required.includes(name))) return undefined;
	return { ...root, properties: omit(propertiesOf(root), refused) };
}
