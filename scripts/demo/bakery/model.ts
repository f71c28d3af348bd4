// A model that plays the bakery's desk by a script. It reads the conversation as a real one would, and knows three wishes.
import type { ModelMessage, ModelTurn } from "@parley/testing/model-peers/model-api";
import {
	type ModelMove,
	type ScriptedModel,
	startScriptedModel,
} from "@parley/testing/model-peers/scripted-model";

export const startBakeryModel = (): Promise<ScriptedModel> => startScriptedModel(play);

type Call = (tool: string, args?: object) => ModelMove;

function play({ messages, tools }: ModelTurn): ModelMove {
	/** Calls a tool by the beginning of its name: the demo adds a suffix if the name is taken. */
	const call: Call = (tool, args = {}) => {
		const name = tools.find((offered) => offered.name.startsWith(tool))?.name ?? tool;
		return { calls: [{ name, arguments: args }] };
	};
	const asked = messages.findLastIndex(({ role }) => role === "user");
	const said = messages[asked]?.text.toLowerCase() ?? "";
	const results = messages.slice(asked).filter(({ role }) => role === "tool");
	if (said.includes("goodbye"))
		return results.length === 0 ? call("end_call") : { text: "Thank you for calling. Goodbye!" };
	if (said.includes("tuesday")) return moveOrder(call, messages, results);
	return findOrder(call, results);
}

function findOrder(call: Call, results: ModelMessage[]): ModelMove {
	const [caller, order] = results;
	if (!caller) return call("user_phone_number");
	if (!order) return call("find_order", { phone: phoneIn([caller]) });
	const { order: number, items, day } = fields(order);
	return { text: `Your order ${number}, ${items}, comes on ${day}${hours(order)}.` };
}

function moveOrder(call: Call, messages: ModelMessage[], results: ModelMessage[]): ModelMove {
	const [moved, order] = results;
	if (!moved) return call("move_order", { day: "Tuesday" });
	if (!order) return call("find_order", { phone: phoneIn(messages) });
	const { order: number, day } = fields(order);
	return { text: `Gladly: order ${number} comes on ${day}${hours(order)}. Is there anything else?` };
}

const phoneIn = (messages: ModelMessage[]): string =>
	messages.flatMap(({ role, text }) => (role === "tool" ? (/\+\d+/.exec(text)?.[0] ?? []) : []))[0] ?? "";

/** Reads the fields of a result. The instructions for its use may follow the JSON. */
const fields = ({ text }: ModelMessage): Record<string, string> => {
	try {
		return JSON.parse(text.split("\n\n")[0] ?? "{}");
	} catch {
		return {};
	}
};

const hours = (order: ModelMessage): string => {
	const { hours: between } = fields(order);
	return between ? ` ${between}` : "";
};
