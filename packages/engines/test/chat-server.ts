import { startLoopback } from "@parley/testing/loopback";
import { onTestFinished } from "vitest";
import type { ChatMessage } from "../src/language/prompted/chat.ts";

export type ChatBody = {
	model: string;
	messages: ChatMessage[];
	response_format?: { type: string; json_schema?: { name: string; schema: object } };
	[setting: string]: unknown;
};

/** Returns the parsed JSON between two tags of the request's first message with data. */
export function dataOf<T = { id: number; text: string }[]>(body: ChatBody, label = "transcript"): T {
	const [, json = ""] =
		new RegExp(`<${label}>\n(.*)\n</${label}>`).exec(body.messages[1]?.content ?? "") ?? [];
	return JSON.parse(json) as T;
}

type Reply = unknown | { status: number; headers?: Record<string, string>; body?: unknown };

/**
 * A server of chat completions on a free loopback port, for one test. A reply that is text is what the model says; an object
 * without a status is said as JSON.
 */
export async function startChatServer(reply: (body: ChatBody, call: number) => Reply) {
	const calls: { body: ChatBody; authorization: string | undefined }[] = [];
	const { url, stop } = await startLoopback(async (request, response) => {
		let text = "";
		for await (const piece of request) text += piece;
		const body = JSON.parse(text) as ChatBody;
		const given = reply(body, calls.push({ body, authorization: request.headers.authorization }));
		const isRaw = typeof given === "object" && given !== null && "status" in given;
		const {
			status,
			headers,
			body: raw,
		} = isRaw
			? (given as { status: number; headers?: Record<string, string>; body?: unknown })
			: { status: 200, headers: {}, body: undefined };
		const content = typeof given === "string" ? given : JSON.stringify(given);
		const answer = isRaw
			? raw
			: { choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] };
		const path = request.url === "/v1/chat/completions" ? status : 404;
		response.writeHead(path, { "content-type": "application/json", ...headers });
		response.end(JSON.stringify(answer));
	});
	onTestFinished(stop);
	return { baseUrl: `${url}/v1`, calls };
}
