import type { VaultKind } from "@parley/contracts/agents/secrets";
import type { Tool, ToolListItem } from "@parley/contracts/agents/tools";
import { toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { vaultEntries, vaultReferences } from "@parley/db/agents/vault";
import type { AddressRules } from "@parley/egress/address";
import { egressRules } from "@parley/egress/egress-rules";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { describeBuildErrors, introspectedSchema, settledBuild } from "./builds/build-record.ts";
import { CURATED_AT, type CuratedTool } from "./curated-tools.ts";
import { configProblems } from "./gates/config-rules.ts";
import { CURATED_GATES, gateStatus } from "./gates/gates.ts";
import { argumentSchema, hashContent } from "./tool-content.ts";

/** A stored tool, with the kinds of the vault entries that it names and the rules for the addresses that it calls. */
export type ToolRow = typeof tools.$inferSelect & {
	vaultKinds: Record<string, VaultKind>;
	addressRules: AddressRules;
};

const entriesOfTool = sql`(
	select json_group_object(${vaultEntries.name}, ${vaultEntries.kind}) from ${vaultReferences} join ${vaultEntries}
		on ${vaultEntries.organisationId} = ${vaultReferences.organisationId}
		and ${vaultEntries.name} = ${vaultReferences.entryName}
	where ${vaultReferences.organisationId} = ${tools.organisationId} and ${vaultReferences.holderType} = 'tool'
		and ${vaultReferences.holderId} = ${tools.id})`;

// In a statement on one table, drizzle drops the table from column names, except in a nested sql value like this.
const vaultKinds = sql`${entriesOfTool}`
	.mapWith((kinds: string) => JSON.parse(kinds) as Record<string, VaultKind>)
	.as("vault_kinds");

/** Selects a tool in one statement. It reads a single row if the tool does not refer to the vault. */
export const selectTool = (ctx: Ctx, toolId: string) =>
	ctx.db.select({ tool: tools, vaultKinds }).from(tools).where(liveTool(ctx, toolId));

/** The condition that a row is this tool and not deleted. */
export const liveTool = (ctx: Ctx, toolId: string) =>
	and(eq(tools.organisationId, ctx.actor.organisation.id), eq(tools.id, toolId), isNull(tools.deletedAt));

/** The condition that a row is this version of a tool that is not deleted. The statement joins `ofTool`. */
export const liveVersion = (ctx: Ctx, toolId: string, versionNumber: number) =>
	and(
		eq(toolVersions.organisationId, ctx.actor.organisation.id),
		eq(toolVersions.toolId, toolId),
		eq(toolVersions.versionNumber, versionNumber),
		isNull(tools.deletedAt),
	);

type Selected = { tool: typeof tools.$inferSelect } & Pick<ToolRow, "vaultKinds">;

export const toRow = (ctx: Ctx, { tool, vaultKinds }: Selected): ToolRow => ({
	...settledBuild(tool, ctx.clock()),
	vaultKinds,
	addressRules: egressRules(ctx.env),
});

export function toTool(row: ToolRow): Tool {
	return {
		id: row.id,
		organisation_id: row.organisationId,
		name: row.name,
		tool_type: row.toolType,
		config: row.config,
		description: row.description,
		declared_secrets: row.declaredSecrets,
		dependencies: row.dependencies,
		argument_defaults: row.argumentDefaults,
		code_src: row.codeSrc,
		last_run_status: row.lastRunStatus,
		source: "org",
		latest_version: row.latestVersion,
		content_hash: row.contentHash,
		is_current_hash_green: row.provenHash === row.contentHash,
		is_current_version: row.contentVersion !== null,
		schema_stale: row.builtHash !== null && row.builtHash !== row.sourceHash,
		arg_schema: argumentSchema(row, row.argSchema),
		gate_status: gateStatus(row),
		build: row.buildState && {
			state: row.buildState,
			detail: describeBuildErrors(row),
			built_at: row.builtAt,
		},
		revision: row.revision,
		created_at: row.createdAt,
		updated_at: row.updatedAt,
	};
}

/** Returns a curated tool as an organisation sees it. */
export async function toCuratedTool(ctx: Ctx, tool: CuratedTool): Promise<Tool> {
	const { config_valid, ...item } = toCuratedListItem(tool);
	return {
		...item,
		organisation_id: ctx.actor.organisation.id,
		config: tool.config,
		declared_secrets: [],
		dependencies: [],
		argument_defaults: tool.argumentDefaults,
		code_src: null,
		content_hash: await hashContent(tool),
		is_current_hash_green: false,
		is_current_version: true,
		schema_stale: false,
		gate_status: CURATED_GATES,
		build: null,
		revision: 1,
		created_at: CURATED_AT,
		updated_at: CURATED_AT,
	};
}

/** Columns that a list needs. Source code may be large, so a list does not read it. */
export const listColumns = {
	id: tools.id,
	name: tools.name,
	toolType: tools.toolType,
	description: tools.description,
	config: tools.config,
	argumentDefaults: tools.argumentDefaults,
	lastRunStatus: tools.lastRunStatus,
	latestVersion: tools.latestVersion,
	argSchema: tools.argSchema,
	sourceHash: tools.sourceHash,
	builtHash: tools.builtHash,
	declaredSecrets: tools.declaredSecrets,
	vaultKinds,
};

type ListRow = Pick<ToolRow, keyof typeof listColumns>;

export const toListItem = (ctx: Ctx, row: ListRow): ToolListItem => ({
	id: row.id,
	name: row.name,
	tool_type: row.toolType,
	description: row.description,
	source: "org",
	last_run_status: row.lastRunStatus,
	latest_version: row.latestVersion,
	config_valid: isConfigValid(ctx, row),
	arg_schema: argumentSchema(row, row.argSchema),
});

/** Returns the gate `config_valid`. It does not depend on code and dependencies, which a list does not read. */
const isConfigValid = (ctx: Ctx, row: ListRow): boolean => {
	const facts = { ...row, codeSrc: null, dependencies: [], addressRules: egressRules(ctx.env) };
	return configProblems(facts, introspectedSchema(row)).length === 0;
};

export const toCuratedListItem = (tool: CuratedTool): ToolListItem => ({
	id: tool.id,
	name: tool.name,
	tool_type: tool.toolType,
	description: tool.description,
	source: "curated",
	last_run_status: null,
	latest_version: 1,
	config_valid: true,
	arg_schema: argumentSchema(tool, null),
});
