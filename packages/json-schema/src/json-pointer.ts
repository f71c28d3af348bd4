/** Returns what a local reference such as `#/$defs/name` points to (RFC 6901, URI fragment form), or undefined. */
export function resolvePointer(root: object, ref: string): unknown {
	let value: unknown = root;
	for (const token of tokensOf(ref)) {
		if (token === undefined || typeof value !== "object" || value === null || !Object.hasOwn(value, token))
			return undefined;
		value = (value as Record<string, unknown>)[token];
	}
	return value;
}

/** Returns the members that a local reference names, from the root on; undefined for one that is badly encoded. */
export const tokensOf = (ref: string): (string | undefined)[] => ref.split("/").slice(1).map(decodeToken);

function decodeToken(token: string): string | undefined {
	try {
		return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
	} catch {
		return undefined;
	}
}
