import { SAMPLE_RATE } from "@parley/decoder/audio-decoder";
import { recording } from "@parley/decoder/recordings.fixture";
import { expect, test } from "vitest";
import { loadAssets, loadPronunciations } from "./assets.ts";
import { openRecogniser } from "./recogniser.ts";
import { resolveVocabulary } from "./vocabulary.ts";

const { recogniser: module, model } = await loadAssets();
const recogniser = await openRecogniser(module, model);

const speech = new Int16Array(recording("formats", "clip.wav").bytes.buffer, 44);
const heard = (samples: Int16Array) =>
	recogniser
		.listen(samples)
		.map(({ word }) => word)
		.join(" ");

test("words come in order, inside the utterance, with a probability", () => {
	const words = recogniser.listen(speech);
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

test("silence before the words moves them by as much", () => {
	const [first] = recogniser.listen(speech);
	const later = new Int16Array(speech.length + 3 * SAMPLE_RATE);
	later.set(speech, 3 * SAMPLE_RATE);
	const [moved] = recogniser.listen(later);
	expect(moved?.word).toBe(first?.word);
	expect((moved?.start ?? 0) - (first?.start ?? 0)).toBeCloseTo(3, 0);
});

test("neither noise nor a hum has words", () => {
	let seed = 1;
	const noise = () => {
		seed = (seed * 48_271) % 2_147_483_647;
		return (seed / 2_147_483_647) * 2 - 1;
	};
	const seconds = (value: (at: number) => number) =>
		Int16Array.from({ length: 5 * SAMPLE_RATE }, (_, i) => value(i));
	expect(heard(seconds(() => 30 * noise()))).toBe("");
	expect(heard(seconds(() => 3000 * noise()))).toBe("");
	expect(heard(seconds((i) => 5000 * Math.sin((i / SAMPLE_RATE) * 2 * Math.PI * 50)))).toBe("");
});

test("utterances of no or hardly any length are harmless", () => {
	for (const length of [0, 1, 100, 400, 1600]) expect(heard(new Int16Array(length))).toBe("");
	expect(heard(speech)).toBe(heard(speech));
});

test("a thousand added words leave the engine working, however short or long they are", async () => {
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
	expect(crowded.listen(speech).length).toBeGreaterThan(8);
});

test("a pronunciation the engine does not know is refused", async () => {
	const wrong = openRecogniser(module, model, [{ word: "wrong", phones: "NO SUCH PHONES" }]);
	await expect(wrong).rejects.toThrow("refused");
});
