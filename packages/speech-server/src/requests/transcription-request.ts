import type { VocabularyEntry } from "../vocabulary/vocabulary.ts";
import { RequestError } from "./request-error.ts";

/** Name of the only model. */
export const MODEL = "pocketsphinx-en-us";

export const RESPONSE_FORMATS = ["json", "text", "verbose_json", "srt", "vtt"] as const;
export type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

const GRANULARITIES = ["word", "segment"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

const MAX_VOCABULARY = 1000;

export interface TranscriptionRequest {
	/** Name of the file, in quotes. */
	name: string;
	audio: ArrayBuffer;
	format: ResponseFormat;
	granularities: Granularity[];
	vocabulary: VocabularyEntry[];
}

/**
 * Parses the form of `POST /v1/audio/transcriptions`. Ignores hints that the engine does not support (`prompt`, `temperature`).
 * @throws RequestError for everything else that the engine does not support.
 */
export async function parseTranscriptionRequest(form: FormData): Promise<TranscriptionRequest> {
	const file = form.get("file");
	if (!(file instanceof File)) throw badRequest("file", "file is required and must be a file");

	const model = text(form, "model");
	if (model && model !== MODEL) {
		const message = `the model "${model}" does not exist; this server has ${MODEL}`;
		throw new RequestError(404, message, { param: "model", code: "model_not_found" });
	}
	const language = text(form, "language")?.toLowerCase();
	if (language && !/^(en([-_].+)?|auto|none)$/.test(language))
		throw badRequest("language", `${MODEL} supports English only, not "${language}"`, "unsupported_language");

	const granularities = form.getAll("timestamp_granularities[]");
	return {
		name: file.name ? JSON.stringify(file.name) : "the file",
		format: oneOf(RESPONSE_FORMATS, text(form, "response_format") ?? "json", "response_format"),
		granularities: granularities.length
			? granularities.map((value) => oneOf(GRANULARITIES, value, "timestamp_granularities[]"))
			: [...GRANULARITIES],
		vocabulary: parseVocabulary(text(form, "additional_vocab")),
		audio: await file.arrayBuffer(),
	};
}

function parseVocabulary(json: string | undefined): VocabularyEntry[] {
	if (!json) return [];
	let value: unknown;
	try {
		value = JSON.parse(json);
	} catch {
		throw badRequest("additional_vocab", "additional_vocab must be JSON");
	}
	if (!Array.isArray(value) || !value.every(isVocabularyEntry))
		throw badRequest(
			"additional_vocab",
			"additional_vocab must be an array of {content, sounds_like?: [text]}",
		);
	if (value.length > MAX_VOCABULARY)
		throw badRequest("additional_vocab", `additional_vocab has more than ${MAX_VOCABULARY} entries`);
	return value;
}

function isVocabularyEntry(value: unknown): value is VocabularyEntry {
	if (typeof value !== "object" || value === null || !("content" in value)) return false;
	const sounds = "sounds_like" in value ? value.sounds_like : undefined;
	return isText(value.content) && (sounds === undefined || (Array.isArray(sounds) && sounds.every(isText)));
}

function isText(value: unknown): value is string {
	return typeof value === "string" && value.trim() !== "" && value.length <= 100 && !/\p{C}/u.test(value);
}

function oneOf<Value extends string>(
	values: readonly Value[],
	given: FormDataEntryValue,
	param: string,
): Value {
	const value = values.find((known) => known === given);
	if (!value) throw badRequest(param, `${param} must be one of ${values.join(", ")}`);
	return value;
}

function text(form: FormData, name: string): string | undefined {
	const value = form.get(name);
	if (value instanceof File) throw badRequest(name, `${name} must be text`);
	return value || undefined;
}

function badRequest(param: string, message: string, code?: string): RequestError {
	return new RequestError(400, message, { param, code });
}
