import { SAMPLE_RATE } from "@parley/decoder/audio-decoder";
import { recording } from "@parley/decoder/recordings.fixture";
import { expect, test } from "vitest";
import { loadAssets, loadPronunciations } from "../assets.ts";
import { resolveVocabulary } from "../vocabulary/vocabulary.ts";
import { openRecogniser } from "./recogniser.ts";

const { recogniser: module, model } = await loadAssets();
const recogniser = await openRecogniser(module, model);

const speech = new Int16Array(recording("formats", "clip.wav").bytes.buffer, 44);
const textOf = (samples: Int16Array) =>
	recogniser
		.recognise(samples)
		.map(({ word }) => word)
		.join(" ");

test("words are in order, within the utterance, and have a probability", () => {
	const words = recogniser.recognise(speech);
	expect(words.length).toBeGreaterThan(10);
	let last = 0;
	for (const { word, start, end, probability } of words) {
		expect(word).toMatch(/^[a-z']+$/);
		expect(start).toBeGreaterThanOrEqual(last);
		expect(end).toBeGreaterThan(start);
		expect(probability).toBeGreaterThanOrEqual(0);
		expect(probability).toBeLessThanOrEqual(1);
		last = end;
	}
	expect(last).toBeLessThanOrEqual(speech.length / SAMPLE_RATE);
});

test("silence before the words shifts their times", () => {
	const [first] = recogniser.recognise(speech);
	const later = new Int16Array(speech.length + 3 * SAMPLE_RATE);
	later.set(speech, 3 * SAMPLE_RATE);
	const [moved] = recogniser.recognise(later);
	expect(moved?.word).toBe(first?.word);
	expect((moved?.start ?? 0) - (first?.start ?? 0)).toBeCloseTo(3, 0);
});

test("noise and hum have no words", () => {
	let seed = 1;
	const noise = () => {
		seed = (seed * 48_271) % 2_147_483_647;
		return (seed / 2_147_483_647) * 2 - 1;
	};
	const seconds = (value: (at: number) => number) =>
		Int16Array.from({ length: 5 * SAMPLE_RATE }, (_, i) => value(i));
	expect(textOf(seconds(() => 30 * noise()))).toBe("");
	expect(textOf(seconds(() => 3000 * noise()))).toBe("");
	expect(textOf(seconds((i) => 5000 * Math.sin((i / SAMPLE_RATE) * 2 * Math.PI * 50)))).toBe("");
});

test("empty and very short utterances have no words", () => {
	for (const length of [0, 1, 100, 400, 1600]) expect(textOf(new Int16Array(length))).toBe("");
	expect(textOf(speech)).toBe(textOf(speech));
});

test("the engine works with a thousand added words, however short or long", async () => {
	const dictionary = loadPronunciations();
	const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
	const words = [...dictionary.keys()].filter((_, index) => index % 140 === 0).slice(0, 960);
	const entries = [...letters, "supercalifragilistic".repeat(5), ...words].map((content) => ({
		content,
		sounds_like: ["nonsense word", content.slice(0, 3)],
	}));
	const { added } = resolveVocabulary(entries, dictionary);
	expect(added.length).toBeGreaterThan(1000);
	const crowded = await openRecogniser(module, model, added);
	expect(crowded.recognise(speech).length).toBeGreaterThan(8);
});

test("an unknown pronunciation is rejected", async () => {
	const wrong = openRecogniser(module, model, [{ word: "wrong", phones: "NO SUCH PHONES" }]);
	await expect(wrong).rejects.toThrow("rejected");
});
