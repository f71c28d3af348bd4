import { parse } from "@plussub/srt-vtt-parser";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cue, cuesFromWords, toSrt, toText, toVtt } from "./subtitles.ts";
import type { TimedWord } from "./words.ts";

const text = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.string({ unit: fc.constantFrom(..."abcdefghijk"), minLength: 1, maxLength: 12 }),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom("end.", "really?", "a,", "-->", "<b>", "R&D", "42", "NOTE", "été"),
	},
	{ weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."xyz"), minLength: 30, maxLength: 60 }) },
);

const transcript = fc
	.array(
		fc.record({
			word: text,
			seconds: fc.double({ min: 0, max: 1, noNaN: true }),
			gap: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.3, noNaN: true }), fc.constant(3)),
			speaker: fc.constantFrom("S1", "S1", "S1", "S2"),
		}),
		{ maxLength: 80, size: "max" },
	)
	.map((spoken) => {
		let at = 0;
		return spoken.map(({ word, seconds, gap, speaker }): TimedWord => {
			const start = at + gap;
			at = start + seconds;
			return { word, start, end: at, speaker };
		});
	});

/** Two speakers on a channel each, who speak at once. */
const crosstalk = fc.tuple(transcript, transcript).map((channels) =>
	channels
		.flatMap((words, index) => {
			const channel = ["Agent", "Caller"][index] as string;
			return words.map((word): TimedWord => ({ ...word, speaker: channel, channel }));
		})
		.sort((a, b) => a.start - b.start),
);

const limits = fc.record({
	maxLineLength: fc.integer({ min: 12, max: 60 }),
	maxLines: fc.integer({ min: 1, max: 4 }),
});

const shownWords = (cues: readonly Cue[]) =>
	cues.flatMap((cue) => cue.lines).flatMap((line) => line.split(" "));

describe("cues", () => {
	test("every word is shown exactly once, in order", () => {
		fc.assert(
			fc.property(transcript, limits, (words, options) => {
				expect(shownWords(cuesFromWords(words, options))).toEqual(words.map((word) => word.word));
			}),
		);
	});

	test("cues never overlap, and each has a duration", () => {
		fc.assert(
			fc.property(transcript, limits, (words, options) => {
				const cues = cuesFromWords(words, options);
				cues.forEach((cue, index) => {
					expect(cue.end).toBeGreaterThan(cue.start);
					expect(cue.start).toBeGreaterThanOrEqual(cues[index - 1]?.end ?? 0);
				});
			}),
		);
	});

	test("no cue has too many lines, and only a single long word exceeds the line length", () => {
		fc.assert(
			fc.property(transcript, limits, (words, options) => {
				for (const cue of cuesFromWords(words, options)) {
					expect(cue.lines.length).toBeLessThanOrEqual(options.maxLines);
					cue.lines.forEach((line, index) => {
						const label = index === 0 && cue.label ? cue.label.length + 2 : 0;
						if (line.includes(" ")) expect(line.length + label).toBeLessThanOrEqual(options.maxLineLength);
					});
				}
			}),
		);
	});

	test("a cue stays long enough to be read, unless the next one follows at once", () => {
		fc.assert(
			fc.property(transcript, limits, (words, options) => {
				const cues = cuesFromWords(words, { ...options, maxCharactersPerSecond: 15 });
				cues.forEach((cue, index) => {
					const seconds = cue.end - cue.start;
					expect(seconds).toBeLessThanOrEqual(7 + 1e-9);
					const length = cue.lines.join(" ").length + (cue.label ? cue.label.length + 2 : 0);
					const hasRoom = (cues[index + 1]?.start ?? Number.POSITIVE_INFINITY) - cue.end > 0.042;
					if (hasRoom && seconds < 7 - 1e-9) expect(length / seconds).toBeLessThanOrEqual(15.01);
				});
			}),
		);
	});

	test("a quick remark of many letters stays until it can be read", () => {
		const words = [
			{ word: "Incomprehensibilities", start: 0, end: 1 },
			{ word: "notwithstanding.", start: 1, end: 1.5 },
			{ word: "Yes.", start: 9, end: 9.3 },
		];
		expect(cuesFromWords(words).map(({ start, end }) => [start, end])).toEqual([
			[0, 2.236],
			[9, 10],
		]);
	});

	test("a word that an engine stretched over a pause does not stay for the whole pause", () => {
		expect(cuesFromWords([{ word: "so", start: 1, end: 40 }])).toEqual([{ start: 1, end: 8, lines: ["so"] }]);
	});

	test("no cue ends after the recording", () => {
		const words = [
			{ word: "Good", start: 3.4, end: 3.6 },
			{ word: "bye.", start: 3.6, end: 3.9 },
		];
		expect(cuesFromWords(words, { audioSeconds: 3.794 })).toEqual([
			{ start: 3.4, end: 3.794, lines: ["Good bye."] },
		]);
		const late = words.map((word) => ({ ...word, start: 3.794, end: 3.794 }));
		expect(cuesFromWords(late, { audioSeconds: 3.794, maxLineLength: 4, maxLines: 1 })).toEqual([
			{ start: 3.792, end: 3.793, lines: ["Good"] },
			{ start: 3.793, end: 3.794, lines: ["bye."] },
		]);
		fc.assert(
			fc.property(
				crosstalk,
				limits,
				fc.double({ min: 1, max: 90, noNaN: true }),
				(spoken, options, seconds) => {
					const audioSeconds = Math.round(seconds * 1000) / 1000;
					for (const cue of cuesFromWords(spoken, { ...options, audioSeconds })) {
						expect(cue.end).toBeGreaterThan(cue.start);
						expect(cue.end).toBeLessThanOrEqual(audioSeconds);
					}
				},
			),
		);
	});

	test("a cue contains one speaker and no long pause", () => {
		const words = [
			{ word: "Hello", start: 0, end: 0.4, speaker: "S1" },
			{ word: "there", start: 0.5, end: 0.9, speaker: "S1" },
			{ word: "hi", start: 1, end: 1.2, speaker: "S2" },
			{ word: "so", start: 3, end: 3.2, speaker: "S2" },
		];
		expect(cuesFromWords(words).map((cue) => [cue.label, ...cue.lines])).toEqual([
			["S1", "Hello there"],
			["S2", "hi"],
			[undefined, "so"],
		]);
	});

	test("a sentence end closes a cue that is long enough to stand alone", () => {
		const words = "I have read the whole report. It says nothing new. No."
			.split(" ")
			.map((word, index) => ({ word, start: index * 0.3, end: index * 0.3 + 0.28 }));
		expect(cuesFromWords(words).map((cue) => cue.lines)).toEqual([
			["I have read the whole report."],
			["It says nothing new."],
			["No."],
		]);
	});

	test("two lines are balanced", () => {
		const words = "the quick brown fox jumps over the lazy dog again"
			.split(" ")
			.map((word, index) => ({ word, start: index * 0.2, end: index * 0.2 + 0.2 }));
		expect(cuesFromWords(words)[0]?.lines).toEqual(["the quick brown fox jumps", "over the lazy dog again"]);
	});

	test("scripts that are written without spaces stay without spaces", () => {
		const words = ["今", "日", "は", "OK", "です"].map((word, index) => ({
			word,
			start: index,
			end: index + 1,
		}));
		expect(cuesFromWords(words)[0]?.lines).toEqual(["今日は OK です"]);
	});
});

const utterance = (channel: string, start: number, text: string): TimedWord[] =>
	text.split(" ").map((word, index) => ({
		word,
		start: start + index * 0.3,
		end: start + index * 0.3 + 0.25,
		speaker: channel,
		channel,
	}));

const BOTH_AT_ONCE = [
	...utterance("Agent", 0, "thank you for calling us today."),
	...utterance("Caller", 0, "hello there."),
	...utterance("Agent", 2, "how can I help you?"),
	...utterance("Caller", 2.1, "well,"),
	...utterance("Caller", 5, "my order has not come."),
].sort((a, b) => a.start - b.start);

describe("channels that speak at once", () => {
	test("every word is shown exactly once, in its channel's order, and the starts are ordered", () => {
		fc.assert(
			fc.property(crosstalk, limits, (words, options) => {
				const cues = cuesFromWords(words, options);
				for (const channel of ["Agent", "Caller"]) {
					const own = words.filter((word) => word.channel === channel).map(({ word }) => word);
					expect(shownWords(cues.filter(({ speaker }) => speaker === channel))).toEqual(own);
				}
				cues.forEach((cue, index) => {
					expect(cue.start).toBeGreaterThanOrEqual(cues[index - 1]?.start ?? 0);
				});
			}),
		);
	});

	test("a channel's cues never overlap, and each stays until the channel's next cue or for a second", () => {
		fc.assert(
			fc.property(crosstalk, limits, (words, options) => {
				const all = cuesFromWords(words, options);
				for (const channel of ["Agent", "Caller"]) {
					const cues = all.filter(({ speaker }) => speaker === channel);
					cues.forEach((cue, index) => {
						const next = cues[index + 1]?.start ?? Number.POSITIVE_INFINITY;
						expect(cue.end).toBeGreaterThan(cue.start);
						expect(cue.end).toBeLessThanOrEqual(next);
						if (next - cue.end > 0.042) expect(cue.end - cue.start).toBeGreaterThanOrEqual(0.999);
					});
				}
			}),
		);
	});

	test("a line has room for the label where the speaker changes", () => {
		fc.assert(
			fc.property(crosstalk, limits, (words, options) => {
				const cues = cuesFromWords(words, options);
				const speakers = new Set(words.map(({ speaker }) => speaker));
				cues.forEach((cue, index) => {
					const turned = cues[index - 1]?.speaker !== cue.speaker && speakers.size > 1;
					expect(cue.label).toBe(turned ? cue.speaker : undefined);
					const [line = ""] = cue.lines;
					const label = cue.label === undefined ? 0 : cue.label.length + 2;
					if (line.includes(" ")) expect(line.length + label).toBeLessThanOrEqual(options.maxLineLength);
				});
			}),
		);
	});

	test("channels have their own cues, which may overlap", () => {
		expect(cuesFromWords(BOTH_AT_ONCE).map((cue) => [cue.start, cue.label, cue.lines.join(" ")])).toEqual([
			[0, "Agent", "thank you for calling us today."],
			[0, "Caller", "hello there."],
			[2, "Agent", "how can I help you?"],
			[2.1, "Caller", "well,"],
			[5, undefined, "my order has not come."],
		]);
	});

	test("plain text keeps utterances whole", () => {
		expect(toText(BOTH_AT_ONCE)).toBe(
			[
				"Agent: thank you for calling us today.\n",
				"Caller: hello there.\n",
				"Agent: how can I help you?\n",
				"Caller: well,\n",
				"my order has not come.\n",
			].join("\n"),
		);
	});

	test("plain text contains every word exactly once", () => {
		fc.assert(
			fc.property(crosstalk, (words) => {
				const shown = toText(words)
					.replace(/^(Agent|Caller): /gm, "")
					.split(/\s+/)
					.filter(Boolean);
				expect(shown.sort()).toEqual(words.map(({ word }) => word).sort());
			}),
		);
	});
});

describe("subtitle files", () => {
	test("a parser reads the same cues from SRT and from VTT", () => {
		fc.assert(
			fc.property(transcript, limits, (words, options) => {
				const plain = words.filter(({ word }) => !/[<>&]/.test(word));
				const cues = cuesFromWords(plain, options);
				const expected = cues.map((cue) => ({
					from: Math.round(cue.start * 1000),
					to: Math.round(cue.end * 1000),
					words: cue.lines.join(" "),
				}));
				const read = (file: string, strip: RegExp) =>
					parse(file).entries.map((entry) => ({
						from: entry.from,
						to: entry.to,
						words: entry.text.replace(strip, "").replace(/\s+/g, " ").trim(),
					}));
				expect(read(toSrt(cues), /^S\d: /)).toEqual(expected);
				expect(read(toVtt(cues), /^<v S\d>/)).toEqual(expected);
			}),
		);
	});

	test("markup in words cannot break a file", () => {
		const cues: Cue[] = [{ start: 0, end: 1, lines: ["a --> <b> & c"], speaker: "<x>" }];
		expect(toVtt(cues)).toContain("<v &lt;x&gt;>a --&gt; &lt;b&gt; &amp; c");
		expect(toSrt(cues)).toContain("a -> <b> & c");
		expect(toSrt([{ start: 0, end: 1, lines: ["a ---> b ----> c"] }])).toContain("a -> b -> c");
	});

	test("a speaker label cannot start a new line or cue", () => {
		const forged = "Agent\n\n2\n00:00:00.000 --> 00:00:09.000\r\nforged\u0085\u2028x";
		const words = [
			{ word: "yes", start: 0, end: 1, speaker: forged },
			{ word: "no", start: 4, end: 5, speaker: "Client" },
		];
		const cues = cuesFromWords(words);
		const onOneLine = "Agent 2 00:00:00.000 -> 00:00:09.000 forged x: yes";
		expect(toSrt(cues).split(/\r\n|[\n\r\u0085\u2028]/)[2]).toBe(onOneLine);
		expect(parse(toSrt(cues)).entries).toHaveLength(2);
		expect(toVtt(cues)).toContain("\n<v Agent 2 00:00:00.000 --&gt; 00:00:09.000 forged x>yes\n");
		expect(toText(words).split("\n")).toEqual([onOneLine.replace("->", "-->"), "", "Client: no", ""]);
	});

	test("100,000 words without a pause are written within 5 s", { timeout: 5000 }, () => {
		const words = Array.from({ length: 100_000 }, (_, at) => ({ word: "word", start: at, end: at + 1 }));
		expect(toText(words)).toHaveLength(5 * words.length);
	});

	test("times are rounded once, so no minute has 60 seconds", () => {
		const cues = cuesFromWords([{ word: "x", start: 59.9996, end: 3599.9999 }], { maxDurationSeconds: 9999 });
		expect(toVtt(cues)).toContain("00:01:00.000 --> 01:00:00.000");
		expect(toSrt(cues)).toContain("00:01:00,000 --> 01:00:00,000");
	});

	test("plain text starts a paragraph at each turn and after each long pause", () => {
		const words = [
			{ word: "Yes.", start: 0, end: 0.5, speaker: "S1" },
			{ word: "No.", start: 0.6, end: 1, speaker: "S2" },
			{ word: "Well", start: 4, end: 4.4, speaker: "S2" },
		];
		expect(toText(words)).toBe("S1: Yes.\n\nS2: No.\n\nWell\n");
		expect(toText([])).toBe("");
	});
});
