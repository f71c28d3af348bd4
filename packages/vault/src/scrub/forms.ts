import { base64ToUrl, toBase64 } from "@parley/bytes/base64";
import { toHex } from "@parley/bytes/hex";
import { BASE32_ALPHABETS, toBase32 } from "./base32.ts";
import { folded, foldSeparators } from "./fold.ts";

/** One written form of a value, or several that differ in case alone. */
export type Form = {
	/** Folded, as the matcher finds it. */
	text: string;
	/** Spellings with their own case, separators folded. */
	spellings: Set<string>;
	/** Counts only where no letter or digit stands beside it. */
	isWholeWord: boolean;
	/** In another case than its spellings', counts only where no letter or digit stands beside it. */
	isFoldedWord: boolean;
	/** The base64 or base32 characters beside it hold some of the value's bits. */
	sharesLeft: boolean;
	sharesRight: boolean;
};

type Spelling = Omit<Form, "text" | "spellings"> & { spelling: string };

const MIN_LENGTH = 4;
const MIN_LENGTH_INSIDE_WORDS = 6;
const MIN_LENGTH_IN_ANY_CASE = 8;
const MIN_LINE_LENGTH = 16;
const MAX_HOST_LENGTH = 253;

/** All forms of all values, each once. */
export function formsOf(values: readonly string[]): Form[] {
	const forms = new Map<string, Form>();
	for (const { spelling, ...traits } of values.flatMap(withLines).flatMap(spellingsOf)) {
		const text = folded(spelling);
		const known = forms.get(text) ?? { ...traits, text, spellings: new Set() };
		known.spellings.add(foldSeparators(spelling));
		known.isWholeWord &&= traits.isWholeWord;
		known.isFoldedWord &&= traits.isFoldedWord;
		known.sharesLeft ||= traits.sharesLeft;
		known.sharesRight ||= traits.sharesRight;
		forms.set(text, known);
	}
	return [...forms.values()];
}

/** Output is often kept line by line, and white space around a value is lost in headers: both stay recognisable. */
function withLines(value: string): string[] {
	const lines = value.split(/\r?\n/).map((line) => line.trim());
	const isTelling = (line: string): boolean => line.length >= MIN_LINE_LENGTH && !line.startsWith("-----");
	return [...new Set([value, value.trim(), ...(lines.length > 1 ? lines.filter(isTelling) : [])])];
}

function spellingsOf(value: string): Spelling[] {
	if (value.length < MIN_LENGTH) return [];
	const bytes = utf8(value);
	const plain = [value, latin1(bytes), ...hostsOf(value)].map((spelling) =>
		spelled({ spelling, isWholeWord: spelling.length < MIN_LENGTH_INSIDE_WORDS }),
	);
	if (value.length < MIN_LENGTH_INSIDE_WORDS) return plain;
	// Within hex and base64 no view undoes escapes, so the escaped spellings count as values there.
	const escaped = [value, JSON.stringify(value).slice(1, -1), percentEncoded(value), formEncoded(value)];
	const packed = [...new Set(escaped)]
		.map(utf8)
		.flatMap((source) => [
			...hexSpellings(source),
			...[0, 1, 2].flatMap((offset) => base64Spellings(source, offset)),
		])
		.concat([0, 1, 2, 3, 4].flatMap((offset) => base32Spellings(bytes, offset)));
	return [...plain, ...packed.map(spelled)];
}

type Part = { spelling: string; isWholeWord?: boolean; sharesLeft?: boolean; sharesRight?: boolean };

const spelled = (part: Part): Spelling => ({
	isWholeWord: false,
	isFoldedWord: part.spelling.length < MIN_LENGTH_IN_ANY_CASE,
	sharesLeft: false,
	sharesRight: false,
	...part,
});

/**
 * Returns what the URL parser makes of a value in a host, where that differs by more than case: a name by IDNA, a number as
 * an IPv4 address.
 */
function hostsOf(value: string): string[] {
	if (value.length > MAX_HOST_LENGTH) return [];
	const encoded = percentEncoded(value);
	const label = URL.parse(`https://${encoded}.example/`)?.hostname.replace(/\.example$/, "");
	const host = URL.parse(`https://${encoded}/`)?.hostname;
	return [label, host].filter(
		(text) => text !== undefined && text.length >= MIN_LENGTH && text !== folded(value),
	) as string[];
}

function hexSpellings(bytes: Uint8Array): Part[] {
	const spelling = toHex(bytes);
	return [{ spelling }, { spelling: spelling.toUpperCase() }];
}

/** Returns the characters that are the value's alone when `offset` bytes (mod 3) stand before it in the encoded text. */
function base64Spellings(bytes: Uint8Array, offset: number): Part[] {
	const { spelling, ...shares } = ownCharacters(
		toBase64(shifted(bytes, offset)),
		bytes.byteLength,
		offset,
		6,
	);
	return [spelling, base64ToUrl(spelling)].map((text) => ({ ...shares, spelling: text }));
}

/** Likewise, with `offset` mod 5. */
function base32Spellings(bytes: Uint8Array, offset: number): Part[] {
	const source = shifted(bytes, offset);
	return BASE32_ALPHABETS.map((alphabet) =>
		ownCharacters(toBase32(source, alphabet), bytes.byteLength, offset, 5),
	);
}

function shifted(bytes: Uint8Array, offset: number): Uint8Array {
	const padded = new Uint8Array(offset + bytes.byteLength);
	padded.set(bytes, offset);
	return padded;
}

function ownCharacters(text: string, length: number, offset: number, bitsPerCharacter: number): Part {
	const before = offset * 8;
	const until = before + length * 8;
	return {
		spelling: text.slice(Math.ceil(before / bitsPerCharacter), Math.floor(until / bitsPerCharacter)),
		sharesLeft: before % bitsPerCharacter > 0,
		sharesRight: until % bitsPerCharacter > 0,
	};
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One character a byte, as percent-decoding gives them. */
const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const formEncoded = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);
