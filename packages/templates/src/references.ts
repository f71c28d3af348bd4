import { parseTemplate, type TemplatePart, VAULT_NAME } from "./parse.ts";

/** `location` is dotted from the value walked (`tool_refs[0].argument_overrides.to`), empty for the value itself. */
export type Reference = { name: string; location: string };

export type VaultReferenceOptions = {
	/** Members whose string, or each string of whose array, is a vault name by itself, such as `secret_name`. */
	nameMembers?: readonly string[];
};

/**
 * Every place of a JSON value that refers to the vault, in order, once for each name and location. Strings are read at any
 * depth; keys are never templates.
 */
export function collectVaultReferences(value: unknown, options: VaultReferenceOptions = {}): Reference[] {
	const bareNames = new Set(options.nameMembers);
	const references: Reference[] = [];
	for (const { text, location, member } of strings(value, "", undefined)) {
		if (member !== undefined && bareNames.has(member) && VAULT_NAME.test(text))
			references.push({ name: text, location });
		else references.push(...named(text, location, "vault"));
	}
	return references;
}

/** The same for tool arguments. */
export const collectArgumentReferences = (value: unknown): Reference[] =>
	Array.from(strings(value, "", undefined)).flatMap(({ text, location }) =>
		named(text, location, "argument"),
	);

/** Every `{{` that opens no token, with the text that was read. */
export const collectMalformedTokens = (value: unknown): { token: string; location: string }[] =>
	Array.from(strings(value, "", undefined)).flatMap(({ text, location }) =>
		parseTemplate(text)
			.filter((part) => part.kind === "malformed")
			.map((part) => ({ token: part.raw, location })),
	);

function named(text: string, location: string, kind: "vault" | "argument"): Reference[] {
	const isNamed = (part: TemplatePart) => part.kind === kind;
	const names = parseTemplate(text).flatMap((part) => (isNamed(part) && "name" in part ? [part.name] : []));
	return [...new Set(names)].map((name) => ({ name, location }));
}

type Found = { text: string; location: string; member: string | undefined };

/** `member` is the nearest key above the string, through arrays. */
function* strings(value: unknown, location: string, member: string | undefined): Generator<Found> {
	if (typeof value === "string") yield { text: value, location, member };
	else if (Array.isArray(value))
		for (const [index, item] of value.entries()) yield* strings(item, `${location}[${index}]`, member);
	else if (typeof value === "object" && value !== null)
		for (const [key, item] of Object.entries(value)) yield* strings(item, join(location, key), key);
}

/** A key that would read as more than one step is quoted. */
const join = (location: string, key: string): string => {
	if (!/^[^.[\]"\s]+$/.test(key)) return `${location}[${JSON.stringify(key)}]`;
	return location === "" ? key : `${location}.${key}`;
};
