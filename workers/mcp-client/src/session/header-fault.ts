type Json = Record<string, unknown>;

const KEY = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Members of a schema that hold values rather than schemas. */
const DATA = new Set(["default", "const", "enum", "examples"]);
const PRIMITIVE: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * What is wrong with the headers that a tool's arguments ask to be mirrored in; a client of the stateless era must leave out
 * a tool where anything is (MCP 2026-07-28, SEP-2243): the mark stands on a primitive property that is reached through
 * `properties` alone, and names a header that no other argument names.
 */
export function headerFault(inputSchema: object): string | undefined {
	const seen = new Set<string>();
	const visit = (node: unknown, path: string, isReachable: boolean): string | undefined => {
		if (typeof node !== "object" || node === null) return undefined;
		const fault = KEY in node ? markFault(node as Json, isReachable && path !== "", seen) : undefined;
		if (fault !== undefined) return `${path || "the schema"}: ${fault}`;
		for (const [key, value] of Object.entries(node)) {
			if (DATA.has(key)) continue;
			const isMap = key === "properties" && isObject(value);
			const children = isMap ? Object.entries(value) : [[key, value] as const];
			for (const [name, child] of children) {
				const found = visit(child, path === "" ? name : `${path}.${name}`, isReachable && isMap);
				if (found !== undefined) return found;
			}
		}
		return undefined;
	};
	return visit(inputSchema, "", true);
}

function markFault(node: Json, isReachable: boolean, seen: Set<string>): string | undefined {
	const header = node[KEY];
	if (!isReachable) return `${KEY} stands where no argument has one value`;
	if (typeof header !== "string" || !TOKEN.test(header)) return `${KEY} names no header`;
	if (!PRIMITIVE.includes(node.type))
		return `${KEY} stands on an argument that is no text, integer or boolean`;
	if (seen.has(header.toLowerCase())) return `${KEY} names ${header} twice`;
	seen.add(header.toLowerCase());
	return undefined;
}

const isObject = (value: unknown): value is Json =>
	typeof value === "object" && value !== null && !Array.isArray(value);
