import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderUrl, urlTemplateProblems } from "./render-url.ts";
import { TemplateError } from "./template-error.ts";

const values = {
	vault: {
		REGION: "eu west",
		BASE: "https://mcp.example.com:8443/v1",
		HOST: "mcp.example.com",
		PORT: "8443",
	},
	arguments: { id: "a/b?c#d", q: "x&y=z +%", n: 5, dot: ".", dots: "..", empty: "" },
};

describe("values are percent-encoded in path segments and query values", () => {
	test.each([
		["https://h.example/items/{{id}}/x", "https://h.example/items/a%2Fb%3Fc%23d/x"],
		["https://h.example/{{$REGION}}/v{{n}}.json", "https://h.example/eu%20west/v5.json"],
		["https://h.example/?q={{q}}&n={{n}}", "https://h.example/?q=x%26y%3Dz%20%2B%25&n=5"],
		["https://h.example?a=1&q=pre-{{n}}-post", "https://h.example/?a=1&q=pre-5-post"],
		["https://h.example/a?x=b=c{{n}}", "https://h.example/a?x=b=c5"],
		["https://h.example/a{{dot}}b", "https://h.example/a.b"],
		["https://h.example/?e={{empty}}", "https://h.example/?e="],
	])("%s", (template, expected) => {
		expect(renderUrl(template, values).href).toBe(expected);
		expect(urlTemplateProblems(template)).toEqual([]);
	});
});

describe("tokens elsewhere are misplaced", () => {
	test.each([
		["{{$BASE}}/x", "origin"],
		["{{id}}://h.example/", "origin"],
		["https://{{$HOST}}/", "origin"],
		["https://api.{{$HOST}}/", "origin"],
		["https://h.example:{{$PORT}}/", "origin"],
		["https://h.example{{id}}", "origin"],
		["https://{{id}}@h.example/", "origin"],
		["https:{{id}}", "origin"],
		["https:/{{id}}", "origin"],
		["https:///{{id}}", "origin"],
		["https:\\\\{{id}}", "origin"],
		["/{{id}}", "origin"],
		["ftp://h.example/{{id}}", "origin"],
		["https://h.example/?{{id}}", "query_name"],
		["https://h.example/?a=b&{{id}}=1", "query_name"],
		["https://h.example/#{{id}}", "fragment"],
		["https://h.example/?a=1#b={{id}}", "fragment"],
	])("%s", (template, place) => {
		const problem = expect.objectContaining({ kind: "misplaced", place });
		expect(urlTemplateProblems(template)).toEqual([problem]);
		expect(() => renderUrl(template, values)).toThrow(TemplateError);
	});
});

describe("a segment that would vanish is refused", () => {
	test.each([
		"https://h.example/{{dot}}",
		"https://h.example/a/{{dots}}/b",
		"https://h.example/a/{{empty}}/b",
		"https://h.example/a/{{empty}}",
		"https://h.example/{{dot}}{{dot}}/b",
		"https://h.example/.{{dot}}/b",
		"https://h.example/%2e{{dot}}/b",
		"https://h.example/%2E{{empty}}/b",
		"https://h.example\\{{dots}}\\b",
		"https://h.example/{{dots}}?q=1",
	])("%s", (template) => {
		expect(() => renderUrl(template, values)).toThrow(
			expect.objectContaining({
				problems: expect.arrayContaining([expect.objectContaining({ kind: "unusable", place: "path" })]),
			}),
		);
	});

	test("even when it is put together from an escape of the template", () => {
		expect(() => renderUrl("https://h.example/a/%2{{x}}/b", { arguments: { x: "e" } })).toThrow(
			TemplateError,
		);
	});

	test("white space that the URL parser drops is refused in the template", () => {
		expect(() => renderUrl("https://h.example/a/.\t{{dot}}/b", values)).toThrow(TemplateError);
		expect(urlTemplateProblems(" https://h.example/{{id}}")).not.toEqual([]);
	});
});

test("missing and malformed tokens are told together", () => {
	expect(() => renderUrl("https://h.example/{{gone}}/{{$NOPE}}?q={{$bad}}", values)).toThrow(
		expect.objectContaining({
			missing: ["gone", "$NOPE"],
			problems: expect.arrayContaining([{ kind: "malformed", token: "{{$bad}}" }]),
		}),
	);
});

test("a lone surrogate has no percent-encoding", () => {
	expect(() => renderUrl("https://h.example/{{x}}", { arguments: { x: "\ud800" } })).toThrow(TemplateError);
});

describe("a templated origin", () => {
	const templated = { origin: "templated" } as const;

	test.each([
		["{{$BASE}}", "https://mcp.example.com:8443/v1"],
		["{{ $BASE }}/{{n}}?r={{$REGION}}", "https://mcp.example.com:8443/v1/5?r=eu%20west"],
		["https://{{$HOST}}/mcp", "https://mcp.example.com/mcp"],
		["https://{{$HOST}}:{{$PORT}}", "https://mcp.example.com:8443/"],
		["https://eu.{{$HOST}}/{{id}}", "https://eu.mcp.example.com/a%2Fb%3Fc%23d"],
		["https://h.example/{{$REGION}}", "https://h.example/eu%20west"],
	])("%s", (template, expected) => {
		expect(renderUrl(template, values, templated).href).toBe(expected);
		expect(urlTemplateProblems(template, templated)).toEqual([]);
	});

	test.each([
		"{{n}}",
		"https://{{n}}/",
		"https{{$HOST}}",
		"https://h.example/?{{$HOST}}",
		"ftp://{{$HOST}}/",
	])("%s is still misplaced", (template) => {
		expect(urlTemplateProblems(template, templated)).toEqual([
			expect.objectContaining({ kind: "misplaced" }),
		]);
	});

	test.each(["evil.example/", "a@evil.example", "h\\evil", "h?x", "h#x", "h h", "", "h／evil"])(
		"a host of %j is refused",
		(HOST) => {
			const work = () => renderUrl("https://{{$HOST}}.example.com/", { vault: { HOST } }, templated);
			expect(work).toThrow(
				expect.objectContaining({ problems: [{ kind: "unusable", token: "$HOST", place: "origin" }] }),
			);
		},
	);

	test("a value that makes no URL is told as such", () => {
		expect(() => renderUrl("{{$X}}", { vault: { X: "not a url" } }, templated)).toThrow(
			expect.objectContaining({ problems: [{ kind: "invalid_url" }] }),
		);
	});

	test("values after a whole URL are encoded for the place it ends in", () => {
		const own = { vault: { BASE: "https://h.example/a?k=", KEY: "x&y" } };
		expect(renderUrl("{{$BASE}}{{$KEY}}", own, templated).href).toBe("https://h.example/a?k=x%26y");
	});
});

const literal = fc.stringMatching(/^[A-Za-z0-9._~%-]{0,6}$/);
const token = fc.constantFrom("{{a}}", "{{b}}", "{{$C}}");
const piece = fc.tuple(literal, fc.oneof(token, literal), literal).map((texts) => texts.join(""));
const template = fc
	.tuple(
		fc.array(piece, { minLength: 1, maxLength: 4 }),
		fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), piece), { maxLength: 3 }),
	)
	.map(([segments, query]) => {
		const pairs = query.map(([name, value]) => `${name}=${value}`).join("&");
		return `https://api.example.com/${segments.join("/")}${pairs && `?${pairs}`}`;
	});
const hostile = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.constantFrom(
		"..",
		".",
		"",
		"/",
		"../..",
		"%2e%2e",
		"%2f",
		"\\..\\",
		"//evil",
		"@evil",
		"?a=b",
		"#",
		"&a=b",
		"e",
		"2e",
	),
);

test("no value changes host, number of segments, number of query values, or adds a fragment", () => {
	const render = (text: string, a: unknown, b: unknown, c: string) =>
		renderUrl(text, { arguments: { a, b }, vault: { C: c } });
	fc.assert(
		fc.property(template, hostile, hostile, hostile, (text, a, b, c) => {
			let url: URL;
			try {
				url = render(text, a, b, c);
			} catch (error) {
				expect(error).toBeInstanceOf(TemplateError);
				return;
			}
			const harmless = render(text, "xx", "yy", "zz");
			expect(url.origin).toBe("https://api.example.com");
			expect(url.username + url.password + url.hash).toBe("");
			expect(url.pathname.split("/")).toHaveLength(harmless.pathname.split("/").length);
			expect(Array.from(url.searchParams.keys())).toEqual(Array.from(harmless.searchParams.keys()));
		}),
		{ numRuns: 2_000 },
	);
});

test("the receiver decodes the very value", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (value) => {
			fc.pre(value.isWellFormed() && !/^\.{1,2}$/.test(value));
			const url = renderUrl("https://h.example/a/{{v}}/b?q={{v}}", { arguments: { v: value } });
			expect(decodeURIComponent(url.pathname.split("/")[2] ?? "")).toBe(value);
			expect(url.searchParams.get("q")).toBe(value);
		}),
	);
});

test("a URL of more than 64 KiB is refused", () => {
	const template = `https://api.example/${"{{a}}/".repeat(300)}`;
	expect(() => renderUrl(template, { arguments: { a: "x".repeat(1_000) } })).toThrow(
		"longer than 65536 characters",
	);
});
