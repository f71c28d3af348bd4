import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffWords, summarise, textOf } from "./diff.ts";
import { applyEdits, type EditableWord, splitWords, type WordEdit } from "./edit.ts";
import { applySpeakers, labelOf, listSpeakers } from "./speakers.ts";

const word = (
	text: string,
	start: number,
	end: number,
	changes: Partial<EditableWord> = {},
): EditableWord => ({
	...{ word: text, start, end, confidence: 0.9, language: "en" },
	...changes,
});
const said = [
	word("the", 0, 0.2, { speaker: "S1" }),
	word("quick", 0.2, 0.6, { speaker: "S1" }),
	word("brown", 0.6, 1, { speaker: "S2" }),
	word("fox.", 1.2, 1.5, { speaker: "S2" }),
];
const edit = (...edits: WordEdit[]) => applyEdits(said, edits);
const timesOf = (words: EditableWord[]) => words.map(({ word, start, end }) => [word, start, end]);

describe("an edit", () => {
	test("that corrects words keeps their times and marks them", () => {
		const edited = edit({ start: 1, end: 3, text: "quiet crown" });
		expect(timesOf(edited)).toEqual([
			["the", 0, 0.2],
			["quiet", 0.2, 0.6],
			["crown", 0.6, 1],
			["fox.", 1.2, 1.5],
		]);
		expect(edited[2]).toEqual(word("crown", 0.6, 1, { speaker: "S2", confidence: null, edited: true }));
		expect(edited[3]).toBe(said[3]);
	});

	test("keeps words of its range that the text keeps", () => {
		const edited = edit({ start: 0, end: 4, text: "the very quick fox." });
		expect(edited.map(({ edited }) => edited === true)).toEqual([false, true, false, false]);
		expect([edited[0], edited[2], edited[3]]).toEqual([said[0], said[1], said[3]]);
	});

	test("shares the time of the words that it replaces by length", () => {
		expect(timesOf(edit({ start: 1, end: 2, text: "qu ickly" })).slice(1, 3)).toEqual([
			["qu", 0.2, 0.314],
			["ickly", 0.314, 0.6],
		]);
		expect(timesOf(edit({ start: 1, end: 3, text: "red" }))[1]).toEqual(["red", 0.2, 1]);
	});

	test("inserts words into the pause, and into no time where there is none", () => {
		expect(timesOf(edit({ start: 3, end: 3, text: "a" }))[3]).toEqual(["a", 1, 1.08]);
		expect(timesOf(edit({ start: 3, end: 3, text: "exceedingly" }))[3]).toEqual(["exceedingly", 1, 1.2]);
		expect(timesOf(edit({ start: 1, end: 1, text: "very" }))[1]).toEqual(["very", 0.2, 0.2]);
		expect(timesOf(edit({ start: 0, end: 0, text: "now" }))[0]).toEqual(["now", 0, 0]);
		expect(timesOf(edit({ start: 4, end: 4, text: "Yes." }))[4]).toEqual(["Yes.", 1.5, 1.82]);
	});

	test("deletes words", () => {
		expect(textOf(edit({ start: 1, end: 3, text: "" }))).toBe("the fox.");
		expect(edit({ start: 0, end: 4, text: " \n" })).toEqual([]);
	});

	test("of an empty transcript writes one", () => {
		expect(timesOf(applyEdits([], [{ start: 0, end: 0, text: "hello you" }]))).toEqual([
			["hello", 0, 0.4],
			["you", 0.4, 0.64],
		]);
	});

	test("gives its whole range to a speaker", () => {
		const edited = edit({ start: 1, end: 3, text: "quick crown", speaker: "Ada" });
		expect(edited.map(({ speaker }) => speaker)).toEqual(["S1", "Ada", "Ada", "S2"]);
		expect(edited[1]).toEqual({ ...said[1], speaker: "Ada" });
	});
});

test("text is split at white space, and by words where the script has no spaces", () => {
	expect(splitWords("  a\tb\u0000c\n d. ")).toEqual(["a", "b", "c", "d."]);
	expect(splitWords("私は学生です。 ok")).toEqual(["私", "は", "学生", "です。", "ok"]);
	expect(splitWords("<img onerror=x> مرحبا بك")).toEqual(["<img", "onerror=x>", "مرحبا", "بك"]);
});

/** Words in time order, of which some overlap, with the texts of a small vocabulary. */
const someWords = fc
	.array(
		fc.record({
			word: fc.constantFrom("a", "b", "cc", "dd.", "日本"),
			pause: fc.integer({ min: -200, max: 1500 }),
			duration: fc.integer({ min: 0, max: 900 }),
			speaker: fc.option(fc.constantFrom("S1", "S2"), { nil: undefined }),
		}),
		{ maxLength: 30 },
	)
	.map((drawn) => {
		let [start, end] = [0, 0];
		return drawn.map(({ word: text, pause, duration, speaker }) => {
			start = Math.max(start, end + pause);
			end = start + duration;
			return word(text, start / 1000, end / 1000, speaker === undefined ? {} : { speaker });
		});
	});

const someText = fc
	.array(fc.oneof(fc.constantFrom("a", "b", "cc", "dd.", "new"), fc.string({ maxLength: 8 })), {
		maxLength: 6,
	})
	.map((parts) => parts.join(" "));

/** Words and edits of them that do not overlap. */
const wordsAndEdits = someWords.chain((words) =>
	fc
		.tuple(
			fc.array(fc.integer({ min: 0, max: words.length }), { maxLength: 8 }),
			fc.array(fc.tuple(someText, fc.option(fc.constant("Ada"), { nil: undefined })), {
				minLength: 8,
				maxLength: 8,
			}),
		)
		.map(([cuts, texts]) => {
			const at = [...new Set(cuts)]
				.sort((a, b) => a - b)
				.flatMap((cut, index) => (index % 3 ? [cut] : [cut, cut]));
			const edits: WordEdit[] = [];
			for (let index = 0; index + 1 < at.length; index += 2) {
				const [text = "", speaker] = texts[index / 2] ?? [];
				edits.push({ start: at[index] ?? 0, end: at[index + 1] ?? 0, text, speaker });
			}
			return { words, edits };
		}),
);

test("edited words have the text of the edits, and all others stay as they are", () => {
	fc.assert(
		fc.property(wordsAndEdits, ({ words, edits }) => {
			const edited = applyEdits(words, edits);
			const expected: string[] = [];
			let from = 0;
			for (const { start, end, text } of edits) {
				expected.push(...words.slice(from, start).map(({ word }) => word), ...splitWords(text));
				from = end;
			}
			expected.push(...words.slice(from).map(({ word }) => word));
			expect(edited.map(({ word }) => word)).toEqual(expected);
			const untouched = words.filter((_, at) => !edits.some(({ start, end }) => start <= at && at < end));
			for (const kept of untouched) expect(edited).toContain(kept);
		}),
	);
});

test("edited words lie inside the interval of the words that they replace, in time order", () => {
	fc.assert(
		fc.property(wordsAndEdits, ({ words, edits }) => {
			const edited = applyEdits(words, edits);
			for (const [at, { start, end }] of edited.entries()) {
				expect(end).toBeGreaterThanOrEqual(start);
				expect(start).toBeGreaterThanOrEqual(edited[at - 1]?.start ?? 0);
			}
			const ends = words.map(({ end }) => end);
			const inserted = edited.filter(({ edited }) => edited);
			const latest = Math.max(0, ...ends);
			// Only words behind the last one have no limit.
			if (edits.every(({ end }) => end < words.length))
				for (const { end } of inserted) expect(end).toBeLessThanOrEqual(latest);
		}),
	);
});

test("an edit with the text that is there changes nothing", () => {
	fc.assert(
		fc.property(someWords, fc.nat(), fc.nat(), (words, a, b) => {
			const [start = 0, end = 0] = [a % (words.length + 1), b % (words.length + 1)].sort((x, y) => x - y);
			const text = words
				.slice(start, end)
				.map(({ word }) => word)
				.join(" ");
			expect(applyEdits(words, [{ start, end, text }])).toEqual(words);
		}),
	);
});

test("the changes between two states lead from one to the other, and its counts add up", () => {
	fc.assert(
		fc.property(wordsAndEdits, ({ words, edits }) => {
			const edited = applyEdits(words, edits);
			const changes = diffWords(words, edited);
			const replayed: EditableWord[] = [];
			let from = 0;
			for (const { start, end, left, right } of changes) {
				expect(left).toEqual(words.slice(start, end));
				replayed.push(...words.slice(from, start), ...right);
				from = end;
			}
			replayed.push(...words.slice(from));
			expect(replayed.map((word) => [word.word, word.start, word.end, labelOf(word)])).toEqual(
				edited.map((word) => [word.word, word.start, word.end, labelOf(word)]),
			);
			const { added, removed } = summarise(changes);
			expect(words.length + added - removed).toBe(edited.length);
			expect(diffWords(words, words)).toEqual([]);
		}),
	);
});

describe("speakers", () => {
	const renamed = (names: Record<string, string>, ...rest: Parameters<typeof applySpeakers>[2][number][]) =>
		applySpeakers(said, new Map(Object.entries(names)), rest).map(labelOf);

	test("are renamed, merged and split", () => {
		expect(renamed({ S1: "Ada" })).toEqual(["Ada", "Ada", "S2", "S2"]);
		expect(renamed({ S1: "Ada", S2: "Ada" })).toEqual(["Ada", "Ada", "Ada", "Ada"]);
		expect(renamed({ S1: "S2", S2: "S1" })).toEqual(["S2", "S2", "S1", "S1"]);
		expect(renamed({}, { start: 1, end: 2, speaker: "S3" }, { start: 3, end: 4, speaker: "S1" })).toEqual([
			"S1",
			"S3",
			"S2",
			"S1",
		]);
	});

	test("may be channels, whose label a speaker then overrides", () => {
		const words = [word("a", 0, 1, { channel: "channel_1" })];
		const [named] = applySpeakers(words, new Map([["channel_1", "Ada"]]), []);
		expect(named).toMatchObject({ channel: "channel_1", speaker: "Ada" });
	});

	test("that change are one change for as long as they change alike", () => {
		const changes = diffWords(said, applySpeakers(said, new Map([["S1", "Ada"]]), []));
		expect(changes.map(({ start, end }) => [start, end])).toEqual([[0, 2]]);
		expect(summarise(changes)).toEqual({ added: 0, removed: 0, replaced: 0, reassigned: 2 });
	});

	test("are listed with their words and their time", () => {
		expect(listSpeakers(said)).toEqual([
			{ label: "S1", wordCount: 2, seconds: 0.6, firstTime: 0 },
			{ label: "S2", wordCount: 2, seconds: 0.7, firstTime: 0.6 },
		]);
	});
});
