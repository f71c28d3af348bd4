// An agent with a tool that calls an endpoint, and what its voice runtime asks of it.
import type { Agent } from "@parley/contracts/agents/agents";
import type { ToolCall, ToolCallResult } from "@parley/contracts/agents/tool-calls";
import type { Bootstrap } from "@parley/dev-stack/state/bootstrap";

type Json = Record<string, unknown>;

/** Publishes a tool that calls `url`, attaches it to an agent as `forecast`, and creates a key of that agent. */
export async function createLiveAgent({ baseUrl, keys }: { baseUrl: string; keys: Bootstrap }, url: string) {
	const send = async <T>(bearer: string, path: string, body?: Json): Promise<T> => {
		const response = await fetch(`${baseUrl}${path}`, {
			method: body ? "POST" : "GET",
			headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
			...(body && { body: JSON.stringify(body) }),
		});
		const answer = (await response.json()) as T;
		if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
		return answer;
	};
	const config = { type: "api_request", url, http_method: "POST", ...PARAMETERS };
	const name = `forecast-${crypto.randomUUID()}`;
	const tool = await send<{ id: string }>(keys.api_key, "/v1/agents/tools", {
		...{ name, tool_type: "api_request", config },
	});
	await send(keys.api_key, `/v1/agents/tools/${tool.id}/run`, { confirm_side_effects: true });
	await send(keys.api_key, `/v1/agents/tools/${tool.id}/publish`, {});
	const agent = await send<Agent>(keys.api_key, "/v1/agents", {
		name,
		tool_refs: [{ attachment_id: crypto.randomUUID(), tool_id: tool.id, version: 1 }],
	});
	const { key } = await send<{ key: string }>(keys.api_key, "/v1/keys", {
		...{ label: name, family: "agent", agent_id: agent.id },
	});
	const path = `/v1/agents/${agent.id}`;
	return {
		...{ agentId: agent.id, key, callPath: `${path}/tools/${name}/call` },
		call: (tool_call_id: string) => send<ToolCallResult>(key, `${path}/tools/${name}/call`, { tool_call_id }),
		records: async () => (await send<{ items: ToolCall[] }>(keys.api_key, `${path}/tool-calls`)).items,
	};
}

const PARAMETERS = { parameters: { type: "object", properties: {} } };
