type Json = Record<string, unknown>;

const KEY = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Members of a schema that hold values rather than schemas. */
const VALUE_KEYWORDS = new Set(["default", "const", "enum", "examples"]);
const PRIMITIVE: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * Returns the first issue with the `x-mcp-header` marks of a tool's arguments, which ask to be mirrored in HTTP headers. A
 * client of the stateless era must leave out a tool with an issue (MCP 2026-07-28, SEP-2243). A mark must be on a primitive
 * property that is reached through `properties` alone, and must name a header that no other argument names.
 */
export function findHeaderIssue(inputSchema: object): string | undefined {
	const seen = new Set<string>();
	const visit = (node: unknown, path: string, isReachable: boolean): string | undefined => {
		if (typeof node !== "object" || node === null) return undefined;
		const issue = KEY in node ? findMarkIssue(node as Json, isReachable && path !== "", seen) : undefined;
		if (issue !== undefined) return `${path || "the schema"}: ${issue}`;
		for (const [key, value] of Object.entries(node)) {
			if (VALUE_KEYWORDS.has(key)) continue;
			const isMap = key === "properties" && isObject(value);
			const children = isMap ? Object.entries(value) : [[key, value] as const];
			for (const [name, child] of children) {
				const issueBelow = visit(child, path === "" ? name : `${path}.${name}`, isReachable && isMap);
				if (issueBelow !== undefined) return issueBelow;
			}
		}
		return undefined;
	};
	return visit(inputSchema, "", true);
}

function findMarkIssue(node: Json, isReachable: boolean, seen: Set<string>): string | undefined {
	const header = node[KEY];
	if (!isReachable) return `${KEY} is not on an argument with a single value`;
	if (typeof header !== "string" || !TOKEN.test(header)) return `${KEY} is not a valid header name`;
	if (!PRIMITIVE.includes(node.type)) return `${KEY} must be on a string, integer or boolean argument`;
	if (seen.has(header.toLowerCase())) return `${KEY} names ${header} twice`;
	seen.add(header.toLowerCase());
	return undefined;
}

const isObject = (value: unknown): value is Json =>
	typeof value === "object" && value !== null && !Array.isArray(value);
