import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTemplate } from "./parse.ts";

const shapes = (text: string) =>
	parseTemplate(text).map((part) =>
		"name" in part ? `${part.kind} ${part.name}` : `${part.kind} ${part.raw}`,
	);

describe("tokens", () => {
	test.each([
		["", []],
		["plain { text } }}", ["literal plain { text } }}"]],
		["{{$API_KEY}}", ["vault API_KEY"]],
		["{{ $API_KEY }}", ["vault API_KEY"]],
		["{{name}}", ["argument name"]],
		["{{  order id  }}", ["argument order id"]],
		["{{größe}}", ["argument größe"]],
		["a {{$A}}{{b}} c", ["literal a ", "vault A", "argument b", "literal  c"]],
		['{"a":{"b":{{x}}}}', ['literal {"a":{"b":', "argument x", "literal }}"]],
		["{{{x}}}", ["literal {", "argument x", "literal }"]],
		[`{{$${"A".repeat(64)}}}`, [`vault ${"A".repeat(64)}`]],
	])("%s", (text, expected) => {
		expect(shapes(text)).toEqual(expected);
	});
});

describe("braces that are no token", () => {
	test.each([
		["{{}}", ["malformed {{}}"]],
		["{{  }}", ["malformed {{  }}"]],
		["{{$}}", ["malformed {{$}}"]],
		["{{$lower}}", ["malformed {{$lower}}"]],
		["{{$1A}}", ["malformed {{$1A}}"]],
		["{{$A B}}", ["malformed {{$A B}}"]],
		["{{$ A}}", ["malformed {{$ A}}"]],
		["{{$A-B}}", ["malformed {{$A-B}}"]],
		[`{{$${"A".repeat(65)}}}`, [`malformed {{$${"A".repeat(65)}}}`]],
		[`{{${"a".repeat(129)}}}`, [`malformed {{${"a".repeat(129)}}}`]],
		["{{a\nb}}", ["malformed {{a\nb}}"]],
		["{{open", ["malformed {{", "literal open"]],
		["{{a {{b}}", ["malformed {{", "literal a ", "argument b"]],
		["{{a{b}}", ["malformed {{", "literal a{b}}"]],
	])("%s", (text, expected) => {
		expect(shapes(text)).toEqual(expected);
	});
});

/** Text rich in what the grammar is made of. */
const template = fc
	.array(
		fc.oneof(
			fc.constantFrom("{", "}", "{{", "}}", "$", " ", "A", "{{$KEY}}", "{{arg}}"),
			fc.string({ unit: "binary" }),
		),
	)
	.map((pieces) => pieces.join(""));

test("no text is lost: the raw parts joined are the template", () => {
	fc.assert(
		fc.property(
			template,
			(text) =>
				parseTemplate(text)
					.map((part) => part.raw)
					.join("") === text,
		),
	);
});

test("a token reads the same when it is read alone", () => {
	fc.assert(
		fc.property(template, (text) => {
			for (const part of parseTemplate(text))
				if ("name" in part) expect(parseTemplate(part.raw)).toEqual([part]);
		}),
	);
});

test("every vault name is found, with any spaces around it", () => {
	const names = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,63}$/);
	const spaces = fc.nat(5).map((count) => " ".repeat(count));
	fc.assert(
		fc.property(names, spaces, spaces, (name, before, after) => {
			const raw = `{{${before}$${name}${after}}}`;
			expect(parseTemplate(`x${raw}y`)[1]).toEqual({ kind: "vault", raw, name });
		}),
	);
});

test("hostile text of 1 MiB is read in one pass", () => {
	for (const unit of ["{{", "{{a", "{", "{{$A ", "}}{{"]) {
		const text = unit.repeat(2 ** 20 / unit.length);
		expect(parseTemplate(text).reduce((length, part) => length + part.raw.length, 0)).toBe(text.length);
	}
});
