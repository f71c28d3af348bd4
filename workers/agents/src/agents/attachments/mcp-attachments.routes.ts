import { Agent } from "@parley/contracts/agents/agents";
import { AcceptDrift } from "@parley/contracts/agents/attachments";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { acceptDrift } from "./accept-drift.ts";

export const mcpAttachmentsRoutes = createAgentsRouter();

mcpAttachmentsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/{agent_id}/mcp-attachments/{attachment_id}/accept-drift",
		operationId: "acceptDrift",
		summary: "Accept a drifted MCP tool",
		description:
			"Pins the attachment to the current definition of its tool. `schema_hash` must be the hash of that definition, so that " +
			"a further change is not accepted unseen.",
		tag: "Agents",
		access: "agents:write",
		mcp: { destructiveHint: true },
		params: z.object({ agent_id: Uuid, attachment_id: Uuid }),
		body: AcceptDrift,
		response: Agent,
		errors: ["RESOURCE_NOT_FOUND", "AGENT_LOCKED", "MCP_CAPABILITY_UNAVAILABLE", "REVISION_CONFLICT"],
		idempotent: true,
	},
	({ ctx, params, body }) => acceptDrift(ctx, params.agent_id, params.attachment_id, body),
);
