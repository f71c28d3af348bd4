/** The value cannot be written as canonical JSON; `path` is dotted from the root (`a.b[0]`), empty for the root itself. */
export class CanonicalJsonError extends Error {
	override readonly name = "CanonicalJsonError";
	readonly path: string;

	constructor(problem: string, path: string) {
		super(path === "" ? problem : `${problem} at ${path}`);
		this.path = path;
	}
}

const MAX_DEPTH = 1_000;

/**
 * RFC 8785 (JCS) text of a JSON value: members sorted by UTF-16 code units, ECMAScript numbers, no white space.
 *
 * Takes null, booleans, finite numbers, well-formed strings, arrays and plain objects, 1,000 levels deep at most.
 * A member whose value is undefined is left out, as on the wire; undefined anywhere else is refused. `toJSON` is not
 * called: it may be a member of somebody's data, and two values that differ must not share a text. The libraries
 * looked at call it, or write a Map as `{}`.
 * @throws CanonicalJsonError for anything else: NaN, Infinity, lone surrogates, bigint, symbols, functions, cycles,
 * class instances (a Date, a Map), holes in arrays.
 */
export function canonicalJson(value: unknown): string {
	return write(value, "", []);
}

function write(value: unknown, path: string, parents: object[]): string {
	switch (typeof value) {
		case "boolean":
			return value ? "true" : "false";
		case "string":
			return writeString(value, path);
		case "number":
			if (!Number.isFinite(value)) throw new CanonicalJsonError(`${value} is not a JSON number`, path);
			return JSON.stringify(value);
		case "object":
			return value === null ? "null" : writeContainer(value, path, parents);
		default:
			throw new CanonicalJsonError(`A value of type ${typeof value} is not JSON`, path);
	}
}

function writeContainer(value: object, path: string, parents: object[]): string {
	if (parents.includes(value)) throw new CanonicalJsonError("The value contains itself", path);
	if (parents.length === MAX_DEPTH)
		throw new CanonicalJsonError(`The value is nested deeper than ${MAX_DEPTH}`, "");
	parents.push(value);
	const text = Array.isArray(value) ? writeArray(value, path, parents) : writeObject(value, path, parents);
	parents.pop();
	return text;
}

function writeArray(value: unknown[], path: string, parents: object[]): string {
	// Array.from visits holes, which map() would skip.
	return `[${Array.from(value, (item, index) => write(item, `${path}[${index}]`, parents)).join(",")}]`;
}

function writeObject(value: object, path: string, parents: object[]): string {
	if (!isPlain(value)) throw new CanonicalJsonError("Only plain objects are JSON", path);
	const members: string[] = [];
	// String comparison is by UTF-16 code units, the order of RFC 8785 section 3.2.3.
	for (const [key, member] of Object.entries(value).sort(byKey)) {
		if (member === undefined) continue;
		const memberPath = path === "" ? key : `${path}.${key}`;
		members.push(`${writeString(key, memberPath)}:${write(member, memberPath, parents)}`);
	}
	return `{${members.join(",")}}`;
}

function writeString(value: string, path: string): string {
	if (!value.isWellFormed()) throw new CanonicalJsonError("A string holds a lone surrogate", path);
	return JSON.stringify(value);
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

/** True for objects of another realm too, whose Object.prototype is not ours. */
function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
