// A language model on loopback that speaks the APIs of OpenAI and Anthropic, follows a script, and refuses what they would refuse.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Loopback, startLoopback } from "@parley/testing/loopback";
import { chatCompletions } from "./chat-completions.ts";
import { connectHostedMcp, type HostedMcp } from "./hosted-mcp.ts";
import { messagesApi } from "./messages.ts";
import { type Json, type ModelAnswer, type ModelApi, type ModelTurn, newId } from "./model-api.ts";
import { createResponsesApi } from "./responses.ts";
import type { ToolFault } from "./tool-rules.ts";

/** What the model does next: it speaks, or calls tools. Arguments that are text are sent as they are, valid or not. */
export type ModelMove = { text: string } | { calls: { name: string; arguments: object | string }[] };

type Play = (turn: ModelTurn) => ModelMove;

export type ScriptedModel = Loopback & {
	/** Turns that the model was asked for, in order. */
	turns: ModelTurn[];
	/** Requests that a vendor would have refused. */
	faults: ToolFault[];
};

/** Starts a model on a free port. OpenAI's base URL is `${url}/v1`, Anthropic's is `url`. `play` returns the next move. */
export async function startScriptedModel(play: Play): Promise<ScriptedModel> {
	const turns: ModelTurn[] = [];
	const faults: ToolFault[] = [];
	const apis: Record<string, ModelApi> = {
		"/v1/chat/completions": chatCompletions,
		"/v1/responses": createResponsesApi(),
		"/v1/messages": messagesApi,
	};
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const body = await readJson(request);
		const api = apis[new URL(request.url ?? "/", "http://model").pathname];
		if (!api)
			return refuse(response, 404, { message: `Unknown path ${request.url}`, param: "", code: "not_found" });
		const { turn, fault } = api.read(body);
		if (fault) faults.push(fault);
		if (fault) return refuse(response, 400, fault);
		turns.push(turn);
		const hosted = await connectHostedMcp(body.tools);
		turn.tools.push(...hosted.tools);
		const move = await moveWith(hosted, play, turn);
		await hosted.close();
		if (body.stream !== true) return sendJson(response, 200, api.write(body, move, hosted.items));
		if (!api.stream)
			return refuse(response, 400, { message: "Does not stream", param: "stream", code: "unsupported" });
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (const event of api.stream(body, move)) response.write(`data: ${JSON.stringify(event)}\n\n`);
		response.end("data: [DONE]\n\n");
	};
	const loopback = await startLoopback((request, response) => {
		answer(request, response).catch((error) =>
			refuse(response, 500, { message: String(error), param: "", code: "server_error" }),
		);
	});
	return { ...loopback, turns, faults };
}

/** Plays on while the model calls tools of hosted MCP servers. Other calls are the client's. */
async function moveWith(hosted: HostedMcp, play: Play, turn: ModelTurn): Promise<ModelAnswer> {
	for (;;) {
		const answer = toAnswer(play(turn));
		const isHosted = answer.calls.some(({ name }) => hosted.tools.some((tool) => tool.name === name));
		if (!isHosted) return answer;
		for (const call of answer.calls)
			turn.messages.push({ role: "tool", callId: call.id, text: await hosted.call(call) });
	}
}

const toAnswer = (move: ModelMove): ModelAnswer => ({
	text: "text" in move ? move.text : null,
	calls: ("calls" in move ? move.calls : []).map(({ name, arguments: args }) => ({
		...{ id: newId("call"), name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
	})),
});

async function readJson(request: IncomingMessage): Promise<Json> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Answers as both vendors do: `error` with a type and a message. */
const refuse = (response: ServerResponse, status: number, fault: ToolFault): void =>
	sendJson(response, status, { type: "error", error: { type: "invalid_request_error", ...fault } });
