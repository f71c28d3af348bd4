import type {
	Agent,
	AgentVersion,
	AgentVersionItem,
	AgentVersionQuery,
} from "@parley/contracts/agents/agents";
import { notFound } from "@parley/contracts/shared/api-error";
import { pageMeta } from "@parley/contracts/shared/common";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { and, desc, eq } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { configOf } from "../agent-config.ts";
import { getAgentRow } from "../agents.service.ts";
import { showAgent } from "../show-agent.ts";
import { changeAgent } from "../write-agent.ts";

const itemColumns = {
	version_number: agentVersions.versionNumber,
	config_hash: agentVersions.configHash,
	changed_fields: agentVersions.changedFields,
	source: agentVersions.source,
	actor: agentVersions.actor,
	created_at: agentVersions.createdAt,
};

const ofAgent = (ctx: Ctx, agentId: string) =>
	and(eq(agentVersions.organisationId, ctx.actor.organisation.id), eq(agentVersions.agentId, agentId));

/** Lists the versions of an agent, newest first. Their total is the agent's version number, since there are no gaps. */
export async function listAgentVersions(ctx: Ctx, agentId: string, query: AgentVersionQuery) {
	const { versionNumber: total } = await getAgentRow(ctx, agentId);
	const items: AgentVersionItem[] = await ctx.db
		.select(itemColumns)
		.from(agentVersions)
		.where(ofAgent(ctx, agentId))
		.orderBy(desc(agentVersions.versionNumber))
		.limit(query.page_size)
		.offset((query.page - 1) * query.page_size);
	return { items, meta: pageMeta(query.page, query.page_size, total) };
}

export async function getAgentVersion(ctx: Ctx, agentId: string, number: number): Promise<AgentVersion> {
	await getAgentRow(ctx, agentId);
	const [version] = await ctx.db
		.select({ ...itemColumns, config: agentVersions.config })
		.from(agentVersions)
		.where(and(ofAgent(ctx, agentId), eq(agentVersions.versionNumber, number)));
	if (!version) throw notFound("Agent version", number);
	return { ...version, config: configOf(version.config) };
}

/** Creates a new version with the configuration of an earlier one. Keeps the agent's status. */
export async function restoreAgentVersion(ctx: Ctx, agentId: string, number: number): Promise<Agent> {
	const before = await getAgentRow(ctx, agentId);
	const { config } = await getAgentVersion(ctx, agentId, number);
	const row = await changeAgent(
		{ ...ctx, ifMatch: undefined },
		before,
		{ config, status: before.status },
		{ source: "restore", action: "agent.restore", details: { restored_version: number } },
	);
	return showAgent(ctx, row);
}
