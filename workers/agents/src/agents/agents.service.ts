import type {
	Agent,
	AgentListItem,
	AgentQuery,
	CreateAgent,
	DuplicateAgent,
	UpdateAgent,
} from "@parley/contracts/agents/agents";
import { notFound } from "@parley/contracts/shared/api-error";
import type { ArrayPage } from "@parley/contracts/shared/common";
import { assertIfMatch } from "@parley/contracts/shared/etag";
import { agents } from "@parley/db/agents/agents";
import { countMatching } from "@parley/db/count-matching";
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { type AgentRow, configOf, mergeConfig } from "./agent-config.ts";
import { type AgentState, checkPins } from "./reference-checks.ts";
import { showAgent } from "./show-agent.ts";
import { changeAgent, insertAgent, removeAgent, sourceOf } from "./write-agent.ts";

/** Returns the row of a live agent. @throws ApiError RESOURCE_NOT_FOUND, also for another organisation's agent. */
export async function getAgentRow(ctx: Ctx, id: string): Promise<AgentRow> {
	const [row] = await ctx.db
		.select()
		.from(agents)
		.where(
			and(eq(agents.organisationId, ctx.actor.organisation.id), eq(agents.id, id), isNull(agents.deletedAt)),
		);
	if (!row) throw notFound("Agent", id);
	return row;
}

/** Returns the name of an agent, even a deleted one. @throws ApiError RESOURCE_NOT_FOUND */
export async function getAgentName(ctx: Ctx, id: string): Promise<string> {
	const [row] = await ctx.db
		.select({ name: agents.name })
		.from(agents)
		.where(and(eq(agents.organisationId, ctx.actor.organisation.id), eq(agents.id, id)));
	if (!row) throw notFound("Agent", id);
	return row.name;
}

/** Matches if an agent is not deleted, for an assertion in a batch. */
export const agentIsLive = (ctx: Ctx, id: string): SQL => sql`exists (select 1 from ${agents}
	where ${agents.organisationId} = ${ctx.actor.organisation.id} and ${agents.id} = ${id}
		and ${agents.deletedAt} is null)`;

export const getAgent = async (ctx: Ctx, id: string): Promise<Agent> =>
	showAgent(ctx, await getAgentRow(ctx, id));

export async function createAgent(ctx: Ctx, body: CreateAgent): Promise<Agent> {
	const state = { config: configOf(body), status: body.status };
	return showAgent(ctx, await insertAgent(ctx, state, { source: sourceOf(ctx), action: "agent.create" }));
}

export async function updateAgent(ctx: Ctx, id: string, body: UpdateAgent): Promise<Agent> {
	const before = await getAgentRow(ctx, id);
	const state = { config: mergeConfig(before.config, body), status: body.status ?? before.status };
	return saveAgent(ctx, before, state);
}

export async function replaceAgent(ctx: Ctx, id: string, body: CreateAgent): Promise<Agent> {
	return saveAgent(ctx, await getAgentRow(ctx, id), { config: configOf(body), status: body.status });
}

async function saveAgent(ctx: Ctx, before: AgentRow, state: AgentState): Promise<Agent> {
	await assertIfMatch(ctx, await showAgent(ctx, before));
	checkPins(state.config, before.config);
	return showAgent(
		ctx,
		await changeAgent(ctx, before, state, { source: sourceOf(ctx), action: "agent.update" }),
	);
}

export async function deleteAgent(ctx: Ctx, id: string): Promise<void> {
	const row = await getAgentRow(ctx, id);
	await assertIfMatch(ctx, await showAgent(ctx, row));
	await removeAgent(ctx, row);
}

/** Creates an agent with the same configuration and status under a new name. */
export async function duplicateAgent(ctx: Ctx, id: string, { name }: DuplicateAgent): Promise<Agent> {
	const { config, status } = await getAgentRow(ctx, id);
	const state = { config: { ...config, name }, status };
	const details = { duplicate_of: id };
	return showAgent(
		ctx,
		await insertAgent(ctx, state, { source: sourceOf(ctx), action: "agent.create", details }),
	);
}

/** Lists the live agents of an organisation, by name. */
export async function listAgents(ctx: Ctx, query: AgentQuery): Promise<ArrayPage<AgentListItem>> {
	const matching = and(
		eq(agents.organisationId, ctx.actor.organisation.id),
		isNull(agents.deletedAt),
		query.name && sql`${agents.name} in (select value from json_each(${JSON.stringify(query.name)}))`,
	);
	const [rows, [counted]] = await ctx.db.batch([
		ctx.db
			.select(listColumns)
			.from(agents)
			.where(matching)
			.orderBy(asc(agents.name), asc(agents.id))
			.limit(query.limit)
			.offset(query.offset),
		countMatching(ctx.db, agents, matching),
	]);
	const items = rows.map((row) => ({ ...row, outbound_enabled: row.outbound_enabled === 1 }));
	return { items, total: counted?.total ?? 0 };
}

/** Selects one member of the configuration as a column. In a batch, D1 requires distinct column names. */
const inConfig = <T>(field: string) => sql<T>`${agents.config} ->> ${`$.${field}`}`.as(field);

/** Columns of a list item. Configurations may be large, so only their short fields are read. */
const listColumns = {
	id: agents.id,
	organisation_id: agents.organisationId,
	name: agents.name,
	description: inConfig<string>("description"),
	status: agents.status,
	language: inConfig<string>("language"),
	region: inConfig<AgentListItem["region"]>("region"),
	inbound_enabled: agents.inboundEnabled,
	outbound_enabled: inConfig<0 | 1>("outbound_enabled"),
	version_number: agents.versionNumber,
	revision: agents.revision,
	created_at: agents.createdAt,
	updated_at: agents.updatedAt,
};
