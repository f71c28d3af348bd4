import { base64ToUrl, toBase64 } from "./base64.ts";

/** One written form of a value. */
export type Form = {
	text: string;
	/** Counts only where no letter or digit stands beside it. */
	isWholeWord: boolean;
	/** The base64 characters beside it hold some of the value's bits. */
	sharesLeft: boolean;
	sharesRight: boolean;
};

const MIN_LENGTH = 4;
const MIN_LENGTH_INSIDE_WORDS = 6;
const MIN_LINE_LENGTH = 16;

/** All forms of all values, each once. */
export function formsOf(values: readonly string[]): Form[] {
	const forms = new Map<string, Form>();
	for (const value of values.flatMap(withLines)) {
		for (const form of formsOfValue(value)) {
			const known = forms.get(form.text);
			if (known) known.isWholeWord &&= form.isWholeWord;
			else forms.set(form.text, form);
		}
	}
	return [...forms.values()];
}

/** Output is often kept line by line, and white space around a value is lost in headers: both stay recognisable. */
function withLines(value: string): string[] {
	const lines = value.split(/\r?\n/).map((line) => line.trim());
	const isTelling = (line: string): boolean => line.length >= MIN_LINE_LENGTH && !line.startsWith("-----");
	return [...new Set([value, value.trim(), ...(lines.length > 1 ? lines.filter(isTelling) : [])])];
}

function formsOfValue(value: string): Form[] {
	if (value.length < MIN_LENGTH) return [];
	const bytes = utf8(value);
	const isWholeWord = value.length < MIN_LENGTH_INSIDE_WORDS;
	const plain = [value, latin1(bytes)].map((text) => whole(text, isWholeWord));
	if (isWholeWord) return plain;
	// Within base64 and hex no view undoes escapes, so the escaped spellings count as values there.
	const spellings = [value, JSON.stringify(value).slice(1, -1), percentEncoded(value), formEncoded(value)];
	const packed = [...new Set(spellings)]
		.map(utf8)
		.flatMap((spelling) => [
			...hexForms(spelling),
			...[0, 1, 2].flatMap((offset) => base64Forms(spelling, offset)),
		]);
	return [...plain, ...packed];
}

const whole = (text: string, isWholeWord = false): Form => ({
	text,
	isWholeWord,
	sharesLeft: false,
	sharesRight: false,
});

function hexForms(bytes: Uint8Array): Form[] {
	const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
	return [whole(hex), whole(hex.toUpperCase())];
}

/** The characters that are the value's alone when `offset` bytes (mod 3) stand before it in the encoded text. */
function base64Forms(bytes: Uint8Array, offset: number): Form[] {
	const padded = new Uint8Array(offset + bytes.byteLength);
	padded.set(bytes, offset);
	const bits = padded.byteLength * 8;
	const text = toBase64(padded).slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
	const form = { isWholeWord: false, sharesLeft: offset > 0, sharesRight: bits % 6 > 0 };
	return [
		{ ...form, text },
		{ ...form, text: base64ToUrl(text) },
	];
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One character a byte, as percent-decoding gives them. */
const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const formEncoded = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);
