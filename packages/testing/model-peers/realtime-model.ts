// OpenAI's Realtime API on loopback, in text: a WebSocket that follows a script and refuses what OpenAI would refuse.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { WebSocketServer } from "ws";
import { type Json, newId } from "./model-api.ts";
import type { ModelMove } from "./scripted-model.ts";
import { type FunctionTool, findOpenAiFault } from "./tool-rules.ts";

const CERTIFICATE = join(import.meta.dirname, "../mcp-peers/self-signed.pem");

export type RealtimeModel = {
	/** Address without a path; OpenAI's base URL is `${url}/v1`. OpenAI's client insists on TLS. */
	url: string;
	/** Certificate to trust, as `NODE_EXTRA_CA_CERTS` takes it. */
	certificate: string;
	/** Outputs of calls that clients have sent. */
	outputs: string[];
	stop: () => Promise<void>;
};

/** Starts a model on a free port. `play` gets what was said last: the user's text or the output of a call. */
export async function startRealtimeModel(play: (said: string) => ModelMove): Promise<RealtimeModel> {
	const pem = readFileSync(CERTIFICATE);
	const server = createServer({ key: pem, cert: pem }, (_, response) => response.writeHead(426).end());
	const sockets = new WebSocketServer({ server });
	const outputs: string[] = [];
	sockets.on("connection", (socket) => {
		let said = "";
		const send = (event: Json) => socket.send(JSON.stringify({ event_id: newId("event"), ...event }));
		send({ type: "session.created", session: { type: "realtime", model: "gpt-realtime" } });
		socket.on("message", (data) => {
			const event = JSON.parse(String(data)) as Json;
			const fault = faultOf(event);
			if (fault !== undefined)
				return send({ type: "error", error: { type: "invalid_request_error", message: fault } });
			const item = event.item as { type: string; output?: string; content?: { text: string }[] } | undefined;
			if (item?.type === "function_call_output") outputs.push(item.output ?? "");
			if (item) said = item.output ?? item.content?.map(({ text }) => text).join("") ?? "";
			if (event.type === "session.update") send({ type: "session.updated", session: event.session });
			if (event.type === "response.create") send(responseDone(play(said)));
		});
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	return {
		url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
		certificate: CERTIFICATE,
		outputs,
		stop: async () => {
			for (const socket of sockets.clients) socket.terminate();
			await new Promise((closed) => server.close(closed));
		},
	};
}

/** Returns why OpenAI would refuse an event. Its tools have no `strict`. */
function faultOf({ type, session }: Json): string | undefined {
	if (type !== "session.update") return undefined;
	const tools = ((session as Json).tools ?? []) as FunctionTool[];
	const strict = tools.findIndex((tool) => "strict" in tool);
	if (strict >= 0) return `Unknown parameter: 'session.tools[${strict}].strict'.`;
	return findOpenAiFault(tools)?.message;
}

function responseDone(move: ModelMove): Json {
	const output =
		"text" in move
			? [
					{
						id: newId("item"),
						type: "message",
						role: "assistant",
						content: [{ type: "output_text", text: move.text }],
					},
				]
			: move.calls.map(({ name, arguments: args }) => ({
					...{ id: newId("item"), type: "function_call", call_id: newId("call"), name },
					arguments: typeof args === "string" ? args : JSON.stringify(args),
				}));
	return {
		type: "response.done",
		response: { id: newId("resp"), object: "realtime.response", status: "completed", output },
	};
}
