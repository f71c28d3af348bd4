import { folded, foldSeparators } from "./fold.ts";
import { type Form, formsOf } from "./forms.ts";
import { createMatcher } from "./matcher.ts";
import { type View, viewsOf } from "./views.ts";

const REDACTED = "[redacted]";

export type Scrubber = {
	text: (text: string) => string;
	/** Strings, keys and numbers at any depth; a number that holds a value becomes a string. */
	json: (value: unknown) => unknown;
};

/**
 * Replaces every written form of the given values by `[redacted]`:
 *
 * - plain, percent- or form-encoded, JSON-escaped or with HTML entities; also within one another, two layers deep, with any
 *   choice of escaped characters;
 * - as the URL parser writes a host: in lower case, by IDNA, a number as an IPv4 address;
 * - hex, base32 and base64 in all alphabets of RFC 4648, also in the middle of a longer encoded text (`user:secret`), and
 *   broken into lines of 16 characters or more.
 *
 * Of a value of several lines each line of 16 characters or more counts too. Overlapping forms become one.
 *
 * Values of 8 characters and more count in any case. Shorter ones could not be told from ordinary text: those of 6 or 7
 * count in another case only where no letter or digit stands beside them, those of 4 or 5 nowhere else, in plain and escaped
 * form alone, and those below 4 are left alone.
 *
 * Not found are: other encodings (base58, base85, UTF-16, compressed, encrypted, reversed), an encoding of an encoding, text
 * taken apart (by separators, quotes, or into several fields), IDNA of a host's label that holds more than the value, and
 * what a URL loses when it is parsed. Whoever may choose an encoding can always choose another one.
 *
 * Time grows with the text, not with the number of values.
 */
export function createScrubber(values: readonly string[]): Scrubber {
	const forms = formsOf(values);
	if (forms.length === 0) return { text: (text) => text, json: (value) => value };
	const match = createMatcher(forms);
	const text = (source: string): string => {
		const spans: Span[] = [];
		for (const view of viewsOf(source))
			match(folded(view.text), (start, form) => {
				if (!counts(view.text, start, form)) return false;
				add(spans, spanOf(view, start, form));
				return true;
			});
		return spans.length === 0 ? source : replaced(source, spans);
	};
	return { text, json: (value) => scrubJson(value, text) };
}

type Span = { start: number; end: number };

function counts(text: string, start: number, form: Form): boolean {
	const end = start + form.text.length;
	const isInOwnCase = !form.isFoldedWord || form.spellings.has(foldSeparators(text.slice(start, end)));
	if (isInOwnCase && !form.isWholeWord) return true;
	return [text[start - 1], text[end]].every((char) => char === undefined || !/[\p{L}\p{N}]/u.test(char));
}

function spanOf({ text, starts }: View, start: number, form: Form): Span {
	const end = start + form.text.length;
	const isEncoded = (index: number): boolean => /^[\w+/-]$/.test(text[index] ?? "");
	const from = form.sharesLeft && isEncoded(start - 1) ? start - 1 : start;
	const until = form.sharesRight && isEncoded(end) ? end + 1 : end;
	return { start: starts[from] ?? 0, end: starts[until] ?? 0 };
}

/** Matches of one view come in order, so that most overlaps end here. */
function add(spans: Span[], span: Span): void {
	const last = spans.at(-1);
	if (last && span.start >= last.start && span.start <= last.end) last.end = Math.max(last.end, span.end);
	else spans.push(span);
}

function replaced(source: string, spans: Span[]): string {
	const merged: Span[] = [];
	for (const span of spans.sort((a, b) => a.start - b.start)) add(merged, span);
	let text = "";
	let done = 0;
	for (const { start, end } of merged) {
		text += source.slice(done, start) + REDACTED;
		done = end;
	}
	return text + source.slice(done);
}

function scrubJson(value: unknown, text: (text: string) => string): unknown {
	if (typeof value === "string") return text(value);
	if (typeof value === "number") return text(String(value)) === String(value) ? value : REDACTED;
	if (Array.isArray(value)) return value.map((item) => scrubJson(item, text));
	if (typeof value !== "object" || value === null) return value;
	const members = new Map<string, unknown>();
	for (const [key, member] of Object.entries(value)) {
		const scrubbed = text(key);
		let unique = scrubbed;
		for (let count = 2; members.has(unique); count++) unique = `${scrubbed} ${count}`;
		members.set(unique, scrubJson(member, text));
	}
	return Object.fromEntries(members);
}
