import { callStream, type EngineFetch } from "../../transport/http.ts";
import { type OpenAiServer, postTo, secretsOf } from "../../transport/openai-server.ts";

export type SpeechCall = OpenAiServer & {
	body: Record<string, unknown>;
	deadlineMs: number;
	signal: AbortSignal | undefined;
};

/** Maximum size of an error that the server answers with instead of audio. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Sends `POST {base_url}/audio/speech` and returns the answer, whose body is the audio. @throws EngineError */
export function postSpeech(fetch: EngineFetch, call: SpeechCall): Promise<Response> {
	const headers = { "content-type": "application/json" };
	const body = JSON.stringify(call.body);
	return callStream(fetch, postTo(call, "/audio/speech", { headers, body }), {
		deadlineMs: call.deadlineMs,
		maxResponseBytes: MAX_ERROR_BYTES,
		signal: call.signal,
		secrets: secretsOf(call),
	});
}
