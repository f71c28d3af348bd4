import fc from "fast-check";
import { expect, test } from "vitest";
import { checkUrl } from "./address.ts";
import { EgressError, type EgressErrorCode } from "./egress-error.ts";

const refusal = (url: string, rules = {}): EgressErrorCode | "allowed" => {
	try {
		checkUrl(url, rules);
		return "allowed";
	} catch (error) {
		if (error instanceof EgressError) return error.code;
		throw error;
	}
};

const PRIVATE_BLOCKS: [base: number, prefix: number][] = [
	[0x00000000, 8],
	[0x0a000000, 8],
	[0x64400000, 10],
	[0x7f000000, 8],
	[0xa9fe0000, 16],
	[0xac100000, 12],
	[0xc0000000, 24],
	[0xc0a80000, 16],
	[0xc6120000, 15],
	[0xe0000000, 4],
	[0xf0000000, 4],
];

const privateAddress = fc
	.tuple(fc.constantFrom(...PRIVATE_BLOCKS), fc.nat(0xffffffff))
	.map(([[base, prefix], random]) => (base + (random % 2 ** (32 - prefix))) >>> 0);

const octets = (ip: number): number[] => [ip >>> 24, (ip >>> 16) & 255, (ip >>> 8) & 255, ip & 255];
const numeral = (value: number, base: 8 | 10 | 16): string =>
	({ 8: `0${value.toString(8)}`, 10: String(value), 16: `0x${value.toString(16)}` })[base];
const base = fc.constantFrom<8 | 10 | 16>(8, 10, 16);

/** Every way the URL standard reads an IPv4 address: one to four parts, the last one filling up, each in any base. */
const ipv4Notation = fc
	.tuple(privateAddress, fc.integer({ min: 1, max: 4 }), fc.tuple(base, base, base, base))
	.map(([ip, parts, bases]) => {
		const leading = octets(ip).slice(0, parts - 1);
		const last = ip % 2 ** (8 * (5 - parts));
		return [...leading, last].map((value, index) => numeral(value, bases[index]!)).join(".");
	});

const hex = (value: number): string => value.toString(16);
const ipv6Notation = fc
	.tuple(
		privateAddress,
		fc.constantFrom("::", "::ffff:", "::ffff:0:", "64:ff9b::", "2002:", "2001:0:"),
		fc.boolean(),
	)
	.map(([ip, prefix, isDotted]) => {
		const words = `${hex(ip >>> 16)}:${hex(ip & 0xffff)}`;
		if (prefix === "2002:") return `[2002:${words}::1]`;
		if (prefix === "2001:0:") return `[2001:0:1:2:3:4:${words}]`;
		return `[${prefix}${isDotted ? octets(ip).join(".") : words}]`;
	});

/** Generates addresses in spellings that host parsing normalises: other digits and dots, percent-encoding, a final dot. */
const disguised = ipv4Notation.chain((text) =>
	fc
		.tuple(
			fc.array(fc.constantFrom("plain", "wide", "percent"), {
				minLength: text.length,
				maxLength: text.length,
			}),
			fc.boolean(),
		)
		.map(
			([styles, hasFinalDot]) =>
				Array.from(text, (char, index) => {
					if (styles[index] === "percent") return `%${hex(char.charCodeAt(0))}`;
					if (styles[index] === "wide" && char !== ".")
						return String.fromCharCode(char.charCodeAt(0) + 0xfee0);
					return char;
				}).join("") + (hasFinalDot ? "." : ""),
		),
);

test("no private IPv4 address passes in any notation", () => {
	fc.assert(
		fc.property(fc.oneof(ipv4Notation, disguised, ipv6Notation), (host) => {
			expect(refusal(`https://${host}/`), host).toBe("blocked_address");
		}),
		{ numRuns: 2_000 },
	);
});

test("allowLoopback permits loopback and no other private address", () => {
	fc.assert(
		fc.property(ipv4Notation, (host) => {
			const isLoopback = new URL(`http://${host}/`).hostname.startsWith("127.");
			expect(refusal(`http://${host}/`, { allowLoopback: true })).toBe(
				isLoopback ? "allowed" : "blocked_address",
			);
		}),
	);
});

/** The letters of a path in either case, each percent-encoded up to three times over or not at all. */
const disguisedPath = (path: string) =>
	fc
		.array(fc.tuple(fc.boolean(), fc.nat(3)), { minLength: path.length, maxLength: path.length })
		.map((styles) =>
			Array.from(path, (char, index) => {
				const [isUpper, layers] = styles[index] ?? [false, 0];
				const letter = isUpper ? char.toUpperCase() : char;
				const percents = "25".repeat(Math.max(0, layers - 1));
				return layers === 0 ? letter : `%${percents}${hex(letter.charCodeAt(0))}`;
			}).join(""),
		);

test("no spelling of a path below /cdn-cgi/ passes", () => {
	fc.assert(
		fc.property(
			fc.constantFrom("cdn-cgi/x", "./cdn-cgi/x", "a/../cdn-cgi/x").chain(disguisedPath),
			(path) => {
				expect(refusal(`https://example.com/${path}`), path).toBe("blocked_address");
			},
		),
		{ numRuns: 2_000 },
	);
});

test("no notation of loopback passes with a port of the stack's own", () => {
	fc.assert(
		fc.property(fc.oneof(ipv4Notation, disguised), (host) => {
			const rules = { allowLoopback: true, ownPorts: new Set([8787]) };
			expect(refusal(`http://${host}:8787/`, rules), host).toBe("blocked_address");
		}),
	);
});

test("a URL that passes keeps its host when it is parsed again", () => {
	fc.assert(
		fc.property(fc.webUrl({ validSchemes: ["https"], withQueryParameters: true }), (text) => {
			if (refusal(text) !== "allowed") return;
			const url = checkUrl(text);
			expect(checkUrl(url.href).host).toBe(url.host);
		}),
	);
});
