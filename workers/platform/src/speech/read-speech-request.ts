import { fromBase64 } from "@parley/bytes/base64";
import { MAX_SPEECH_BYTES, SpeechHints, TranscribeSpeech } from "@parley/contracts/platform/speech";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { BodyReader } from "../context.ts";
import type { AudioInput } from "./speech.service.ts";

/** Maximum size of a form or JSON body beside the audio. */
const ENVELOPE_BYTES = 64 * 1024;

export type SpeechRequest = { input: AudioInput; hints: SpeechHints };

/** Reads `POST /v1/stt/{model}`: a form with the file `audio`, or JSON with `audio` in base64 or a `url`. */
export async function readSpeechRequest(request: Request, reader: BodyReader): Promise<SpeechRequest> {
	if (isForm(request)) return readSpeechForm(await readForm(request, reader), reader);
	const bytes = await reader.bytes(Math.ceil((MAX_SPEECH_BYTES * 4) / 3) + ENVELOPE_BYTES);
	const body = reader.validate(TranscribeSpeech, reader.json(bytes) ?? {});
	const { audio, url, ...hints } = body;
	if (url !== undefined) return { input: { url }, hints };
	return { input: { bytes: fromBase64(audio ?? "") }, hints };
}

/** The form of a request, within the size of a recording. @throws ApiError BODY_TOO_LARGE, VALIDATION_FAILED */
export async function readForm(request: Request, reader: BodyReader): Promise<FormData> {
	const bytes = await reader.bytes(MAX_SPEECH_BYTES + ENVELOPE_BYTES);
	const headers = { "content-type": request.headers.get("content-type") ?? "" };
	return new Response(bytes as BodyInit, { headers }).formData().catch(() => {
		throw new ApiError("VALIDATION_FAILED", "The request body is not a valid multipart form");
	});
}

/** The bytes of a form's file. @throws ApiError VALIDATION_FAILED when it is missing or no file. */
export async function readFile(form: FormData, name: string): Promise<Uint8Array> {
	const file: unknown = form.get(name);
	if (file instanceof File) return new Uint8Array(await file.arrayBuffer());
	const message = file === null ? "Is required: attach the audio file" : "Must be a file";
	throw new ApiError("VALIDATION_FAILED", `${name}: ${message}`, { fields: [{ path: name, message }] });
}

/** The text fields of a form, an empty one as if it were not there. */
export function textFields(form: FormData): Record<string, string> {
	const fields: Record<string, string> = {};
	for (const [name, value] of form) if (typeof value === "string" && value !== "") fields[name] = value;
	return fields;
}

async function readSpeechForm(form: FormData, reader: BodyReader): Promise<SpeechRequest> {
	const { additional_vocab, ...fields } = textFields(form);
	const hints = {
		...fields,
		...(additional_vocab && {
			additional_vocab: reader.json(new TextEncoder().encode(additional_vocab)),
		}),
	};
	const Hints = SpeechHints.strict();
	return {
		hints: reader.validate(Hints, hints),
		input: { bytes: await readFile(form, "audio") },
	};
}

const isForm = (request: Request): boolean =>
	(request.headers.get("content-type") ?? "").toLowerCase().startsWith("multipart/form-data");
