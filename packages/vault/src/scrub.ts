import { createMatcher } from "./matcher.ts";
import { type Form, formsOf } from "./scrub-forms.ts";
import { type View, viewsOf } from "./scrub-views.ts";

const REDACTED = "[redacted]";

export type Scrubber = {
	text: (text: string) => string;
	/** Strings, keys and numbers at any depth; a number that holds a value becomes a string. */
	json: (value: unknown) => unknown;
};

/**
 * Replaces every written form of the given values by `[redacted]`: plain, percent- or form-encoded, JSON-escaped (these
 * also within one another, two layers deep, with any choice of escaped characters), hex, and base64 or base64url, also in
 * the middle of a longer base64 text (`user:secret`). Of a value of several lines each line of 16 characters or more counts
 * too. Overlapping forms become one.
 *
 * Values of 4 or 5 characters count in plain and escaped form, where no letter or digit stands beside them; shorter ones
 * are left alone, for they could not be told from ordinary text. Base64 that is broken into lines is not read through.
 * Time grows with the text, not with the number of values.
 */
export function createScrubber(values: readonly string[]): Scrubber {
	const forms = formsOf(values).map((form) => ({ ...form, text: folded(form.text) }));
	if (forms.length === 0) return { text: (text) => text, json: (value) => value };
	const match = createMatcher(forms);
	const text = (source: string): string => {
		const spans: Span[] = [];
		for (const view of viewsOf(source))
			match(folded(view.text), (start, form) => {
				if (counts(view.text, start, form)) add(spans, spanOf(view, start, form));
			});
		return spans.length === 0 ? source : replaced(source, spans);
	};
	return { text, json: (value) => scrubJson(value, text) };
}

type Span = { start: number; end: number };

/** Form-encoding writes a space as `+`; to take the two for one finds both, and costs a needless redaction at worst. */
const folded = (text: string): string => text.replaceAll("+", " ");

function counts(text: string, start: number, form: Form): boolean {
	if (!form.isWholeWord) return true;
	const beside = [text[start - 1], text[start + form.text.length]];
	return beside.every((char) => char === undefined || !/[\p{L}\p{N}]/u.test(char));
}

function spanOf({ text, starts }: View, start: number, form: Form): Span {
	const end = start + form.text.length;
	const isBase64 = (index: number): boolean => /^[\w+/-]$/.test(text[index] ?? "");
	const from = form.sharesLeft && isBase64(start - 1) ? start - 1 : start;
	const until = form.sharesRight && isBase64(end) ? end + 1 : end;
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
