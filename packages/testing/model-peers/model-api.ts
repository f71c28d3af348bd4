import { randomUUID } from "node:crypto";
import type { FunctionTool, ToolFault } from "./tool-rules.ts";

export type Json = Record<string, unknown>;

/** A message of the conversation, the same for every API. `callId` is on the result of a tool call. */
export type ModelMessage = {
	role: "system" | "user" | "assistant" | "tool";
	text: string;
	callId?: string;
	/** Whether the client marked the result as an error, where the API knows that. */
	isError?: boolean;
};
export type ModelTurn = { messages: ModelMessage[]; tools: FunctionTool[] };

/** A call that the model makes. Arguments are text and may be no JSON. */
export type ModelCall = { id: string; name: string; arguments: string };
export type ModelAnswer = { text: string | null; calls: ModelCall[] };

/** One vendor's API: what a request holds, why the vendor would refuse it, and how an answer looks. */
export type ModelApi = {
	read: (body: Json) => { turn: ModelTurn; fault: ToolFault | undefined };
	/** @param items output items that come before the answer's own, where the API knows such */
	write: (body: Json, answer: ModelAnswer, items?: Json[]) => Json;
	/** Events of a streamed answer. Absent if this model does not stream. */
	stream?: (body: Json, answer: ModelAnswer) => Json[];
};

export const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll("-", "").slice(0, 24)}`;

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

/** Returns the text of a content that is a string or a list of parts. */
export const textOf = (content: unknown): string => {
	if (typeof content === "string") return content;
	return ((content ?? []) as { text?: string }[]).map(({ text }) => text ?? "").join("");
};

/** Returns the fault of a conversation in which a call has no result, or a result no call. */
export function findOpenCall(calls: unknown[], results: unknown[]): ToolFault | undefined {
	const asked = new Set(calls.map(String));
	const answered = new Set(results.map(String));
	const open = [...asked].find((id) => !answered.has(id)) ?? [...answered].find((id) => !asked.has(id));
	if (open === undefined) return undefined;
	return { message: `Call ${open} and its output do not match`, param: "input", code: "invalid_value" };
}
