import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinRecognitions, type RecognisedChunk } from "./join.ts";
import type { TimedWord } from "./words.ts";

const VOCABULARY = ["no", "yes", "the", "order", "seven", "please", "Paris", "is"];

/** Ways in which one engine may spell the same word. */
const SPELLINGS: ((word: string) => string)[] = [
	(word) => word,
	(word) => `${word},`,
	(word) => `${word}.`,
	(word) => word.slice(0, 1).toUpperCase() + word.slice(1),
];

/** Spoken words of 0.15 to 0.8 s with gaps. The vocabulary is small, so repetitions are common. */
const speech = fc
	.array(
		fc.record({
			word: fc.constantFrom(...VOCABULARY),
			seconds: fc.double({ min: 0.15, max: 0.8, noNaN: true }),
			gap: fc.double({ min: 0.02, max: 1.5, noNaN: true }),
		}),
		{ minLength: 1, maxLength: 60, size: "max" },
	)
	.map((spoken) => {
		let at = 0;
		return spoken.map(({ word, seconds, gap }): TimedWord => {
			const start = at + gap;
			at = start + seconds;
			return { word, start, end: at };
		});
	});

/** Recognises [from, to) as a perfect engine would: whole words, and a wrong word where the edge cuts one. */
function recognise(
	words: readonly TimedWord[],
	from: number,
	to: number,
	shift = 0,
): RecognisedChunk<TimedWord> {
	const recognised: TimedWord[] = [];
	for (const { word, start, end } of words) {
		if (end <= from || start >= to) continue;
		const whole = start >= from && end <= to;
		recognised.push({
			word: whole ? word : word.slice(0, 2),
			start: Math.max(start, from) - from + shift,
			end: Math.min(end, to) - from + shift,
		});
	}
	return { startSeconds: from, endSeconds: to, words: recognised };
}

const textOf = (words: readonly TimedWord[]) => words.map((word) => word.word);

describe("joinRecognitions", () => {
	test("overlapping chunks join without a doubled, lost or merged word, wherever they are cut", () => {
		fc.assert(
			fc.property(
				speech,
				fc.array(fc.double({ min: 4, max: 12, noNaN: true }), { maxLength: 8, size: "max" }),
				fc.double({ min: 2, max: 3.5, noNaN: true }),
				fc.double({ min: -0.08, max: 0.08, noNaN: true }),
				(spoken, lengths, overlap, jitter) => {
					const total = (spoken.at(-1)?.end ?? 0) + 1;
					const chunks: RecognisedChunk<TimedWord>[] = [];
					let from = 0;
					for (const length of lengths) {
						const to = from + length;
						if (to >= total) break;
						chunks.push(recognise(spoken, from, to, chunks.length % 2 === 0 ? 0 : jitter));
						from = to - overlap;
					}
					chunks.push(recognise(spoken, from, total));
					const joined = joinRecognitions(chunks);
					expect(textOf(joined)).toEqual(textOf(spoken));
					joined.forEach((word, index) => {
						expect(Math.abs(word.start - (spoken[index]?.start ?? 0))).toBeLessThan(0.1);
					});
				},
			),
			{ numRuns: 300 },
		);
	});

	test("overlapping chunks join correctly if word times are off by 0.1 s, spellings differ or cut words are missing", () => {
		const jitter = fc.infiniteStream(fc.double({ min: -0.1, max: 0.1, noNaN: true }));
		const spelling = fc.infiniteStream(fc.constantFrom(...SPELLINGS));
		const lengths = fc.array(fc.double({ min: 4, max: 12, noNaN: true }), { maxLength: 8, size: "max" });
		fc.assert(
			fc.property(
				speech,
				lengths,
				fc.double({ min: 2, max: 3.5, noNaN: true }),
				jitter,
				spelling,
				fc.boolean(),
				(spoken, lengths, overlap, offs, spellings, dropsCutWords) => {
					const total = (spoken.at(-1)?.end ?? 0) + 1;
					const chunks: RecognisedChunk<TimedWord>[] = [];
					const take = (from: number, to: number) => {
						const chunk = recognise(spoken, from, to);
						const whole = (word: TimedWord) => VOCABULARY.includes(word.word);
						let earliest = Number.NEGATIVE_INFINITY;
						const words = chunk.words
							.filter((word) => whole(word) || !dropsCutWords)
							.map((word) => {
								const start = Math.max(earliest, word.start + offs.next().value);
								earliest = start;
								return {
									word: (spellings.next().value as (word: string) => string)(word.word),
									start,
									end: Math.max(start, word.end + offs.next().value),
								};
							});
						chunks.push({ ...chunk, words });
					};
					let from = 0;
					for (const length of lengths) {
						if (from + length >= total) break;
						take(from, from + length);
						from += length - overlap;
					}
					take(from, total);
					const plain = (words: readonly TimedWord[]) =>
						textOf(words).map((word) => word.toLowerCase().replace(/[.,]$/, ""));
					expect(plain(joinRecognitions(chunks))).toEqual(plain(spoken));
				},
			),
			{ numRuns: 300 },
		);
	});

	test("chunks that were cut in pauses keep every word", () => {
		fc.assert(
			fc.property(speech, fc.array(fc.nat(59), { maxLength: 5, size: "max" }), (spoken, cuts) => {
				const boundaries = [...new Set(cuts)]
					.sort((a, b) => a - b)
					.flatMap((index) => {
						const [a, b] = [spoken[index], spoken[index + 1]];
						return a && b ? [(a.end + b.start) / 2] : [];
					});
				const edges = [0, ...boundaries, (spoken.at(-1)?.end ?? 0) + 1];
				const chunks = edges
					.slice(0, -1)
					.map((from, index) => recognise(spoken, from, edges[index + 1] ?? from));
				const joined = joinRecognitions(chunks);
				expect(textOf(joined)).toEqual(textOf(spoken));
			}),
		);
	});

	test("times never run backwards, whatever times the engine returns", () => {
		const word = fc.record({
			word: fc.constantFrom(...VOCABULARY),
			start: fc.double({ min: -1, max: 12, noNaN: true }),
			seconds: fc.double({ min: 0, max: 2, noNaN: true }),
		});
		fc.assert(
			fc.property(fc.array(fc.array(word, { maxLength: 12 }), { maxLength: 4 }), (readings) => {
				const chunks = readings.map((reading, index) => ({
					startSeconds: index * 8,
					endSeconds: index * 8 + 10,
					words: reading
						.map(({ word, start, seconds }) => ({ word, start, end: start + seconds }))
						.sort((a, b) => a.start - b.start),
				}));
				const joined = joinRecognitions(chunks);
				joined.forEach((word, index) => {
					expect(word.end).toBeGreaterThanOrEqual(word.start);
					expect(word.start).toBeGreaterThanOrEqual(joined[index - 1]?.start ?? 0);
				});
			}),
			{ numRuns: 1000 },
		);
	});

	test("the seam is the word nearest the middle that both readings have in common", () => {
		const joined = joinRecognitions([
			{
				startSeconds: 0,
				endSeconds: 10,
				words: [
					{ word: "cooper", start: 8, end: 8.4 },
					{ word: "nettles", start: 8.5, end: 8.9 },
					{ word: "runs", start: 9, end: 9.3 },
					{ word: "he", start: 9.8, end: 10 },
				],
			},
			{
				startSeconds: 8,
				endSeconds: 20,
				words: [
					{ word: "ernettes", start: 0.5, end: 0.9 },
					{ word: "runs", start: 1, end: 1.3 },
					{ word: "here", start: 1.8, end: 2.2 },
				],
			},
		]);
		expect(textOf(joined)).toEqual(["cooper", "nettles", "runs", "here"]);
	});

	test("a homophone at the seam is not written twice", () => {
		const joined = joinRecognitions([
			{ startSeconds: 0, endSeconds: 10, words: [{ word: "their", start: 8.9, end: 9.05 }] },
			{ startSeconds: 8, endSeconds: 20, words: [{ word: "there", start: 0.95, end: 1.1 }] },
		]);
		expect(joined).toHaveLength(1);
	});

	test("a speaker recognised on both sides of an overlap keeps the name, another gets a new name", () => {
		const joined = joinRecognitions([
			{
				startSeconds: 0,
				endSeconds: 10,
				words: [
					{ word: "hello", start: 1, end: 1.4, speaker: "0" },
					{ word: "good", start: 8.6, end: 8.9, speaker: "1" },
					{ word: "day", start: 9, end: 9.3, speaker: "1" },
				],
			},
			{
				startSeconds: 8,
				endSeconds: 20,
				words: [
					{ word: "good", start: 0.6, end: 0.9, speaker: "0" },
					{ word: "day", start: 1, end: 1.3, speaker: "0" },
					{ word: "thanks", start: 4, end: 4.4, speaker: "1" },
				],
			},
		]);
		expect(joined.map((word) => word.speaker)).toEqual(["S1", "S2", "S2", "S3"]);
	});

	test("thousands of words in one moment do not exhaust memory", () => {
		const words = Array.from({ length: 20_000 }, (_, at) => ({ word: `w${at}`, start: 4, end: 4 }));
		const [left, right] = [words, words.map((word) => ({ ...word, start: 1, end: 1 }))];
		const joined = joinRecognitions([
			{ startSeconds: 0, endSeconds: 5, words: left },
			{ startSeconds: 3, endSeconds: 8, words: right },
		]);
		expect(joined).toHaveLength(words.length);
	});

	test("channels that speak at once are joined separately and returned in time order", () => {
		const joined = joinRecognitions([
			{
				startSeconds: 0,
				endSeconds: 10,
				words: [
					{ word: "one", start: 1, end: 2, channel: 0 },
					{ word: "three", start: 9, end: 9.5, channel: 0 },
					{ word: "two", start: 1.5, end: 2.5, channel: 1 },
				],
			},
			{
				startSeconds: 8,
				endSeconds: 16,
				words: [
					{ word: "three", start: 1, end: 1.5, channel: 0 },
					{ word: "four", start: 1.2, end: 1.6, channel: 1 },
				],
			},
		]);
		expect(textOf(joined)).toEqual(["one", "two", "three", "four"]);
	});
});
