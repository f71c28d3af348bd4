import { callJson, type EngineFetch } from "../../http.ts";

export type ChatCall = {
	baseUrl: string;
	apiKey: string | undefined;
	body: Record<string, unknown>;
	deadlineMs: number;
	signal: AbortSignal | undefined;
};

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** `POST {base_url}/chat/completions`; the parsed JSON of the answer. Throws EngineError. */
export function postChat(fetch: EngineFetch, call: ChatCall): Promise<unknown> {
	const url = `${call.baseUrl.replace(/\/+$/, "")}/chat/completions`;
	const headers: Record<string, string> = { accept: "application/json", "content-type": "application/json" };
	if (call.apiKey) headers.authorization = `Bearer ${call.apiKey}`;
	return callJson(fetch, new Request(url, { method: "POST", headers, body: JSON.stringify(call.body) }), {
		deadlineMs: call.deadlineMs,
		maxResponseBytes: MAX_RESPONSE_BYTES,
		signal: call.signal,
		secrets: call.apiKey ? [call.apiKey] : [],
	});
}
