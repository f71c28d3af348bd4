import { cleanWord, joinWords, needsSpace, type TimedWord, textLength } from "./words.ts";

export type SubtitleOptions = {
	/** Maximum characters per line. A single longer word gets a line of its own. */
	maxLineLength?: number;
	maxLines?: number;
	maxDurationSeconds?: number;
	minDurationSeconds?: number;
	/** Reading speed. A cue stays longer than its words are spoken, as far as the next cue leaves room. */
	maxCharactersPerSecond?: number;
	/** Silence that ends a cue. */
	pauseSeconds?: number;
	/** Length of the recording. No cue ends later. */
	audioSeconds?: number;
};

/** A subtitle with wrapped, balanced lines; times in seconds. `label` is set where the speaker changes, if there are several. */
export type Cue = { start: number; end: number; lines: string[]; speaker?: string; label?: string };

const DEFAULTS: Required<SubtitleOptions> = {
	maxLineLength: 37,
	maxLines: 2,
	maxDurationSeconds: 7,
	minDurationSeconds: 1,
	maxCharactersPerSecond: 17,
	pauseSeconds: 0.8,
	audioSeconds: Number.POSITIVE_INFINITY,
};

/** Gap between a cue that stays longer than its words and the next cue. */
const GAP_AFTER_EXTENDED_MS = 40;
const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/u;
/** Maximum number of words to balance over lines. More would take too long. */
const MAX_BALANCED_WORDS = 200;

type Group = {
	texts: string[];
	startSeconds: number;
	endSeconds: number;
	speaker: string | undefined;
	label: string | undefined;
};

/**
 * Divides words, which come in time order, into cues. A cue ends at a pause, a sentence end or a change of speaker, and before
 * it would need more than `maxLines` lines or `maxDurationSeconds`.
 *
 * Every word appears exactly once, and cues are ordered by their start. Each channel has its own cues. Cues of one channel never
 * overlap; those of two channels may, where both speak at once.
 */
export function cuesFromWords(words: readonly TimedWord[], options: SubtitleOptions = {}): Cue[] {
	const limits = { ...DEFAULTS, ...options };
	const streams = byChannel(words);
	// With several channels the order of cues is known last, so each cue keeps room for a label.
	const labels = !hasSpeakers(words) ? "none" : streams.length > 1 ? "every" : "turns";
	const cues = streams.flatMap((stream) => assignTimes(groupWords(stream, labels, limits), limits));
	return labels === "every" ? labelTurns(cues.sort((a, b) => a.start - b.start)) : cues;
}

/** Groups words by channel, in the order of the channels' first words. */
const byChannel = (words: readonly TimedWord[]): TimedWord[][] => [
	...Map.groupBy(words, ({ channel }) => channel ?? null).values(),
];

const hasSpeakers = (words: readonly TimedWord[]): boolean =>
	new Set(words.map(({ speaker }) => speaker ?? "")).size > 1;

function labelTurns(cues: readonly Cue[]): Cue[] {
	return cues.map(({ label, ...cue }, index) =>
		label === undefined || cues[index - 1]?.speaker === cue.speaker ? cue : { ...cue, label },
	);
}

function groupWords(
	words: readonly TimedWord[],
	labels: "none" | "turns" | "every",
	limits: Required<SubtitleOptions>,
): Group[] {
	const groups: Group[] = [];
	let group: Group | undefined;
	let fill: LineFill | undefined;
	for (const word of words) {
		const text = cleanWord(word.word);
		if (!text) continue;
		const speaker = word.speaker ? cleanWord(word.speaker) : undefined;
		const changed = group !== undefined && group.speaker !== speaker;
		const begins =
			!group ||
			!fill ||
			changed ||
			word.start - group.endSeconds > limits.pauseSeconds ||
			word.end - group.startSeconds > limits.maxDurationSeconds ||
			(SENTENCE_END.test(group.texts.at(-1) ?? "") && fill.total > limits.maxLineLength / 2) ||
			!fill.fits(text);
		if (begins) {
			const isLabelled = labels === "every" || (labels === "turns" && (changed || !group));
			const label = isLabelled ? speaker : undefined;
			group = { texts: [text], startSeconds: word.start, endSeconds: word.end, speaker, label };
			fill = new LineFill(limits, labelLength(label));
			fill.add(text);
			groups.push(group);
		} else if (group && fill) {
			group.texts.push(text);
			group.endSeconds = Math.max(group.endSeconds, word.end);
			fill.add(text);
		}
	}
	return groups;
}

const labelLength = (label: string | undefined) => (label === undefined ? 0 : textLength(label) + 2);

/** Fills lines greedily, one word at a time. Greedy filling needs the fewest lines, so it decides whether a word still fits. */
class LineFill {
	total = 0;
	private lines = 1;
	private used: number;
	private last = "";
	private readonly limits: Required<SubtitleOptions>;

	constructor(limits: Required<SubtitleOptions>, indent: number) {
		this.limits = limits;
		this.used = indent;
	}

	fits(text: string): boolean {
		return this.continues(text) || this.lines < this.limits.maxLines;
	}

	add(text: string): void {
		const length = textLength(text);
		if (this.continues(text)) this.used += this.gap(text) + length;
		else {
			this.lines++;
			this.used = length;
		}
		this.total += length + 1;
		this.last = text;
	}

	private continues(text: string): boolean {
		return this.last === "" || this.used + this.gap(text) + textLength(text) <= this.limits.maxLineLength;
	}

	private gap(text: string): number {
		return this.last && needsSpace(this.last, text) ? 1 : 0;
	}
}

function assignTimes(groups: readonly Group[], limits: Required<SubtitleOptions>): Cue[] {
	const audioEnd = Math.round(limits.audioSeconds * 1000);
	let earliest = 0;
	const starts = groups.map((group, index) => {
		// Each remaining cue needs a millisecond of its own.
		const last = audioEnd - (groups.length - index);
		const start = Math.max(earliest, Math.min(Math.round(group.startSeconds * 1000), last));
		earliest = start + 1;
		return start;
	});
	return groups.map((group, index) => {
		const start = starts[index] ?? 0;
		const next = starts[index + 1] ?? Number.POSITIVE_INFINITY;
		const lines = wrap(group.texts, limits, labelLength(group.label));
		// An engine may stretch one word over a pause.
		const latest = Math.min(start + limits.maxDurationSeconds * 1000, Math.max(audioEnd, start + 1));
		const spoken = Math.max(start + 1, Math.min(Math.round(group.endSeconds * 1000), latest));
		const wanted = Math.max(limits.minDurationSeconds, readingSeconds(lines, group.label, limits));
		const readable = Math.min(start + wanted * 1000, latest, next - GAP_AFTER_EXTENDED_MS);
		const end = Math.floor(Math.min(Math.max(spoken, Math.ceil(readable)), next));
		return {
			start: start / 1000,
			end: end / 1000,
			lines,
			...(group.speaker === undefined ? {} : { speaker: group.speaker }),
			...(group.label === undefined ? {} : { label: group.label }),
		};
	});
}

function readingSeconds(
	lines: readonly string[],
	label: string | undefined,
	{ maxCharactersPerSecond }: Required<SubtitleOptions>,
): number {
	return (textLength(lines.join(" ")) + labelLength(label)) / maxCharactersPerSecond;
}

/** Wraps words into as few lines as possible, then makes the lines as even as possible. */
function wrap(words: readonly string[], limits: Required<SubtitleOptions>, indent: number): string[] {
	const width = (from: number, to: number) =>
		textLength(joinWords(words.slice(from, to))) + (from === 0 ? indent : 0);
	const fits = (from: number, to: number) => to === from + 1 || width(from, to) <= limits.maxLineLength;

	const greedy: number[] = [];
	for (let from = 0; from < words.length; ) {
		let to = from + 1;
		while (to < words.length && fits(from, to + 1)) to++;
		greedy.push(to);
		from = to;
	}
	const ends = greedy.length > 1 && words.length <= MAX_BALANCED_WORDS ? balance(greedy.length) : greedy;
	return ends.map((end, line) => joinWords(words.slice(ends[line - 1] ?? 0, end)));

	function balance(lines: number): number[] {
		// best[to] is the cheapest way to set words[0..to) in the lines so far. Squares of the free space penalise uneven lines.
		let best = new Map<number, { cost: number; ends: number[] }>([[0, { cost: 0, ends: [] }]]);
		for (let line = 0; line < lines; line++) {
			const next: typeof best = new Map();
			for (const [from, { cost, ends }] of best) {
				for (let to = from + 1; to <= words.length && fits(from, to); to++) {
					const free = limits.maxLineLength - width(from, to);
					const comma = /[,;:.!?]$/.test(words[to - 1] ?? "") ? 0 : limits.maxLineLength;
					const total = cost + free * free + (line < lines - 1 ? comma : 0);
					if (total < (next.get(to)?.cost ?? Number.POSITIVE_INFINITY)) {
						next.set(to, { cost: total, ends: [...ends, to] });
					}
				}
			}
			best = next;
		}
		return best.get(words.length)?.ends ?? greedy;
	}
}

function timestamp(seconds: number, decimalMark: "," | "."): string {
	// Rounds once, on the total: 59.9996 s is 01:00.000, never 00:60.000.
	const total = Math.max(0, Math.round(seconds * 1000));
	const two = (value: number) => String(value).padStart(2, "0");
	const clock = [
		Math.floor(total / 3_600_000),
		Math.floor(total / 60_000) % 60,
		Math.floor(total / 1000) % 60,
	];
	return `${clock.map(two).join(":")}${decimalMark}${String(total % 1000).padStart(3, "0")}`;
}

/** Returns SubRip text. Writes `-->` inside a cue as `->`, because SubRip has no escape for it. */
export function toSrt(cues: readonly Cue[]): string {
	return cues
		.map((cue, index) => {
			const times = `${timestamp(cue.start, ",")} --> ${timestamp(cue.end, ",")}`;
			const text = (cue.label === undefined ? "" : `${cue.label}: `) + cue.lines.join("\r\n");
			return `${index + 1}\r\n${times}\r\n${text.replace(/-{2,}>/g, "->")}\r\n`;
		})
		.join("\r\n");
}

/** Returns WebVTT text, with speakers as voice tags. https://www.w3.org/TR/webvtt1/ */
export function toVtt(cues: readonly Cue[]): string {
	const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
	const blocks = cues.map((cue, index) => {
		const times = `${timestamp(cue.start, ".")} --> ${timestamp(cue.end, ".")}`;
		const voice = cue.speaker === undefined ? "" : `<v ${escaped(cue.speaker)}>`;
		return `${index + 1}\n${times}\n${voice}${escaped(cue.lines.join("\n"))}\n`;
	});
	return `WEBVTT\n\n${blocks.join("\n")}`;
}

/**
 * Returns plain text, with a new paragraph for each speaker's turn and after each pause of `paragraphPauseSeconds`. Where
 * channels speak at once, utterances stay whole.
 */
export function toText(words: readonly TimedWord[], { paragraphPauseSeconds = 2 } = {}): string {
	const labelled = hasSpeakers(words);
	const paragraphs: { label: string; words: string[] }[] = [];
	let previous: TimedWord | undefined;
	for (const word of inUtterances(words)) {
		const text = cleanWord(word.word);
		if (!text) continue;
		const turned = !previous || (previous.speaker ?? "") !== (word.speaker ?? "");
		if (!previous || turned || word.start - previous.end >= paragraphPauseSeconds) {
			paragraphs.push({
				label: labelled && turned && word.speaker ? `${cleanWord(word.speaker)}: ` : "",
				words: [],
			});
		}
		paragraphs.at(-1)?.words.push(text);
		previous = word;
	}
	return paragraphs.map(({ label, words: texts }) => `${label}${joinWords(texts)}\n`).join("\n");
}

/** Reorders the words of several channels so that each utterance stays whole. A pause or a sentence end closes an utterance. */
function inUtterances(words: readonly TimedWord[]): readonly TimedWord[] {
	const streams = byChannel(words);
	if (streams.length < 2) return words;
	const utterances: [TimedWord, ...TimedWord[]][] = [];
	for (const stream of streams) {
		let previous: TimedWord | undefined;
		for (const word of stream) {
			const goesOn =
				previous &&
				!SENTENCE_END.test(cleanWord(previous.word)) &&
				word.start - previous.end <= DEFAULTS.pauseSeconds;
			if (goesOn) utterances.at(-1)?.push(word);
			else utterances.push([word]);
			previous = word;
		}
	}
	return utterances.sort(([a], [b]) => a.start - b.start).flat();
}
