import type { Agent, AgentConfig, ImportAgent, ImportPlan } from "@parley/contracts/agents/agents";
import { ApiError } from "@parley/contracts/shared/api-error";
import { agents } from "@parley/db/agents/agents";
import { and, eq, isNull } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { referencesOf } from "../../secrets/references.ts";
import { configOf, hashConfig } from "../agent-config.ts";
import { getAgentRow } from "../agents.service.ts";
import { checkReferences } from "../reference-checks.ts";
import { showAgent } from "../show-agent.ts";
import { insertAgent } from "../write-agent.ts";

export const exportAgent = async (ctx: Ctx, id: string): Promise<AgentConfig> =>
	configOf((await getAgentRow(ctx, id)).config);

export async function importAgent(ctx: Ctx, body: ImportAgent): Promise<Agent> {
	const state = { config: configOf(body), status: "active" as const };
	return showAgent(ctx, await insertAgent(ctx, state, { source: "import", action: "agent.import" }));
}

/** Returns the agent that an import would create, without writing it. Throws the same errors as the import. */
export async function planImport(ctx: Ctx, body: ImportAgent): Promise<ImportPlan> {
	const config = configOf(body);
	await checkReferences(ctx, { config, status: "active" });
	await assertNameFree(ctx, config.name);
	const vault = referencesOf({ type: "agent", config }).map(({ name }) => name);
	return {
		dry_run: true,
		action: "create",
		name: config.name,
		config_hash: await hashConfig(config),
		references: {
			tools: config.tool_refs.map(({ tool_id, version }) => ({ tool_id, version })),
			mcp_tools: config.mcp_refs.map(({ server_id, tool_name }) => ({ server_id, tool_name })),
			vault: [...new Set(vault)].sort(),
		},
	};
}

async function assertNameFree(ctx: Ctx, name: string): Promise<void> {
	const [taken] = await ctx.db
		.select({ id: agents.id })
		.from(agents)
		.where(
			and(
				eq(agents.organisationId, ctx.actor.organisation.id),
				eq(agents.name, name),
				isNull(agents.deletedAt),
			),
		);
	if (taken) throw new ApiError("AGENT_NAME_CONFLICT", "Another agent has this name");
}
