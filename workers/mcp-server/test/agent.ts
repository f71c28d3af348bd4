import { env } from "cloudflare:workers";
import type { ManagementRpc } from "@parley/contracts/internal/management-rpc";
import { createOrganisation } from "@parley/testing/organisation";

/** Calls the agents API with a key. @throws Error for a refusal */
export async function callAgents<T>(key: string, method: string, path: string, body?: unknown): Promise<T> {
	const plane = env.AGENTS as unknown as ManagementRpc<unknown>;
	const response = await plane.fetch(
		new Request(`https://plane.internal/v1/agents${path}`, {
			method,
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		}),
	);
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
	return JSON.parse(text || "null") as T;
}

/** Creates an organisation with an agent that can tell the time and watch for a voicemail greeting. */
export async function createLiveAgent(given: object = {}) {
	const organisation = await createOrganisation(env.DB, { features: { curated_types_creatable: true } });
	const call = <T>(method: string, path: string, body?: unknown) =>
		callAgents<T>(organisation.key, method, path, body);
	const publish = async (name: string, tool_type: string, config: object) => {
		const { id } = await call<{ id: string }>("POST", "/tools", {
			...{ name, tool_type, description: `The tool ${name}`, config: { type: tool_type, ...config } },
		});
		await call("POST", `/tools/${id}/publish`);
		return { attachment_id: crypto.randomUUID(), tool_id: id, version: 1 };
	};
	const agent = await call<{ id: string }>("POST", "", {
		name: "Front desk",
		system_prompt: "You serve {{customer}} of {{company}}.",
		template_defaults: { company: "Acme" },
		tool_refs: [
			await publish("get_time", "current_datetime", { timezone: "Europe/Oslo" }),
			await publish("watch", "voicemail_detection", { max_wait_seconds: 7 }),
		],
		...given,
	});
	return { ...organisation, call, agentId: agent.id, path: `/v1/agents/${agent.id}/mcp` };
}
