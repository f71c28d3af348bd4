/**
 * A text with its escapes undone, and where each character stood before. `starts[i]` is the source index at which the
 * character `i` begins; one more entry holds the source's length.
 */
export type View = { text: string; starts: Int32Array };

/** Reads one escape: the code point it stands for and its length, as `length << 21 | codePoint`; 0 when it is none. */
type ReadEscape = (text: string, at: number) => number;

const CODE_BITS = 21;
const MAX_CODE = (1 << CODE_BITS) - 1;
const escapeOf = (length: number, codePoint: number): number => (length << CODE_BITS) | codePoint;

const MAX_LAYERS = 2;
/** Lines of encoded text that is broken into lines are at least so long: 64 in PEM, 76 in MIME. */
const MIN_ENCODED_LINE = 16;

/**
 * The text as it is and as it reads with JSON and percent escapes and HTML entities undone, in every order, two layers deep:
 * a secret inside JSON inside a query shows as itself in one of them, whichever characters its writer chose to escape.
 * Percent escapes become bytes, one character each. Each of these comes once more with the lines of base64 joined.
 */
export function viewsOf(text: string): View[] {
	const starts = new Int32Array(text.length + 1);
	for (let index = 0; index < starts.length; index++) starts[index] = index;
	const views: View[] = [{ text, starts }];
	const addNew = (found: (View | undefined)[]): View[] =>
		found.filter((view) => {
			if (view === undefined || views.some((known) => known.text === view.text)) return false;
			views.push(view);
			return true;
		}) as View[];
	let layer = views.slice();
	for (let depth = 0; depth < MAX_LAYERS; depth++)
		layer = addNew(
			layer.flatMap((view) => [
				undo(view, "\\", readBackslash),
				undo(view, "%", readPercent),
				undo(view, "&", readEntity),
			]),
		);
	addNew(views.map(joinLines));
	return views;
}

function undo(source: View, mark: string, readEscape: ReadEscape): View | undefined {
	const { text } = source;
	let at = text.indexOf(mark);
	while (at !== -1 && readEscape(text, at) === 0) at = text.indexOf(mark, at + 1);
	if (at === -1) return undefined;
	const units = new Uint16Array(text.length);
	const starts = new Int32Array(text.length + 1);
	let length = 0;
	for (let from = 0; from < text.length; ) {
		const until = at === -1 ? text.length : at;
		for (; from < until; from++) {
			starts[length] = source.starts[from] ?? 0;
			units[length++] = text.charCodeAt(from);
		}
		if (at === -1) break;
		const read = readEscape(text, at);
		const codePoint = read === 0 ? text.charCodeAt(at) : read & MAX_CODE;
		if (codePoint > 0xffff) {
			starts[length] = source.starts[at] ?? 0;
			units[length++] = 0xd800 + ((codePoint - 0x10000) >> 10);
		}
		starts[length] = source.starts[at] ?? 0;
		units[length++] = codePoint > 0xffff ? 0xdc00 + (codePoint & 0x3ff) : codePoint;
		from = at + (read === 0 ? 1 : read >>> CODE_BITS);
		at = text.indexOf(mark, from);
	}
	starts[length] = source.starts[text.length] ?? 0;
	return { text: fromUnits(units.subarray(0, length)), starts: starts.subarray(0, length + 1) };
}

const BACKSLASHED: ReadonlyMap<number, number> = new Map(
	["b\b", "f\f", "n\n", "r\r", "t\t", '""', "\\\\", "//", "''"].map(([letter = "", meant = ""]) => [
		letter.charCodeAt(0),
		meant.charCodeAt(0),
	]),
);
const LETTER_U = 0x75;
const LETTER_X = 0x78;

/** The escapes of JSON, and those that other writers add: `\/`, `\'`, `\xHH`. */
function readBackslash(text: string, at: number): number {
	const letter = text.charCodeAt(at + 1);
	if (letter === LETTER_U) return readHex(text, at, 2, 4);
	if (letter === LETTER_X) return readHex(text, at, 2, 2);
	const unit = BACKSLASHED.get(letter);
	return unit === undefined ? 0 : escapeOf(2, unit);
}

const readPercent = (text: string, at: number): number => readHex(text, at, 1, 2);

function readHex(text: string, at: number, skip: number, digits: number): number {
	let unit = 0;
	for (let index = at + skip; index < at + skip + digits; index++) {
		const digit = hexDigit(text.charCodeAt(index));
		if (digit === -1) return 0;
		unit = unit * 16 + digit;
	}
	return escapeOf(skip + digits, unit);
}

const ENTITIES: ReadonlyMap<string, number> = new Map(
	Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }).map(([name, meant]) => [
		name,
		meant.charCodeAt(0),
	]),
);
const ENTITY = /&(?:#x([\da-f]{1,8})|#(\d{1,10})|(amp|lt|gt|quot|apos)(?=;));?/iy;

/** Reads the five names that XML has, and any number. Browsers read a number without its semicolon, too. */
function readEntity(text: string, at: number): number {
	ENTITY.lastIndex = at;
	const [source, hex, decimal, name = ""] = ENTITY.exec(text) ?? [];
	if (source === undefined) return 0;
	const codePoint = hex
		? Number.parseInt(hex, 16)
		: decimal
			? Number(decimal)
			: ENTITIES.get(name.toLowerCase());
	return codePoint === undefined || codePoint > 0x10ffff ? 0 : escapeOf(source.length, codePoint);
}

/** Removes line breaks, and the white space behind them, between the lines of encoded text. */
function joinLines({ text, starts }: View): View | undefined {
	let joined = "";
	const kept: Int32Array[] = [];
	let from = 0;
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
		const end = text[at - 1] === "\r" ? at - 1 : at;
		if (!endsEncodedLine(text, end)) continue;
		let next = at + 1;
		while (text[next] === " " || text[next] === "\t") next++;
		if (!isEncoded(text.charCodeAt(next))) continue;
		joined += text.slice(from, end);
		kept.push(starts.subarray(from, end));
		from = next;
	}
	if (kept.length === 0) return undefined;
	joined += text.slice(from);
	kept.push(starts.subarray(from));
	const joinedStarts = new Int32Array(joined.length + 1);
	let length = 0;
	for (const part of kept) {
		joinedStarts.set(part, length);
		length += part.length;
	}
	return { text: joined, starts: joinedStarts };
}

function endsEncodedLine(text: string, end: number): boolean {
	for (let index = end - MIN_ENCODED_LINE; index < end; index++)
		if (!isEncoded(text.charCodeAt(index))) return false;
	return true;
}

/** A character of base64 or base64url, and so of base32 and hex. */
const isEncoded = (code: number): boolean =>
	(code >= 0x30 && code <= 0x39) ||
	((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ||
	code === 0x2b ||
	code === 0x2d ||
	code === 0x2f ||
	code === 0x5f;

/** -1 for anything else, also past the end of a text, where the code is NaN. */
function hexDigit(code: number): number {
	if (code >= 0x30 && code <= 0x39) return code - 0x30;
	const lower = code | 0x20;
	return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** In slices, since arguments are limited in number. */
function fromUnits(units: Uint16Array): string {
	let text = "";
	for (let at = 0; at < units.length; at += 8_192)
		text += Reflect.apply(String.fromCharCode, undefined, units.subarray(at, at + 8_192));
	return text;
}
