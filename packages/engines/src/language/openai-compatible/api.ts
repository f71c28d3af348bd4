import { callJson, type EngineFetch } from "../../transport/http.ts";
import { type OpenAiServer, postTo, secretsOf } from "../../transport/openai-server.ts";

export type ChatCall = OpenAiServer & {
	body: Record<string, unknown>;
	deadlineMs: number;
	signal: AbortSignal | undefined;
};

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** Sends `POST {base_url}/chat/completions` and returns the JSON of the response. @throws EngineError */
export function postChat(fetch: EngineFetch, call: ChatCall): Promise<unknown> {
	const headers = { accept: "application/json", "content-type": "application/json" };
	const body = JSON.stringify(call.body);
	return callJson(fetch, postTo(call, "/chat/completions", { headers, body }), {
		deadlineMs: call.deadlineMs,
		maxResponseBytes: MAX_RESPONSE_BYTES,
		signal: call.signal,
		secrets: secretsOf(call),
	});
}
