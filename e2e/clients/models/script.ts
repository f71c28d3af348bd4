import type { ModelTurn } from "@parley/testing/model-peers/model-api";
import type { ModelMove } from "@parley/testing/model-peers/scripted-model";
import type { ClientAgent } from "../agent.ts";

/** What a person says, and what the model makes of it. */
export const SAYINGS = {
	call: "How is the weather in Oslo?",
	correct: "Ask with a wrong argument first",
	notJson: "Ask with arguments that are no JSON",
	unknown: "Use a tool that does not exist",
	fail: "How are the tides in Oslo?",
	direct: "Listen for a machine",
} as const;

const OSLO = { city: "Oslo" };

/** Returns the model's script for an agent: one call or two, then an answer that repeats the last result. */
export const scriptFor =
	({ weather, broken, hangUp }: ClientAgent["toolNames"]) =>
	({ messages }: ModelTurn): ModelMove => {
		const asked = messages.findLastIndex(({ role }) => role === "user");
		const results = messages.slice(asked).filter(({ role }) => role === "tool");
		const moves = MOVES[messages[asked]?.text ?? ""]?.({ weather, broken, hangUp }) ?? [];
		const next = moves[results.length];
		return next ? { calls: [next] } : { text: `Result: ${results.at(-1)?.text}` };
	};

type Names = Pick<ClientAgent["toolNames"], "weather" | "broken" | "hangUp">;
type Call = { name: string; arguments: object | string };

const MOVES: Record<string, (names: Names) => Call[]> = {
	[SAYINGS.call]: ({ weather }) => [{ name: weather, arguments: OSLO }],
	[SAYINGS.correct]: ({ weather }) => [
		{ name: weather, arguments: { town: "Oslo" } },
		{ name: weather, arguments: OSLO },
	],
	[SAYINGS.notJson]: ({ weather }) => [
		{ name: weather, arguments: '{"city": "Os' },
		{ name: weather, arguments: OSLO },
	],
	[SAYINGS.unknown]: ({ weather }) => [
		{ name: "read_tea_leaves", arguments: {} },
		{ name: weather, arguments: OSLO },
	],
	[SAYINGS.fail]: ({ broken }) => [{ name: broken, arguments: OSLO }],
	[SAYINGS.direct]: ({ hangUp }) => [{ name: hangUp, arguments: {} }],
};
