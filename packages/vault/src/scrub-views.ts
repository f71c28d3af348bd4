/**
 * A text with its escapes undone, and where each character stood before. `starts[i]` is the source index at which the
 * character `i` begins; one more entry holds the source's length.
 */
export type View = { text: string; starts: Int32Array };

/** Reads one escape: the character it stands for and its length, as `length << 16 | unit`; 0 when it is none. */
type ReadEscape = (text: string, at: number) => number;

const MAX_LAYERS = 2;

/**
 * The text as it is and as it reads with JSON and percent escapes undone, in every order, two layers deep: a secret inside
 * JSON inside a query shows as itself in one of them, whichever characters its writer chose to escape. Percent escapes
 * become bytes, one character each.
 */
export function viewsOf(text: string): View[] {
	const starts = new Int32Array(text.length + 1);
	for (let index = 0; index < starts.length; index++) starts[index] = index;
	const views: View[] = [{ text, starts }];
	let layer = views;
	for (let depth = 0; depth < MAX_LAYERS; depth++) {
		layer = layer
			.flatMap((view) => [undo(view, "\\", readBackslash), undo(view, "%", readPercent)])
			.filter((view) => view !== undefined);
		for (const view of layer) if (views.every((known) => known.text !== view.text)) views.push(view);
	}
	return views;
}

function undo(source: View, mark: string, readEscape: ReadEscape): View | undefined {
	const { text } = source;
	let at = text.indexOf(mark);
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
		starts[length] = source.starts[at] ?? 0;
		units[length++] = read === 0 ? text.charCodeAt(at) : read & 0xffff;
		from = at + (read === 0 ? 1 : read >>> 16);
		at = text.indexOf(mark, from);
	}
	if (length === text.length) return undefined;
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
	return unit === undefined ? 0 : (2 << 16) | unit;
}

const readPercent = (text: string, at: number): number => readHex(text, at, 1, 2);

function readHex(text: string, at: number, skip: number, digits: number): number {
	let unit = 0;
	for (let index = at + skip; index < at + skip + digits; index++) {
		const digit = hexDigit(text.charCodeAt(index));
		if (digit === -1) return 0;
		unit = unit * 16 + digit;
	}
	return ((skip + digits) << 16) | unit;
}

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
