import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CanonicalJsonError, canonicalJson } from "./jcs.ts";

/** IEEE 754 bit patterns and their texts: RFC 8785, appendix B. */
const RFC_NUMBERS: [bits: string, text: string][] = [
	["0000000000000000", "0"],
	["8000000000000000", "0"],
	["0000000000000001", "5e-324"],
	["8000000000000001", "-5e-324"],
	["7fefffffffffffff", "1.7976931348623157e+308"],
	["ffefffffffffffff", "-1.7976931348623157e+308"],
	["4340000000000000", "9007199254740992"],
	["c340000000000000", "-9007199254740992"],
	["4430000000000000", "295147905179352830000"],
	["44b52d02c7e14af5", "9.999999999999997e+22"],
	["44b52d02c7e14af6", "1e+23"],
	["44b52d02c7e14af7", "1.0000000000000001e+23"],
	["444b1ae4d6e2ef4e", "999999999999999700000"],
	["444b1ae4d6e2ef4f", "999999999999999900000"],
	["444b1ae4d6e2ef50", "1e+21"],
	["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
	["3eb0c6f7a0b5ed8d", "0.000001"],
	["41b3de4355555553", "333333333.3333332"],
	["41b3de4355555554", "333333333.33333325"],
	["41b3de4355555555", "333333333.3333333"],
	["41b3de4355555556", "333333333.3333334"],
	["41b3de4355555557", "333333333.33333343"],
	["becbf647612f3696", "-0.0000033333333333333333"],
	["43143ff3c1cb0959", "1424953923781206.2"],
];

const fromBits = (bits: string): number => {
	const view = new DataView(new ArrayBuffer(8));
	view.setBigUint64(0, BigInt(`0x${bits}`));
	return view.getFloat64(0);
};

describe("the vectors of RFC 8785", () => {
	test.each(RFC_NUMBERS)("the double %s is written %s", (bits, text) => {
		expect(canonicalJson(fromBits(bits))).toBe(text);
	});

	test("the sample of section 3.2.2 comes out as in section 3.2.3", () => {
		const sample = JSON.parse(String.raw`{
			"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
			"literals": [null, true, false]
		}`);
		expect(canonicalJson(sample)).toBe(
			String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		);
	});

	test("members are sorted by UTF-16 code units, as in section 3.2.3", () => {
		const sample = JSON.parse(String.raw`{
			"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
			"\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
		}`);
		expect(Object.values(JSON.parse(canonicalJson(sample)))).toHaveLength(7);
		expect([...canonicalJson(sample).matchAll(/:"([^"]+)"/g)].map((match) => match[1])).toEqual([
			"Carriage Return",
			"One",
			"Control",
			"Latin Small Letter O With Diaeresis",
			"Euro Sign",
			"Emoji: Grinning Face",
			"Hebrew Letter Dalet With Dagesh",
		]);
	});
});

describe("what is not JSON is refused, and the refusal says where", () => {
	const cycle: Record<string, unknown> = {};
	cycle.self = { back: [cycle] };
	test.each<[name: string, value: unknown, path: string]>([
		["NaN", { a: [Number.NaN] }, "a[0]"],
		["Infinity", Number.POSITIVE_INFINITY, ""],
		["a lone surrogate in a string", { a: { b: "\ud800" } }, "a.b"],
		["a lone surrogate in a key", { "\udc00": 1 }, "\udc00"],
		["undefined alone", undefined, ""],
		["undefined in an array", [1, undefined], "[1]"],
		["a hole in an array", new Array(1), "[0]"],
		["a bigint", { n: 1n }, "n"],
		["a function", { f: () => 1 }, "f"],
		["a symbol", [Symbol("s")], "[0]"],
		["a Date", { at: new Date(0) }, "at"],
		["a Map", new Map([["a", 1]]), ""],
		["a cycle", cycle, "self.back[0]"],
	])("%s", (_name, value, path) => {
		expect(() => canonicalJson(value)).toThrow(CanonicalJsonError);
		expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ path }));
	});

	test("nesting beyond 1,000 levels", () => {
		const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
		expect(canonicalJson(nested(1_000))).toHaveLength(2_000);
		expect(() => canonicalJson(nested(1_001))).toThrow(CanonicalJsonError);
	});
});

test("a member that is undefined is left out", () => {
	expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
});

test("a member called toJSON or __proto__ is data like any other", () => {
	expect(canonicalJson(JSON.parse('{"toJSON":1,"b":2,"__proto__":{"z":1,"a":2}}'))).toBe(
		'{"__proto__":{"a":2,"z":1},"b":2,"toJSON":1}',
	);
});

test("one object at two places is no cycle", () => {
	const shared = { a: 1 };
	expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
});

/** JSON values as the wire brings them: no -0, which is written 0. */
const json = () => fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.parse(JSON.stringify(value)));

const reversed = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(reversed);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, member]) => [key, reversed(member)]),
	);
};

describe("for every JSON value", () => {
	test("the order of members does not matter", () => {
		fc.assert(fc.property(json(), (value) => canonicalJson(reversed(value)) === canonicalJson(value)));
	});

	test("parsing gives the value back, and writing it again the same text", () => {
		fc.assert(
			fc.property(json(), (value) => {
				const text = canonicalJson(value);
				expect(JSON.parse(text)).toEqual(value);
				expect(canonicalJson(JSON.parse(text))).toBe(text);
			}),
		);
	});

	test("values that differ have texts that differ", () => {
		fc.assert(
			fc.property(json(), json(), (a, b) => {
				const isSame = equals(a, b);
				expect(canonicalJson(a) === canonicalJson(b)).toBe(isSame);
			}),
		);
	});

	test("one changed leaf changes the text", () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), json(), { minKeys: 1 }), fc.nat(), (value, pick) => {
				const keys = Object.keys(value);
				const key = keys[pick % keys.length]!;
				const changed = { ...value, [key]: [value[key]] };
				expect(canonicalJson(changed)).not.toBe(canonicalJson(value));
			}),
		);
	});
});

function equals(a: unknown, b: unknown): boolean {
	try {
		expect(a).toStrictEqual(b);
		return true;
	} catch {
		return false;
	}
}
