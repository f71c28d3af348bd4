import fc from "fast-check";
import { expect, test } from "vitest";
import { folded } from "./fold.ts";
import { createScrubber } from "./scrub.ts";

/** `[redacted]` itself must hold no part of a value, or what remains would look like a leak. */
const secret = fc
	.oneof(
		fc.string({ unit: "grapheme-ascii", minLength: 6, maxLength: 60 }),
		fc.string({ unit: "grapheme", minLength: 6, maxLength: 30 }),
		fc.base64String({ minLength: 8, maxLength: 80 }),
	)
	.filter(
		(text) => text.isWellFormed() && text.trim().length >= 6 && !/[[\]]|redact|edacte|dacted/.test(text),
	);
const noise = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.string(),
	fc.constantFrom("%", "\\", "%2", "\\u00", "+", "="),
);

const utf8 = (text: string) => new TextEncoder().encode(text);
const binary = (text: string) => Array.from(utf8(text), (byte) => String.fromCharCode(byte)).join("");
const inner = (text: string) => JSON.stringify(text).slice(1, -1);
const escaped = (text: string) =>
	Array.from(
		{ length: text.length },
		(_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
	).join("");
const hex = (text: string) => Array.from(utf8(text), (byte) => byte.toString(16).padStart(2, "0")).join("");

const asciiLower = (text: string) => text.replaceAll(/[A-Z]/g, (char) => char.toLowerCase());
const NAMED: Record<string, string> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&apos;",
};
const htmlNamed = (text: string) => text.replaceAll(/[&<>"']/g, (char) => NAMED[char] ?? char);

function base32(bytes: Uint8Array): string {
	const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
	return (bits.match(/.{1,5}/g) ?? [])
		.map((group) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(group.padEnd(5, "0"), 2)])
		.join("");
}

/** Written independently of the scrubber. Each is text that whoever reads it can turn back into the value. */
const encodings: Record<string, (text: string) => string> = {
	plain: (text) => text,
	percent: encodeURIComponent,
	"percent lower": (text) => encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
	"percent all": (text) => hex(text).replaceAll(/../g, "%$&"),
	form: (text) => new URLSearchParams({ v: text }).toString().slice(2),
	json: inner,
	"json slash": (text) => inner(text).replaceAll("/", "\\/"),
	"json ascii": (text) => inner(text).replaceAll(/[\x7f-\uffff]/g, escaped),
	"json escapes": escaped,
	"json in json": (text) => inner(inner(text)),
	"percent in json": (text) => inner(encodeURIComponent(text)),
	"json in percent": (text) => encodeURIComponent(inner(text)),
	hex,
	"hex upper": (text) => hex(text).toUpperCase(),
	lower: asciiLower,
	"html named": htmlNamed,
	"html decimal": (text) => Array.from(text, (char) => `&#${char.codePointAt(0)};`).join(""),
	"html hex": (text) => Array.from(text, (char) => `&#x${char.codePointAt(0)?.toString(16)};`).join(""),
	"html in json": (text) => inner(htmlNamed(text)),
	"json in html": (text) => htmlNamed(inner(text)),
	base32: (text) => base32(utf8(text)),
	"base32 lower": (text) => base32(utf8(text)).toLowerCase(),
	"base64 in lines": (text) => (btoa(binary(text)).match(/.{1,16}/g) ?? []).join("\r\n"),
};

test("a value in any encoding between any texts is gone, and only it", () => {
	const encoding = fc.constantFrom(...Object.keys(encodings));
	fc.assert(
		fc.property(secret, encoding, noise, noise, (value, name, before, after) => {
			const form = encodings[name]?.(value) ?? "";
			fc.pre(!`${before}|`.includes(form) && !`|${after}`.includes(form));
			const scrubbed = createScrubber([value]).text(`${before}|${form}|${after}`);
			expect(scrubbed).not.toContain(form);
			expect(scrubbed).toContain("[redacted]");
		}),
		{ numRuns: 1_000 },
	);
});

test("base64 around a value tells none of its bytes, at any offset and in both alphabets", () => {
	fc.assert(
		fc.property(
			secret,
			fc.string({ maxLength: 9 }),
			fc.string({ maxLength: 9 }),
			fc.boolean(),
			(value, user, tail, isUrl) => {
				const standard = btoa(binary(`${user}:${value}${tail}`));
				const text = isUrl
					? standard.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
					: standard;
				const scrubbed = createScrubber([value]).text(text);
				const [head = "", ...tails] = scrubbed.split("[redacted]");
				expect(tails.length).toBeGreaterThan(0);
				// What stands left of the redaction decodes to the user's bytes at most.
				const left = utf8(`${user}:`).byteLength;
				expect(head.length).toBeLessThanOrEqual(Math.floor((left * 8) / 6));
				const right = utf8(tail).byteLength;
				expect((tails.at(-1) ?? "").replaceAll("=", "").length).toBeLessThanOrEqual(
					Math.ceil((right * 8) / 6),
				);
			},
		),
		{ numRuns: 1_000 },
	);
});

test("base32 around a value tells none of its bytes, at any offset", () => {
	fc.assert(
		fc.property(secret, fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (value, before, after) => {
			const [head = "", ...tails] = createScrubber([value])
				.text(base32(utf8(before + value + after)))
				.split("[redacted]");
			expect(tails.length).toBeGreaterThan(0);
			expect(head.length).toBeLessThanOrEqual(Math.floor((utf8(before).byteLength * 8) / 5));
			expect((tails.at(-1) ?? "").length).toBeLessThanOrEqual(Math.ceil((utf8(after).byteLength * 8) / 5));
		}),
	);
});

test("a value in the host of a URL is gone when the URL is parsed", () => {
	const label = fc.string({ unit: fc.constantFrom(..."aBcDeZ019ÄößΣç漢"), minLength: 6, maxLength: 20 });
	fc.assert(
		fc.property(label, (value) => {
			const url = URL.parse(`https://${value}.example/path`);
			fc.pre(url !== null);
			expect(createScrubber([value]).text(url?.href ?? "")).toBe("https://[redacted].example/path");
		}),
	);
});

test("a short value takes nothing from words that hold its letters in another case", () => {
	const word = fc.string({ unit: fc.constantFrom(..."abcdefghij"), minLength: 4, maxLength: 7 });
	fc.assert(
		fc.property(word, word, (value, other) => {
			const text = `${other}${value}${other} ${other.toUpperCase()}`;
			fc.pre(!text.includes(value.toUpperCase()) && !other.toUpperCase().includes(value.toUpperCase()));
			expect(createScrubber([value.toUpperCase()]).text(text)).toBe(text);
		}),
	);
});

test("folding keeps the length of every text", () => {
	const around = (char: string) => [char, `a${char}`, `a${char}b`, `${char}\u0301`];
	const texts = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).flatMap(around);
	expect(texts.filter((text) => folded(text).length !== text.length)).toEqual([]);
	fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => folded(text).length === text.length));
});

test("no value is left anywhere in a JSON value", () => {
	fc.assert(
		fc.property(fc.array(secret, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (values, other) => {
			const json = { [`key ${values[0]}`]: other, list: values.map((value) => ({ text: `a|${value}|b` })) };
			const scrubbed = JSON.stringify(createScrubber(values).json(json));
			for (const value of values) {
				fc.pre(!JSON.stringify([other, "key list text"]).includes(value.trim()));
				expect(scrubbed).not.toContain(inner(value));
			}
		}),
	);
});

test("scrubbing twice is scrubbing once", () => {
	fc.assert(
		fc.property(secret, noise, (value, text) => {
			const scrub = createScrubber([value]).text;
			const once = scrub(`${text}${value}${text}${encodeURIComponent(value)}`);
			expect(scrub(once)).toBe(once);
		}),
	);
});

test("a text is scrubbed as its lone occurrences would be, however large it is", () => {
	const values = Array.from(
		{ length: 50 },
		(_, index) => `sk_live_${crypto.randomUUID()}${index % 5 ? "" : ' "/+é'}`,
	);
	const { text } = createScrubber(values);
	const filler = "an ordinary line of a log, about 64 characters with its end....\n".repeat(64);
	const source = Array.from({ length: 256 }, (_, index) => filler + inner(values[index % 50] ?? "")).join("");
	expect(source.length).toBeGreaterThan(2 ** 20);
	expect(text(source)).toBe(Array.from({ length: 256 }, () => `${filler}[redacted]`).join(""));
});

test("values made to look alike for thousands of characters cost no more than others", () => {
	const values = Array.from({ length: 50 }, (_, index) => `${"a".repeat(9_990)}b${index}`);
	const { text } = createScrubber(values);
	const source = "a".repeat(2 ** 20);
	expect(text(source)).toBe(source);
	expect(text(`${source}b7`)).toBe(`${"a".repeat(2 ** 20 - 9_990)}[redacted]`);
});
