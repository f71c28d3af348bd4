import { isSchema, omit, propertiesOf, requiredOf, resolveReference, type Schema } from "./schema.ts";

/** Combinators that no vendor accepts at the root of a tool's parameters. */
const ROOT_COMBINATORS = ["oneOf", "anyOf", "allOf", "not", "enum", "const", "if", "then", "else"];
/** References that may follow one another at the root. */
const MAX_REFERENCES = 10;

/**
 * Returns parameters whose root is a plain object: without combinators, with properties. A reference at the root is replaced by
 * its target. The properties of `allOf`, `anyOf` and `oneOf` join those of the root, so that the model can still give them. Each
 * combinator that is left out gives a warning.
 */
export function toPlainRoot(parameters: Schema, warnings: string[]): Schema {
	const resolved = resolveRoot(parameters, warnings);
	const left = ROOT_COMBINATORS.filter((keyword) => resolved[keyword] !== undefined);
	for (const keyword of left)
		warnings.push(
			`\`${keyword}\` at the root of the schema is left out: the vendor accepts only a plain object there`,
		);
	const root: Schema = { ...omit(resolved, left), type: "object" };
	const all = membersOf(parameters, resolved.allOf);
	const alternatives = [membersOf(parameters, resolved.anyOf), membersOf(parameters, resolved.oneOf)];
	root.properties = Object.assign(
		{},
		...[...alternatives.flat(), ...all, resolved].map(propertiesOf).map((properties) => ({ ...properties })),
	);
	const required = new Set([
		...requiredOf(resolved),
		...all.flatMap(requiredOf),
		...alternatives.flatMap(requiredByEach),
	]);
	if (required.size > 0) root.required = [...required];
	return root;
}

/** Replaces a reference at the root by its target. One that leads nowhere or in a circle is left out. */
function resolveRoot(parameters: Schema, warnings: string[]): Schema {
	let resolved = parameters;
	for (let followed = 0; resolved.$ref !== undefined; followed++) {
		const target = followed < MAX_REFERENCES ? resolveReference(parameters, resolved.$ref) : undefined;
		const { $ref, ...beside } = resolved;
		if (!target || target === parameters) {
			warnings.push("`$ref` at the root of the schema is left out: it leads nowhere");
			return beside;
		}
		resolved = { ...target, ...beside };
		if (target.$ref !== undefined) resolved.$ref = target.$ref;
	}
	return resolved;
}

const membersOf = (document: Schema, list: unknown): Schema[] =>
	(Array.isArray(list) ? list : []).filter(isSchema).map((member) => {
		const target = member.$ref === undefined ? undefined : resolveReference(document, member.$ref);
		return target ?? member;
	});

/** Returns the names that every one of several alternatives requires. */
const requiredByEach = ([first, ...others]: Schema[]): string[] =>
	first ? requiredOf(first).filter((name) => others.every((other) => requiredOf(other).includes(name))) : [];

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
