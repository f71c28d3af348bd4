import { llm } from "@livekit/agents";
import { RunContext } from "@openai/agents";
import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { aiTools } from "../src/adapters/ai-sdk.ts";
import { livekitToolset } from "../src/adapters/livekit-agents.ts";
import { answerModelCall } from "../src/adapters/model-call.ts";
import { chatTools, responsesTools, runChatCalls, runResponsesCalls } from "../src/adapters/openai.ts";
import { agentsTools } from "../src/adapters/openai-agents.ts";
import { realtimeTools, runRealtimeCalls } from "../src/adapters/openai-realtime.ts";
import type { Directive } from "../src/runtime.ts";
import { RESULTS, refusal, sendJson, startRuntime, TOOLS } from "./runtime-server.ts";

const NAMES = TOOLS.map(({ name }) => name);
const FORECAST = '{"forecast":"clear"}\n\nRead it out in one sentence.';
const END_CALL = { type: "end_call", wait_for_completion: true };
const OSLO = '{"city":"Oslo"}';

describe("what the model gets", () => {
	test("of arguments that are no JSON object is a request to call again, and nothing runs", async () => {
		const { runtime, received } = await startRuntime();
		for (const args of ["{", "[]", "7", [], 7]) {
			const answer = await answerModelCall(runtime, { name: "get_forecast", arguments: args });
			expect(answer).toEqual({ text: expect.stringContaining("not a JSON object"), ok: false });
		}
		expect(received).toEqual([]);
	});

	test("of missing arguments is a call without any", async () => {
		const { runtime, received } = await startRuntime();
		for (const args of ["", undefined, null])
			await answerModelCall(runtime, { name: "hang_up", arguments: args });
		expect(received.map(({ body }) => body)).toEqual(Array(3).fill({ arguments: {}, deadline_ms: 60_000 }));
	});

	test("of a name that is not attached is the message that lists the tools", async () => {
		const { runtime } = await startRuntime();
		const answer = await answerModelCall(runtime, { name: "get_time", arguments: "{}" });
		expect(answer).toEqual({ text: "There is no get_time. Tools: get_forecast.", ok: false });
	});

	test("of rejected arguments names each of them", async () => {
		const fields = [
			{ path: "arguments.town", message: "Unknown property" },
			{ path: "arguments.city", message: "Is required" },
		];
		const message = "arguments.town: Unknown property";
		const rejected = {
			...RESULTS.book_table,
			...{ status: "rejected", content: `The arguments were rejected: ${message}` },
			error: { code: "INVALID_ARGUMENTS", message, fields },
		};
		const { runtime } = await startRuntime((_, response) => sendJson(response, 200, rejected));
		const { text, ok } = await answerModelCall(runtime, {
			name: "get_forecast",
			arguments: { town: "Oslo" },
		});
		expect(ok).toBe(false);
		expect(text).toBe(
			"The arguments were rejected: arguments.town: Unknown property\n\n" +
				"- arguments.town: Unknown property\n- arguments.city: Is required",
		);
	});

	test("waits until the message before it was spoken, if the message says so", async () => {
		const { runtime, received } = await startRuntime();
		await runtime.tools("openai");
		const spoken = Promise.withResolvers<void>();
		const texts: string[] = [];
		const answer = answerModelCall(
			runtime,
			{ name: "get_forecast", arguments: OSLO },
			{
				onPreActionMessage: ({ text }) => {
					texts.push(text);
					return spoken.promise;
				},
			},
		);
		await new Promise((later) => setTimeout(later, 50));
		expect(texts).toEqual(["One moment, please."]);
		expect(received).toHaveLength(1);
		spoken.resolve();
		expect((await answer).ok).toBe(true);
	});

	test("of a service that is not reached is one sentence", async () => {
		const { runtime } = await startRuntime((_, response) => {
			response.socket?.destroy();
			return true;
		});
		const call = { name: "get_forecast", arguments: OSLO };
		const answer = await answerModelCall(runtime, call, { deadlineMs: 1000 });
		expect(answer).toEqual({ text: "The tool could not be reached.", ok: false });
	});

	test("of a caller who hung up is nothing: the call ends with the signal's reason", async () => {
		const { runtime } = await startRuntime(() => true);
		const hangUp = new AbortController();
		const call = { name: "get_forecast", arguments: OSLO };
		const answer = answerModelCall(runtime, call, {}, hangUp.signal);
		hangUp.abort(new Error("The caller hung up"));
		await expect(answer).rejects.toThrow("The caller hung up");
	});

	test("of a refused key is nothing: the developer gets the error", async () => {
		const { runtime } = await startRuntime((_, response) =>
			sendJson(response, 401, refusal("AUTH_REQUIRED", "The key is unknown")),
		);
		const answer = answerModelCall(runtime, { name: "get_forecast", arguments: "{}" });
		await expect(answer).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
	});
});

const functionCall = (call_id: string, name: string, args = OSLO) =>
	({ type: "function_call", call_id, name, arguments: args }) as const;

describe("the OpenAI adapter", () => {
	test("runs the function calls of a response and returns what to send back", async () => {
		const { runtime, received } = await startRuntime();
		expect((await responsesTools(runtime)).map(({ name }) => name)).toEqual(NAMES);
		const { input, results, directives } = await runResponsesCalls(runtime, [
			functionCall("call_1", "get_forecast"),
			functionCall("call_2", "hang_up", "{}"),
		]);
		expect(input).toEqual([
			{ type: "function_call_output", call_id: "call_1", output: FORECAST },
			{ type: "function_call_output", call_id: "call_2", output: "The call ends." },
		]);
		expect(results.map(({ name }) => name)).toEqual(["get_forecast", "hang_up"]);
		expect(directives).toEqual([END_CALL]);
		expect(received.slice(1).map(({ body }) => body)).toContainEqual({
			...{ arguments: { city: "Oslo" }, tool_call_id: "call_1", deadline_ms: 60_000 },
		});
	});

	test("runs the tool calls of a chat completion", async () => {
		const { runtime } = await startRuntime();
		const [tool] = await chatTools(runtime);
		expect(tool).toMatchObject({ type: "function", function: { name: "get_forecast", strict: true } });
		const { messages } = await runChatCalls(runtime, {
			tool_calls: [
				{ id: "call_1", type: "function", function: { name: "book_table", arguments: OSLO } },
				{ id: "call_2", type: "function", function: { name: "get_forecast", arguments: OSLO } },
			],
		});
		expect(messages).toEqual([
			{ role: "tool", tool_call_id: "call_1", content: "The booking system answered 503." },
			{ role: "tool", tool_call_id: "call_2", content: FORECAST },
		]);
	});

	test("runs nothing for an answer without calls", async () => {
		const { runtime, received } = await startRuntime();
		expect((await runResponsesCalls(runtime, [])).input).toEqual([]);
		expect((await runChatCalls(runtime, {})).messages).toEqual([]);
		expect(received).toEqual([]);
	});
});

test("the Realtime adapter answers a finished response with its outputs and asks for the next", async () => {
	const { runtime } = await startRuntime();
	expect((await realtimeTools(runtime))[0]).not.toHaveProperty("strict");
	const done = {
		type: "response.done",
		event_id: "event_1",
		response: { output: [functionCall("call_1", "get_forecast"), functionCall("call_2", "hang_up", "{}")] },
	} satisfies OpenAI.Realtime.RealtimeServerEvent;
	const { events, directives } = await runRealtimeCalls(runtime, done);
	const item = (call_id: string, output: string) => ({
		type: "conversation.item.create",
		item: { type: "function_call_output", call_id, output },
	});
	expect(events).toEqual([
		item("call_1", FORECAST),
		item("call_2", "The call ends."),
		{ type: "response.create" },
	]);
	expect(directives).toEqual([END_CALL]);
	const other = { type: "input_audio_buffer.cleared", event_id: "event_2" } as const;
	expect((await runRealtimeCalls(runtime, other)).events).toEqual([]);
});

test("the OpenAI Agents adapter makes function tools that call and report directives", async () => {
	const { runtime } = await startRuntime();
	const directives: Directive[] = [];
	const tools = await agentsTools(runtime, { onDirective: (directive) => void directives.push(directive) });
	const invoke = (name: string, input: string) =>
		tools.find((tool) => tool.name === name)?.invoke(new RunContext(), input);
	expect(tools.map(({ name }) => name)).toEqual(NAMES);
	expect(await invoke("get_forecast", OSLO)).toBe(FORECAST);
	expect(await invoke("book_table", OSLO)).toBe("The booking system answered 503.");
	expect(await invoke("hang_up", "{}")).toBe("The call ends.");
	expect(directives).toEqual([END_CALL]);
});

test("the AI SDK adapter returns the result, and shows a failed call to the model as an error", async () => {
	const { runtime } = await startRuntime();
	const tools = await aiTools(runtime);
	const run = async (name: string) => {
		const options = { toolCallId: "call_1", messages: [], context: {} };
		const output = await tools[name]?.execute?.({ city: "Oslo" }, options);
		return tools[name]?.toModelOutput?.({ toolCallId: "call_1", input: {}, output });
	};
	expect(Object.keys(tools)).toEqual(NAMES);
	expect(await run("get_forecast")).toEqual({ type: "text", value: FORECAST });
	expect(await run("book_table")).toEqual({ type: "error-text", value: "The booking system answered 503." });
});

test("the LiveKit adapter makes a toolset whose failed calls are tool errors", async () => {
	const { runtime } = await startRuntime();
	const { functionTools } = new llm.ToolContext([await livekitToolset(runtime)]);
	const run = (name: string) =>
		functionTools[name]?.execute({ city: "Oslo" }, {
			toolCallId: "call_1",
			abortSignal: new AbortController().signal,
		} as llm.ToolOptions);
	expect(Object.keys(functionTools)).toEqual(NAMES);
	expect(await run("get_forecast")).toBe(FORECAST);
	const failed = await run("book_table")?.catch((error: unknown) => error);
	expect(failed).toBeInstanceOf(llm.ToolError);
	expect(failed).toMatchObject({ message: "The booking system answered 503." });
});
