import { describe, expect, test } from "vitest";
import { type RequestedFeatures, unsupportedFeatures } from "./features.ts";
import { KNOWN_MODELS } from "./speech-models.ts";

const refused = (model: string, requested: RequestedFeatures) => {
	const capabilities = KNOWN_MODELS[model]?.capabilities;
	if (!capabilities) throw new Error(`no model ${model}`);
	return unsupportedFeatures({ code: model, capabilities }, requested).map(({ field }) => field);
};

const LOCAL = "pocketsphinx-en-us";
const WHISPER = "whisper-1";
const NOVA = "@cf/deepgram/nova-3";

describe("features an engine lacks", () => {
	test("a plain English request asks for nothing special", () => {
		for (const model of Object.keys(KNOWN_MODELS)) {
			expect(refused(model, { language: "en", diarization: "none" })).toEqual([]);
			expect(refused(model, {})).toEqual([]);
		}
	});

	test.each<[string, RequestedFeatures, string[]]>([
		[LOCAL, { language: "en-US" }, []],
		[LOCAL, { language: "fr" }, ["transcription_config.language"]],
		[LOCAL, { language: "auto" }, ["transcription_config.language"]],
		[WHISPER, { language: "auto" }, []],
		[WHISPER, { language: "tlh" }, ["transcription_config.language"]],
		[WHISPER, { diarization: "speaker" }, ["transcription_config.diarization"]],
		[WHISPER, { diarization: "channel", channel_diarization_labels: ["agent", "caller"] }, []],
		[NOVA, { diarization: "speaker" }, []],
		[NOVA, { diarization: "channel", channel_diarization_labels: ["agent", "caller"] }, []],
		[NOVA, { channel_diarization_labels: ["agent"] }, ["transcription_config.channel_diarization_labels"]],
		[NOVA, { domain: "medical" }, []],
		[NOVA, { domain: "general" }, []],
		[WHISPER, { domain: "medical" }, ["transcription_config.domain"]],
		[LOCAL, { output_locale: "en-US" }, []],
		[LOCAL, { output_locale: "en-GB" }, ["transcription_config.output_locale"]],
		[WHISPER, { enable_entities: true }, ["transcription_config.enable_entities"]],
		[WHISPER, { enable_entities: false }, []],
		[LOCAL, { punctuation_overrides: {} }, ["transcription_config.punctuation_overrides"]],
		[WHISPER, { punctuation_overrides: { permitted_marks: ["."] } }, []],
		[
			WHISPER,
			{ punctuation_overrides: { sensitivity: 0.2 } },
			["transcription_config.punctuation_overrides.sensitivity"],
		],
		[LOCAL, { additional_vocab: [{ content: "Wrangler", sounds_like: ["rang ler"] }] }, []],
		[NOVA, { additional_vocab: [{ content: "Wrangler" }] }, ["transcription_config.additional_vocab"]],
		[
			WHISPER,
			{ additional_vocab: [{ content: "x".repeat(700) }] },
			["transcription_config.additional_vocab"],
		],
		[
			LOCAL,
			{ additional_vocab: Array(1001).fill({ content: "x" }) },
			["transcription_config.additional_vocab"],
		],
	])("%s with %j lacks support for %j", (model, requested, fields) => {
		expect(refused(model, requested)).toEqual(fields);
	});

	test("all unsupported features are listed, each with the model in its message", () => {
		const capabilities = KNOWN_MODELS[LOCAL]?.capabilities;
		if (!capabilities) throw new Error("no local model");
		const found = unsupportedFeatures(
			{ code: "parley/pocketsphinx-en-us", capabilities },
			{ language: "de", diarization: "speaker", enable_entities: true },
		);
		expect(found.map(({ message }) => message)).toEqual([
			"parley/pocketsphinx-en-us does not support the language de (supported: en)",
			"parley/pocketsphinx-en-us does not support speaker diarization",
			"parley/pocketsphinx-en-us does not support entity recognition",
		]);
	});
});
