import { format } from "@cfworker/json-schema";
import { LINEAR_FORMATS } from "@parley/contracts/linear-formats";
import { type LinearPattern, linearPattern } from "@parley/contracts/linear-pattern";

/** States that all patterns of one check may enter together: about a fifth of a second. */
const MAX_STEPS = 5_000_000;
/** Properties that all `patternProperties` of one check may come to stand for. */
const MAX_EXPANDED = 100_000;
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]).add(
	"dependencies",
);
const DATA = new Set(["enum", "const", "default", "examples"]);

type Json = Record<string, unknown>;

/** What a pattern is called among the validator's formats: it can be given those alone, and runs patterns itself. */
const formatOf = (pattern: string): string => `pattern ${pattern}`;

/**
 * A schema that says the same about one value, without anything that strangers could make a regular expression of:
 * `pattern` is a format that `withPatterns` supplies, and `patternProperties` has become `properties` with those names of
 * the value that match.
 * @throws PatternError for a pattern that cannot be used; RangeError when it would take too much work.
 */
export class LinearSchema {
	readonly schema: object;
	readonly #patterns = new Map<string, LinearPattern>();
	readonly #names: readonly string[];
	#steps = 0;
	#expanded = 0;

	constructor(schema: object, value: unknown) {
		this.#names = [...namesIn(value)];
		this.schema = this.#copy(schema) as object;
	}

	/** Runs a validation while the validator knows the patterns. */
	withPatterns<T>(validate: () => T): T {
		for (const [source, pattern] of this.#patterns)
			format[formatOf(source)] = (text) => this.#isFound(pattern, text);
		try {
			return validate();
		} finally {
			for (const source of this.#patterns.keys()) delete format[formatOf(source)];
		}
	}

	#copy(node: unknown): unknown {
		if (Array.isArray(node)) return node.map((item) => this.#copy(item));
		if (typeof node !== "object" || node === null) return node;
		const copy = this.#copyMembers(node as Json);
		const { pattern, patternProperties } = node as Json;
		if (typeof pattern === "string") this.#replacePattern(copy, pattern);
		if (isMap(patternProperties)) this.#replaceNamePatterns(copy, patternProperties);
		return copy;
	}

	#copyMembers(node: Json): Json {
		const members = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
			if (key === "pattern" && typeof value === "string") return [];
			if (key === "patternProperties") return [];
			if (key === "format" && typeof value === "string")
				return LINEAR_FORMATS.has(value) ? [[key, value]] : [];
			if (DATA.has(key)) return [[key, value]];
			return [[key, NAMED.has(key) && isMap(value) ? this.#copyMap(value) : this.#copy(value)]];
		});
		return Object.fromEntries(members);
	}

	#copyMap(map: Json): Json {
		return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, this.#copy(schema)]));
	}

	#replacePattern(copy: Json, pattern: string): void {
		this.#compile(pattern);
		const others = Array.isArray(copy.allOf) ? copy.allOf : [];
		if (copy.format === undefined) copy.format = formatOf(pattern);
		else copy.allOf = [...others, { format: formatOf(pattern) }];
	}

	#replaceNamePatterns(copy: Json, patterns: Json): void {
		const properties = new Map(Object.entries(isMap(copy.properties) ? copy.properties : {}));
		for (const [source, schema] of Object.entries(patterns)) {
			const pattern = this.#compile(source);
			const applied = this.#copy(schema);
			for (const name of this.#names) {
				if (!this.#isFound(pattern, name)) continue;
				if (++this.#expanded > MAX_EXPANDED) throw new RangeError("Too many properties");
				const other = properties.get(name);
				properties.set(name, other === undefined ? applied : { allOf: [other, applied] });
			}
		}
		copy.properties = Object.fromEntries(properties);
	}

	#compile(source: string): LinearPattern {
		const pattern = this.#patterns.get(source) ?? linearPattern(source);
		this.#patterns.set(source, pattern);
		return pattern;
	}

	#isFound(pattern: LinearPattern, text: string): boolean {
		return pattern.isFoundIn(text, (steps) => {
			this.#steps += steps;
			if (this.#steps > MAX_STEPS) throw new RangeError("Too many steps");
		});
	}
}

function namesIn(value: unknown): Set<string> {
	const names = new Set<string>();
	const stack: unknown[] = [value];
	for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
		if (typeof at !== "object" || at === null) continue;
		if (!Array.isArray(at)) for (const name of Object.keys(at)) names.add(name);
		for (const member of Object.values(at)) if (typeof member === "object") stack.push(member);
	}
	return names;
}

const isMap = (value: unknown): value is Json =>
	typeof value === "object" && value !== null && !Array.isArray(value);
