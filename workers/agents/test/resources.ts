import type { Agent } from "@parley/contracts/agents/agents";
import type { Call } from "@parley/contracts/agents/calls";
import type { ToolCase } from "@parley/contracts/agents/tool-cases";
import type { Client } from "./client.ts";
import { publishedTool } from "./published-tool.ts";

/** Creates one resource of each kind. Returns a value for every path parameter of the plane. */
export async function resourcesOf(client: Client): Promise<Record<string, string>> {
	const tool_id = await publishedTool(client.id, {});
	const attachment_id = crypto.randomUUID();
	const name = `SECRET_${attachment_id.slice(0, 8).toUpperCase()}`;
	const [{ body: agent }, { body: server }] = await Promise.all([
		client.call<Agent>("POST", "/v1/agents", {
			name: attachment_id,
			tool_refs: [{ attachment_id, tool_id, version: 1 }],
		}),
		client.call<{ id: string }>("POST", "/v1/agents/mcp-servers", {
			name,
			url_template: "https://mcp.example/",
			transport: "streamable_http",
		}),
		client.call("POST", "/v1/agents/secrets", { name, kind: "secret", value: "value of a contract test" }),
	]);
	const { body: call } = await client.call<Call>("POST", `/v1/agents/${agent.id}/calls`, {
		direction: "inbound",
	});
	const { body: toolCase } = await client.call<ToolCase>("POST", `/v1/agents/tools/${tool_id}/cases`, {
		...{ name, expect: { status: "failed" } },
	});
	const { body: session } = await client.call<{ session_id: string }>(
		...(["POST", `/v1/agents/${agent.id}/sessions`, {}] as const),
	);
	return {
		session_id: session.session_id,
		...{ tool_id, agent_id: agent.id, attachment_id, call_id: call.id, server_id: server.id, name },
		case_id: toolCase.id,
		...{ version_number: "1", to_version: "1" },
	};
}
