import type { Agent } from "@parley/contracts/agents/agents";
import type { AcceptDrift } from "@parley/contracts/agents/attachments";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../../context.ts";
import { getAgentRow } from "../agents.service.ts";
import { showAgent } from "../show-agent.ts";
import { changeAgent, sourceOf } from "../write-agent.ts";
import { findMcpOffers } from "./mcp-offers.ts";

/**
 * Pins an attachment to the current definition of its MCP tool.
 * @throws ApiError RESOURCE_NOT_FOUND; REVISION_CONFLICT if `schema_hash` is no longer current;
 * MCP_CAPABILITY_UNAVAILABLE if the server does not offer the tool now; and the errors of `changeAgent`.
 */
export async function acceptDrift(
	ctx: Ctx,
	agentId: string,
	attachmentId: string,
	{ schema_hash }: AcceptDrift,
): Promise<Agent> {
	const before = await getAgentRow(ctx, agentId);
	const ref = before.config.mcp_refs.find(({ attachment_id }) => attachment_id === attachmentId);
	if (!ref) throw notFound("Attachment", attachmentId);
	const offer = (await findMcpOffers(ctx, [ref])).get(ref.server_id);
	const tool = offer?.status === "healthy" ? offer.tools.get(ref.tool_name) : undefined;
	if (!tool) throw new ApiError("MCP_CAPABILITY_UNAVAILABLE", "The server does not offer this tool now");
	if (tool.schema_hash !== schema_hash) {
		const message = "The tool has changed again; read the agent for its current definition";
		throw new ApiError("REVISION_CONFLICT", message, { fields: [{ path: "schema_hash", message }] });
	}
	const mcp_refs = before.config.mcp_refs.map((each) =>
		each === ref ? { ...ref, observed_schema_hash: schema_hash } : each,
	);
	const state = { config: { ...before.config, mcp_refs }, status: before.status };
	const row = await changeAgent(ctx, before, state, {
		...{ source: sourceOf(ctx), action: "agent.accept_drift" },
		details: { attachment_id: attachmentId, from: ref.observed_schema_hash, to: schema_hash },
	});
	return showAgent(ctx, row);
}
