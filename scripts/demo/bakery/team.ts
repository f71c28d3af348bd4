// What the bakery's team does: tools, an agent, a key for its voice runtime, and an upgrade during a call.
import { randomBytes, randomUUID } from "node:crypto";
import type { DemoWalk } from "../walk.ts";
import { CALLER } from "./orders.ts";

type Json = Record<string, unknown>;
type Call = DemoWalk["call"];

const PROMPT =
	"You answer the telephone of {{shop}}. Be brief: one or two sentences. " +
	"To find an order, take the caller's number from user_phone_number and pass it to find_order. " +
	"To change the day of delivery, use move_order, then find_order again. " +
	"When the caller says goodbye, use end_call.";

export type Bakery = {
	agentId: string;
	/** Names of the tools, in the order of the toolset. */
	toolNames: string[];
	/** Key of the voice runtime, bound to the agent. */
	agentKey: string;
	/** Publishes a new version of `find_order` and accepts it. @returns the tool's version and the agent's */
	upgrade: () => Promise<{ tool: number; agent: number }>;
	/** Deletes everything. */
	cleanUp: () => Promise<void>;
};

/** Creates everything in an organisation that may have tools of the same names. */
export async function openBakery(call: Call, ordersUrl: string, token: string): Promise<Bakery> {
	const run = randomBytes(3).toString("hex");
	const secret_name = `BAKERY_TOKEN_${run.toUpperCase()}`;
	await call("POST", "/secrets", { name: secret_name, kind: "secret", value: token }, 201);
	const auth = { type: "bearer", secret_name };
	const phone = { type: "string", description: "The caller's phone number" };
	const day = { type: "string", description: "Day of the week, in English" };
	const find = { ...request(`${ordersUrl}/orders`, "GET", { phone }), auth };
	const findOrder = await createTool(call, "find_order", "Finds the caller's order.", find);
	await prove(call, findOrder.id, { phone: CALLER });
	const move = { ...request(`${ordersUrl}/orders`, "POST", { day }), auth };
	const moveOrder = await createTool(call, "move_order", "Moves the caller's order to another day.", move);
	await prove(call, moveOrder.id, { day: "Monday" });
	const attachment_id = randomUUID();
	const system = await Promise.all(["user_phone_number", "end_call"].map((name) => systemTool(call, name)));
	const tools = [findOrder, moveOrder, ...system];
	const agent = await call(
		"POST",
		"",
		{
			...{ name: `Miller's Bakery ${run}`, system_prompt: PROMPT },
			...{
				greeting: "{{shop}}, good morning! How can I help you?",
				template_defaults: { shop: "Miller's Bakery" },
			},
			tool_refs: tools.map(({ id }, index) => ({
				...{ attachment_id: index === 0 ? attachment_id : randomUUID(), tool_id: id, version: 1 },
			})),
		},
		201,
	);
	const key = await call(
		"POST",
		"/v1/keys",
		{ label: "Demo: telephone", family: "agent", agent_id: agent.id },
		201,
	);
	return {
		agentId: String(agent.id),
		toolNames: tools.map(({ name }) => name),
		agentKey: String(key.key),
		upgrade: async () => {
			await call("PATCH", `/tools/${findOrder.id}`, { config: { ...find, url: `${ordersUrl}/v2/orders` } });
			const version = await prove(call, findOrder.id, { phone: CALLER });
			const path = `/tools/agents/${agent.id}/attachments/${attachment_id}`;
			const preview = await call("POST", `${path}/upgrade-preview/${version}`);
			await call("POST", `${path}/upgrade-accept`, acceptance(preview));
			const { version_number } = await call("GET", `/${agent.id}`);
			return { tool: version, agent: Number(version_number) };
		},
		cleanUp: async () => {
			await call("DELETE", `/v1/keys/${key.id}`, undefined, 204);
			await call("DELETE", `/${agent.id}`, undefined, 204);
			for (const { id } of [findOrder, moveOrder]) await call("DELETE", `/tools/${id}`, undefined, 204);
			await call("DELETE", `/secrets/${secret_name}`, undefined, 204);
		},
	};
}

const request = (url: string, http_method: string, properties: Json) => ({
	...{ type: "api_request", url, http_method },
	parameters: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
});

type Named = { id: string; name: string };

/** Creates a draft under a name, or under one with a suffix if a tool has the name already. */
async function createTool(call: Call, wanted: string, description: string, config: Json): Promise<Named> {
	const isTaken = (await toolsNamed(call, wanted)).length > 0;
	const name = isTaken ? `${wanted}_${randomBytes(2).toString("hex")}` : wanted;
	const { id } = await call("POST", "/tools", { name, tool_type: "api_request", description, config }, 201);
	return { id: String(id), name };
}

/** Runs a draft and publishes what ran. @returns the version */
async function prove(call: Call, toolId: string, sample_input: Json): Promise<number> {
	const { status, error } = await call("POST", `/tools/${toolId}/run`, {
		...{ sample_input, confirm_side_effects: true },
	});
	if (status !== "succeeded") throw new Error(`The run ended as ${status}: ${JSON.stringify(error)}`);
	return Number((await call("POST", `/tools/${toolId}/publish`)).version_number);
}

/** Returns a tool that every organisation has. */
async function systemTool(call: Call, name: string): Promise<Named> {
	const [tool] = await toolsNamed(call, name);
	if (!tool) throw new Error(`There is no tool ${name}`);
	return tool;
}

const toolsNamed = async (call: Call, name: string): Promise<Named[]> =>
	((await call("GET", `/tools?name=${name}`)) as unknown as Named[]).filter((tool) => tool.name === name);

const acceptance = (preview: Json): Json =>
	Object.fromEntries(
		Object.entries(preview).filter(([key]) => key === "to_version" || key.endsWith("_hash")),
	);
