import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTemplate } from "./parse.ts";
import { renderHeader, renderJson, renderText } from "./render.ts";
import { TemplateError } from "./template-error.ts";

const values = {
	vault: { COMPANY: "Acme", TOKEN: "t0k" },
	arguments: { id: 7, name: "Zoë", flag: false, none: null, list: [1, "a"], nested: { a: 1 } },
};

const missingOf = (work: () => unknown): readonly string[] => {
	try {
		work();
	} catch (error) {
		if (error instanceof TemplateError) return error.missing;
		throw error;
	}
	return [];
};

describe("text", () => {
	test.each([
		["Hello from {{$COMPANY}}, {{ name }} ({{id}}, {{flag}})", "Hello from Acme, Zoë (7, false)"],
		["null is empty: <{{none}}>", "null is empty: <>"],
		["{{list}} {{nested}}", '[1,"a"] {"a":1}'],
		["{{$bad}} and {{ stay", "{{$bad}} and {{ stay"],
		["", ""],
	])("%s", (template, expected) => {
		expect(renderText(template, values)).toBe(expected);
	});

	test("every missing name is told, once, in order", () => {
		expect(missingOf(() => renderText("{{$NOPE}} {{id}} {{gone}} {{$NOPE}} {{$ALSO}}", values))).toEqual([
			"$NOPE",
			"gone",
			"$ALSO",
		]);
	});

	test("the refusal tells names and no values", () => {
		expect(() => renderText("{{$TOKEN}} {{$NOPE}} {{gone}}", values)).toThrow(
			"No value for $NOPE; No value for gone",
		);
	});

	test("inherited members are no values", () => {
		expect(missingOf(() => renderText("{{constructor}} {{__proto__}} {{toString}}", values))).toHaveLength(3);
	});
});

describe("headers", () => {
	test("tokens are filled in", () => {
		expect(renderHeader("Bearer {{$TOKEN}}", values)).toBe("Bearer t0k");
	});

	test.each(["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "a\x7fb", "snow ☃"])(
		"the value %j is refused",
		(name) => {
			const work = () => renderHeader("{{name}}", { arguments: { name } });
			expect(work).toThrow(
				expect.objectContaining({ problems: [{ kind: "unusable", token: "name", place: "header" }] }),
			);
		},
	);

	test("a line break of the template itself is refused, as are malformed tokens", () => {
		expect(() => renderHeader("a\nb", {})).toThrow(TemplateError);
		expect(() => renderHeader("{{$bad}}", {})).toThrow("{{$bad}} is not a valid placeholder");
	});

	test("what is rendered is always taken by Headers", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (value) => {
				let header: string;
				try {
					header = renderHeader("v {{x}}", { arguments: { x: value } });
				} catch (error) {
					expect(error).toBeInstanceOf(TemplateError);
					return;
				}
				expect(new Headers({ a: header }).get("a")).toBe(header.trim());
			}),
		);
	});
});

describe("JSON", () => {
	test("a string that is one token takes the value with its type, others are text", () => {
		const template = {
			id: "{{id}}",
			all: ["{{ list }}", "{{nested}}", "n={{id}}", "{{none}}", "{{$COMPANY}}"],
			n: 1,
		};
		expect(renderJson(template, values)).toEqual({
			id: 7,
			all: [[1, "a"], { a: 1 }, "n=7", null, "Acme"],
			n: 1,
		});
	});

	test("keys stay, also one called __proto__", () => {
		const template = JSON.parse('{"__proto__":"{{id}}","{{id}}":1}');
		expect(JSON.stringify(renderJson(template, values))).toBe('{"__proto__":7,"{{id}}":1}');
	});

	test("missing names of the whole value are told at once", () => {
		expect(missingOf(() => renderJson({ a: "{{$X}}", b: ["{{y}}", "z {{z}}"] }, values))).toEqual([
			"$X",
			"y",
			"z",
		]);
	});

	test("a value without tokens comes back equal", () => {
		const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("{{"));
		fc.assert(
			fc.property(values, (value) => {
				expect(renderJson(value, {})).toEqual(value);
			}),
		);
	});
});

test("inserted values are never read as templates again", () => {
	const token = fc.constantFrom("{{$TOKEN}}", "{{name}}", "{{", "}}", "$TOKEN}}", "{{$");
	const hostile = fc.array(fc.oneof(token, fc.string())).map((pieces) => pieces.join(""));
	fc.assert(
		fc.property(fc.array(fc.oneof(hostile, fc.constant("{{a}}{{$B}}"))), hostile, hostile, (pieces, a, b) => {
			const template = pieces.join("");
			const own = { arguments: { a, name: "NAME" }, vault: { B: b, TOKEN: "TOKEN" } };
			const expected = parseTemplate(template).map((part) => {
				if (part.kind === "argument") return own.arguments[part.name as "a"];
				return part.kind === "vault" ? own.vault[part.name as "B"] : part.raw;
			});
			if (expected.includes(undefined as never)) return;
			expect(renderText(template, own)).toBe(expected.join(""));
		}),
	);
});

test("a value that a template repeats too often is refused before it fills the memory", () => {
	const given = { arguments: { big: "x".repeat(30_000), list: Array(10_000).fill("y") } };
	for (const name of ["big", "list"]) {
		const template = `{{${name}}} `.repeat(20_000);
		const message = "With its values the text is longer than 1000000 characters";
		expect(() => renderText(template, given)).toThrow(message);
		expect(() => renderHeader(template, given)).toThrow(message);
		expect(() => renderJson({ a: Array(40).fill(`{{${name}}} `) }, given)).toThrow(message);
	}
	expect(renderText("{{big}}{{big}}", given)).toHaveLength(60_000);
});
