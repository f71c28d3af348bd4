import { describe, expect, test } from "vitest";
import { BASE32_ALPHABETS, toBase32 } from "./base32.ts";
import { createScrubber } from "./scrub.ts";

const secret = 'p/a+s s"wörd%7\\x';
const scrub = createScrubber([secret]).text;
const inner = (text: string): string => JSON.stringify(text).slice(1, -1);
const binary = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

describe("each written form is replaced", () => {
	const percent = encodeURIComponent(secret);
	const form = new URLSearchParams({ v: secret }).toString().slice(2);
	const hex = Array.from(new TextEncoder().encode(secret), (byte) => byte.toString(16).padStart(2, "0")).join(
		"",
	);
	test.each<[name: string, text: string]>([
		["plain", secret],
		["percent-encoded", percent],
		["percent-encoded in lower case", percent.replaceAll(/%../g, (code) => code.toLowerCase())],
		["percent-encoded but for the slash", percent.replaceAll("%2F", "/")],
		["percent-encoded wholly", hex.replaceAll(/../g, "%$&")],
		["percent-encoded twice", encodeURIComponent(percent)],
		["form-encoded", form],
		["JSON", inner(secret)],
		["JSON with escaped slashes", inner(secret).replaceAll("/", "\\/")],
		["JSON in ASCII", inner(secret).replaceAll("ö", "\\u00f6")],
		["JSON in ASCII, upper case", inner(secret).replaceAll("ö", "\\u00F6")],
		[
			"JSON of escapes alone",
			Array.from(secret, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
		],
		["JSON in JSON", inner(inner(secret))],
		["form-encoded in JSON", inner(form)],
		["JSON, percent-encoded", encodeURIComponent(inner(secret))],
		[
			"a Python bytes literal",
			binary(secret)
				.replaceAll("\\", "\\\\")
				.replaceAll(/[\x80-\xff]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`),
		],
		["hex", hex],
		["hex in upper case", hex.toUpperCase()],
		["lower case", secret.toLowerCase()],
		["upper case", secret.toUpperCase()],
		["percent-encoded in lower case throughout", percent.toLowerCase()],
		["HTML", secret.replace('"', "&quot;")],
		["HTML by numbers", Array.from(secret, (char) => `&#${char.codePointAt(0)};`).join("")],
		[
			"HTML by hex numbers",
			Array.from(secret, (char) => `&#x${char.codePointAt(0)?.toString(16)};`).join(""),
		],
		["HTML by numbers with zeros", secret.replace("/", "&#x0002F;").replace('"', "&#0034;")],
		["HTML by numbers without semicolons", secret.replace("/", "&#47").replace(" ", "&#X20")],
		["HTML in JSON", inner(secret).replace("+", "&#43;")],
		["JSON in HTML", inner(secret).replaceAll('"', "&quot;")],
		["HTML of percent-encoding", percent.replaceAll("%", "&#37;")],
		["with the backslash of a URL", secret.replace("\\", "/")],
		["base32", "OAXWCK3TEBZSE56DWZZGIJJXLR4A"],
		["base32 in lower case", "oaxwck3tebzse56dwzzgijjxlr4a"],
		["base32hex", "E0NM2ARJ41PI4TU3MPP6899NBHS0"],
	])("%s", (_name, text) => {
		expect(scrub(`before ${text} after`)).toBe("before [redacted] after");
		expect(scrub(text)).toBe("[redacted]");
	});

	test.each([0, 1, 2, 3, 4, 5])("base64 with %i bytes before it, whatever follows", (before) => {
		for (const after of ["", ":", "::", ":::"]) {
			const text = btoa("u".repeat(before) + binary(secret) + after);
			const url = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
			const head = btoa("u".repeat(before - (before % 3)));
			for (const form of [text, url, text.replaceAll("/", "\\/"), encodeURIComponent(text)]) {
				const scrubbed = scrub(`Basic ${form}`);
				expect(scrubbed).toMatch(/\[redacted\]/);
				expect(scrubbed.length).toBeLessThanOrEqual(`Basic ${head}[redacted]`.length + 12);
			}
		}
	});

	test.each([0, 1, 2, 3, 4, 5, 6])("base32 with %i bytes before it", (before) => {
		for (const alphabet of BASE32_ALPHABETS) {
			const bytes = new TextEncoder().encode(`${"u".repeat(before)}${secret}:tail`);
			const scrubbed = scrub(toBase32(bytes, alphabet));
			const [head = "", tail = ""] = scrubbed.split("[redacted]");
			expect(head.length).toBeLessThanOrEqual((before * 8) / 5);
			expect(tail.length).toBeLessThanOrEqual(("tail:".length * 8) / 5);
		}
	});

	test.each([
		["by MIME", 76, "\r\n"],
		["by PEM", 64, "\n"],
		["with an indent", 32, "\n    "],
		["in short lines", 16, "\n"],
	])("base64 broken into lines %s, also within JSON", (_name, width, lineBreak) => {
		const key = "k3y-".repeat(40);
		const { text } = createScrubber([key]);
		const encoded = btoa(`user:${key}:more`);
		const lines = encoded.match(new RegExp(`.{1,${width}}`, "g"))?.join(lineBreak) ?? "";
		for (const form of [lines, inner(lines), encodeURIComponent(lines)]) {
			const scrubbed = text(`a line before\n${form}\na line behind`);
			expect(scrubbed).toContain("a line before");
			expect(scrubbed).toContain("a line behind");
			expect(scrubbed.length).toBeLessThan(70);
		}
	});

	test.each([
		["in lower case", "Sk-Live.AbCdEf", "sk-live.abcdef"],
		["by IDNA", "Schlüssel-1", "xn--schlssel-1-deb"],
		["by IDNA's mappings", "ＡＢＣ１２３④", "abc1234"],
		["as an IPv4 address", "3232235777", "192.168.1.1"],
	])("the host of a URL, %s", (_name, value, host) => {
		expect(new URL(`https://${value}/`).hostname).toBe(host);
		expect(createScrubber([value]).text(`sent GET https://${host}/ to x.${host}.example`)).toBe(
			"sent GET https://[redacted]/ to x.[redacted].example",
		);
	});

	test("the credentials of Basic authentication lose the password and keep nothing of its bits", () => {
		const header = `Basic ${btoa("user:hunter2-hunter2")}`;
		expect(createScrubber(["hunter2-hunter2"]).text(header)).toBe("Basic dXNlcj[redacted]=");
	});
});

describe("several values", () => {
	test("the longer of two that begin alike is replaced whole", () => {
		const { text } = createScrubber(["secret", "secret-and-more"]);
		expect(text("secret-and-more, secret")).toBe("[redacted], [redacted]");
	});

	test("values that overlap leave nothing of either", () => {
		expect(createScrubber(["abcdefgh", "fghijklm"]).text("xabcdefghijklmx")).toBe("x[redacted]x");
	});

	test("the same value twice in a row leaves nothing between", () => {
		expect(createScrubber(["abcdefgh"]).text("abcdefghabcdefgh-")).toBe("[redacted]-");
	});
});

describe("values that are hard to tell from ordinary text", () => {
	test("values of fewer than four characters are not replaced", () => {
		expect(createScrubber(["", "a", "abc"]).text("a b abc")).toBe("a b abc");
	});

	test("values of four or five are replaced as whole words", () => {
		const { text, json } = createScrubber(["4821", "prod!"]);
		expect(text("pin 4821, not 14821 or 48210 or x4821")).toBe("pin [redacted], not 14821 or 48210 or x4821");
		expect(text("to=%204821%20")).toBe("to=%20[redacted]%20");
		expect(text("prod! prod!x")).toBe("[redacted] prod!x");
		expect(json({ pin: 4821, sum: 48210 })).toEqual({ pin: "[redacted]", sum: 48210 });
	});

	test("values of six and more are replaced inside words too", () => {
		expect(createScrubber(["s3cret"]).text("xs3cretx")).toBe("x[redacted]x");
	});

	test("values of fewer than eight are replaced in another case only as whole words", () => {
		const { text } = createScrubber(["Summer", "Prod"]);
		expect(text("Summertime in summer, MidSummer, midsummer; prod, products")).toBe(
			"[redacted]time in [redacted], Mid[redacted], midsummer; [redacted], products",
		);
		expect(text("https://summer.example/prod")).toBe("https://[redacted].example/[redacted]");
	});

	test("values of eight and more are replaced in any case", () => {
		expect(createScrubber(["SwordFish"]).text("swordfishes, SWORDFISH")).toBe("[redacted]es, [redacted]");
	});

	test("values that differ only in case are both replaced", () => {
		const { text } = createScrubber(["Secret", "sECRET", "secrets"]);
		expect(text("xSecretx xsECRETx xsecretx xsecretsx")).toBe(
			"x[redacted]x x[redacted]x xsecretx x[redacted]x",
		);
	});

	test("a longer value that does not count leaves the shorter one to be found", () => {
		const { text } = createScrubber(["SummerX", "summer"]);
		expect(text("summerxyz")).toBe("[redacted]xyz");
	});

	test("ordinary lines of text are not joined", () => {
		const { text } = createScrubber(["ab-cd-ef"]);
		expect(text("one ab-cd\n-ef two")).toBe("one ab-cd\n-ef two");
	});
});

describe("values as people paste them", () => {
	test("white space around them does not matter", () => {
		expect(createScrubber([" token-1234\n"]).text("Bearer token-1234;")).toBe("Bearer [redacted];");
	});

	test("each telling line of a key counts, so that output kept line by line is clean", () => {
		const lines = [
			"-----BEGIN KEY-----",
			"MIIEvQIBADANBgkqhkiG9w0BAQ",
			"c2VjcmV0IHNlY3JldCBzZWNy",
			"ab==",
			"-----END KEY-----",
		];
		const { json, text } = createScrubber([lines.join("\n")]);
		expect(json(lines)).toEqual([lines[0], "[redacted]", "[redacted]", "ab==", lines[4]]);
		expect(text(lines.join("\r\n"))).not.toContain("MIIE");
		expect(text(lines.join("\n"))).toBe("[redacted]");
	});
});

describe("JSON values", () => {
	test("strings, keys and numbers at any depth are scrubbed, the rest stays", () => {
		const { json } = createScrubber(["swordfish", "12345678"]);
		expect(json({ a: ["my swordfish", { "x-swordfish": null }], n: 12345678, ok: true, m: 7 })).toEqual({
			a: ["my [redacted]", { "x-[redacted]": null }],
			n: "[redacted]",
			ok: true,
			m: 7,
		});
	});

	test("keys that become alike stay apart", () => {
		const { json } = createScrubber(["swordfish", "catfish-1"]);
		expect(json({ swordfish: 1, "catfish-1": 2 })).toEqual({ "[redacted]": 1, "[redacted] 2": 2 });
	});
});

test("nothing changes when there are no values", () => {
	const value = { a: [1, "b"] };
	const { text, json } = createScrubber([]);
	expect(text("a")).toBe("a");
	expect(json(value)).toBe(value);
});

test("text without a value comes back as it was, with all its escapes", () => {
	const text = String.raw`{"a":"\u00e9\/\\","b":"100%25 %zz %","c":"\x"} + \ % &amp; &#x110000; &#0; &lt &#; &nbsp;`;
	expect(scrub(text)).toBe(text);
});
