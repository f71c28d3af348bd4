import type { TranscriptionConfig } from "@parley/contracts/batch/job-configs";
import { expect, test } from "vitest";
import { type Recognised, toWords } from "./to-transcript.ts";

const config: TranscriptionConfig = {
	language: "en",
	operating_point: "enhanced",
	diarization: "none",
	enable_entities: false,
};

function words(
	recognised: Partial<Recognised["words"][number]>[],
	changes: Partial<TranscriptionConfig> = {},
) {
	const spoken = recognised.map((word) => ({
		word: "a",
		start: 0,
		end: 1,
		confidence: null,
		language: "en",
		...word,
	}));
	const all = { words: spoken, languages: [], coverage: null, wordTimesEstimated: false, warnings: [] };
	return toWords(all, { jobConfig: { transcription_config: { ...config, ...changes } } });
}

test("times are whole milliseconds and confidences have three digits", () => {
	const [word] = words([{ start: 1.00049, end: 2.9996, confidence: 0.123456 }]);
	expect(word).toMatchObject({ start: 1, end: 3, confidence: 0.123 });
});

test("only permitted marks stay, at a word's edges", () => {
	const said = ["¿Qué?", "3.5,", "done.", "…"].map((word) => ({ word }));
	const texts = (permitted_marks: string[]) =>
		words(said, { punctuation_overrides: { permitted_marks } }).map(({ word }) => word);
	expect(texts([".", "?"])).toEqual(["Qué?", "3.5", "done."]);
	expect(texts([])).toEqual(["Qué", "3.5", "done"]);
	expect(texts(["all"])).toEqual(["¿Qué?", "3.5,", "done.", "…"]);
});

test("a word of nothing but marks to speak of is looked through in a moment", { timeout: 5000 }, () => {
	const word = `${".".repeat(300_000)}x`;
	expect(words([{ word }], { punctuation_overrides: { permitted_marks: [] } })[0]?.word).toBe(word);
});

test("channels bear their labels, or their numbers", () => {
	const recognised = [{ channel: 0 }, { channel: 1 }];
	const labels = (channel_diarization_labels: string[]) =>
		words(recognised, { diarization: "channel", channel_diarization_labels }).map(({ channel }) => channel);
	expect(labels(["agent"])).toEqual(["agent", "channel_2"]);
});
