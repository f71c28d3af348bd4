import { isJsonObject } from "./json.ts";
import { resolvePointer } from "./json-pointer.ts";
import { isSchema, KEYWORDS, type Keyword, visitSubschemas } from "./keywords.ts";

const MAX_DEPTH = 128;

/** Members of a schema that hold data, where a `$ref` is no reference. */
const DATA = new Set(["default", "const", "enum", "examples", "example"]);

const bound: Keyword = {
	issue: (value) =>
		typeof value === "number" || typeof value === "boolean" ? undefined : "Must be a number or a boolean",
};
const names: Keyword = {
	issue: (value) =>
		Array.isArray(value) && value.every((name) => typeof name === "string")
			? undefined
			: "Must be a list of names",
};

function isNamesByName(value: unknown): string | undefined {
	const isValid =
		isJsonObject(value) && Object.values(value).every((each) => names.issue?.(each) === undefined);
	return isValid ? undefined : "Must be an object of lists of names";
}

/** The keywords as all drafts since 4 agree on them. */
const ANY_DRAFT_KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
	...[...KEYWORDS].filter(([keyword]) => !keyword.startsWith("$") || keyword === "$defs"),
	["$ref", { issue: (value) => (typeof value === "string" ? undefined : "Must be a string") }],
	["definitions", { ...KEYWORDS.get("$defs") }],
	["additionalItems", { holds: "one" }],
	// Draft 4 has booleans, and may repeat a name.
	["exclusiveMinimum", bound],
	["exclusiveMaximum", bound],
	["required", names],
	["dependentRequired", { issue: isNamesByName }],
]);

/**
 * Returns what makes a schema of any draft since 4 unusable; undefined when nothing does. A reference to another document
 * is accepted, and nothing is fetched for it. Takes time proportional to the size of the schema.
 */
export function findAnyDraftIssue(schema: object): string | undefined {
	const refs: string[] = [];
	const stack: { value: unknown; depth: number }[] = [{ value: schema, depth: 1 }];
	for (let at = stack.pop(); at; at = stack.pop()) {
		if (typeof at.value !== "object" || at.value === null) continue;
		if (at.depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
		for (const [key, value] of Object.entries(at.value)) {
			if (key === "$ref" && typeof value === "string") refs.push(value);
			else if (!DATA.has(key)) stack.push({ value, depth: at.depth + 1 });
		}
	}
	const lost = refs.find((ref) => /^#(\/|$)/.test(ref) && !isSchema(resolvePointer(schema, ref)));
	if (lost !== undefined) return `${lost} leads nowhere`;
	return findMalformed(schema);
}

function findMalformed(root: object): string | undefined {
	const stack: { schema: unknown; path: string }[] = [{ schema: root, path: "#" }];
	for (let at = stack.pop(); at; at = stack.pop()) {
		const { schema, path } = at;
		if (typeof schema === "boolean") continue;
		if (!isJsonObject(schema)) return `${path} must be a schema: an object, true or false`;
		for (const [keyword, value] of Object.entries(schema)) {
			const issue = ANY_DRAFT_KEYWORDS.get(keyword)?.issue?.(value);
			if (issue !== undefined) return `${path}/${keyword} ${issue.charAt(0).toLowerCase()}${issue.slice(1)}`;
		}
		visitSubschemas(
			schema,
			(inner, keyword, key) => {
				const innerPath = `${path}/${keyword}${key === undefined ? "" : `/${String(key)}`}`;
				// Before 2020-12, `items` could also be a list.
				if (keyword === "items" && Array.isArray(inner))
					for (const [index, item] of inner.entries())
						stack.push({ schema: item, path: `${innerPath}/${index}` });
				else stack.push({ schema: inner, path: innerPath });
			},
			ANY_DRAFT_KEYWORDS,
		);
	}
	return undefined;
}
