import type { AgentVersionSource } from "@parley/contracts/agents/agents";
import { ApiError } from "@parley/contracts/shared/api-error";
import { preconditionFailed } from "@parley/contracts/shared/etag";
import { agentAttachments } from "@parley/db/agents/agent-attachments";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { agents } from "@parley/db/agents/agents";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { isUniqueViolation } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { auditEntry } from "../audit-log/audit.ts";
import { cancelLiveCalls, countLiveCalls } from "../calls/live-calls.ts";
import type { Ctx } from "../context.ts";
import { addReferences, referencesOf, replaceReferences, vaultNamesExist } from "../secrets/references.ts";
import { agentLockCondition, agentLocked } from "../secrets/rotation-locks.ts";
import { type AgentRow, changedFields, hashConfig } from "./agent-config.ts";
import { mcpServersLive, mcpToolsOffered, watchServers } from "./attachments/mcp-offers.ts";
import { pinsExist } from "./attachments/pinned-versions.ts";
import { type AgentState, changed, checkReferences, isActivated } from "./reference-checks.ts";

type Statement = BatchItem<"sqlite">;
type Change = { source: AgentVersionSource; action: `agent.${string}`; details?: Record<string, unknown> };

/** Changes made with a console session carry the person; all others come with an API key. */
export const sourceOf = (ctx: Ctx): AgentVersionSource =>
	ctx.actor.id.startsWith("user:") ? "console" : "api";

/**
 * Makes an agent with its first version.
 * @throws ApiError AGENT_NAME_CONFLICT, and what `checkReferences` throws.
 */
export async function insertAgent(ctx: Ctx, next: AgentState, change: Change): Promise<AgentRow> {
	const { config, status } = next;
	await checkReferences(ctx, next);
	const now = ctx.clock().toISOString();
	const row: AgentRow = {
		organisationId: ctx.actor.organisation.id,
		id: newId(),
		...{ name: config.name, status, inboundEnabled: config.inbound_enabled },
		config,
		configHash: await hashConfig(config),
		versionNumber: 1,
		revision: 1,
		createdBy: ctx.actor.id,
		createdAt: now,
		updatedAt: now,
		deletedAt: null,
	};
	await write(ctx, [
		...assertReferences(ctx, next),
		ctx.db.insert(agents).values(row),
		...insertVersion(ctx, row, { changedFields: [], source: change.source }),
		...insertAttachments(ctx, row),
		...replaceReferences(ctx, holderOf(row), referencesOf({ type: "agent", config })),
		audit(ctx, row, change),
	]);
	if (status === "active") watchServers(ctx, config.mcp_refs);
	return row;
}

/**
 * Brings an agent into another state, on condition that it is still as it was read. A new version is made when its
 * configuration differs; nothing at all is written when nothing differs.
 * @throws ApiError REVISION_CONFLICT, AGENT_LOCKED, AGENT_NAME_CONFLICT, and what `checkReferences` throws.
 */
export async function changeAgent(
	ctx: Ctx,
	before: AgentRow,
	next: AgentState,
	change: Change,
): Promise<AgentRow> {
	const { config, status } = next;
	const fields = changedFields(before.config, config);
	if (fields.length === 0 && status === before.status) return before;
	await checkReferences(ctx, next, before);
	const changes = {
		...{ name: config.name, status, inboundEnabled: config.inbound_enabled },
		config,
		configHash: await hashConfig(config),
		versionNumber: before.versionNumber + (fields.length > 0 ? 1 : 0),
		revision: before.revision + 1,
		updatedAt: ctx.clock().toISOString(),
	};
	const row: AgentRow = { ...before, ...changes };
	await write(ctx, [
		...assertUntouched(ctx, before),
		...assertReferences(ctx, next, before),
		ctx.db.update(agents).set(changes).where(sameAgent(row)),
		...(fields.length > 0 ? insertVersion(ctx, row, { changedFields: fields, source: change.source }) : []),
		...(fields.some((field) => field.endsWith("_refs"))
			? [deleteAttachments(ctx, row), ...insertAttachments(ctx, row)]
			: []),
		...replaceReferences(ctx, holderOf(row), referencesOf({ type: "agent", config })),
		audit(ctx, row, { ...change, details: { changed_fields: fields, status, ...change.details } }),
	]);
	if (status === "active") watchServers(ctx, config.mcp_refs);
	return row;
}

/**
 * Deletes an agent softly. Its versions and calls stay; its name, attachments and references are free. Its live calls end
 * as cancelled, because they would keep the MCP servers that they refer to in use.
 * @throws as `changeAgent`
 */
export async function removeAgent(ctx: Ctx, row: AgentRow): Promise<void> {
	const deletedAt = ctx.clock().toISOString();
	const details = sql`json_object('version_number', ${row.versionNumber},
		'cancelled_calls', ${countLiveCalls(ctx, row.id)})`;
	await write(ctx, [
		...assertUntouched(ctx, row),
		auditEntry(ctx, { ...{ action: "agent.delete", details }, ...resourceOf(row) }),
		cancelLiveCalls(ctx, row.id, deletedAt),
		ctx.db
			.update(agents)
			.set({ deletedAt, revision: row.revision + 1 })
			.where(sameAgent(row)),
		deleteAttachments(ctx, row),
		...replaceReferences(ctx, holderOf(row), []),
	]);
}

/** All statements or none; a failed assertion becomes the refusal that it stands for. */
async function write(ctx: Ctx, statements: Statement[]): Promise<void> {
	const [first, ...rest] = statements;
	if (!first) return;
	try {
		await ctx.db.batch([first, ...rest]);
	} catch (error) {
		throw refusal(ctx, error);
	}
}

function refusal(ctx: Ctx, error: unknown): unknown {
	switch (failedAssertion(error)) {
		case "AGENT_CHANGED":
			return ctx.ifMatch === undefined
				? new ApiError("REVISION_CONFLICT", "The agent was changed at the same time; read it again")
				: preconditionFailed();
		case "AGENT_LOCKED":
			return agentLocked();
		case "REFERENCE_GONE":
			return new ApiError(
				"REVISION_CONFLICT",
				"Something that the agent refers to was changed at the same time; try again",
			);
	}
	if (isUniqueViolation(error)) return new ApiError("AGENT_NAME_CONFLICT", "Another agent has this name");
	return error;
}

const assertUntouched = (ctx: Ctx, row: AgentRow): Statement[] => [
	assertThat(ctx.db, agentLockCondition(ctx, row.id), "AGENT_LOCKED"),
	assertThat(
		ctx.db,
		sql`exists (select 1 from ${agents} where ${sameAgent(row)} and ${agents.revision} = ${row.revision})`,
		"AGENT_CHANGED",
	),
];

const sameAgent = (row: AgentRow): SQL | undefined =>
	and(eq(agents.organisationId, row.organisationId), eq(agents.id, row.id), isNull(agents.deletedAt));

/** The checks of `checkReferences` that another request may have overtaken, once more where nobody can. */
function assertReferences(ctx: Ctx, next: AgentState, before?: AgentState): Statement[] {
	const { config } = next;
	const pinned = isActivated(next, before)
		? config.tool_refs
		: changed(config, before?.config, "tool_refs").map(({ ref }) => ref);
	const observed = changed(config, before?.config, "mcp_refs").map(({ ref }) => ref);
	const references = referencesOf({ type: "agent", config });
	const conditions = [
		references.length > 0 && vaultNamesExist(ctx, references),
		pinned.length > 0 && pinsExist(ctx, pinned),
		observed.length > 0 && mcpToolsOffered(ctx, observed),
		isActivated(next, before) && config.mcp_refs.length > 0 && mcpServersLive(ctx, config.mcp_refs),
	];
	return conditions.flatMap((condition) =>
		condition ? [assertThat(ctx.db, condition, "REFERENCE_GONE")] : [],
	);
}

function insertVersion(
	ctx: Ctx,
	row: AgentRow,
	{ changedFields, source }: { changedFields: string[]; source: AgentVersionSource },
): Statement[] {
	const id = newId();
	const { organisationId, versionNumber, config, configHash, updatedAt } = row;
	const references = referencesOf({ type: "agent_version", config });
	return [
		ctx.db.insert(agentVersions).values({
			...{ organisationId, id, agentId: row.id, versionNumber, config, configHash },
			...{ changedFields, source, actor: ctx.actor.id, createdAt: updatedAt },
		}),
		...(references.length > 0
			? [addReferences(ctx, { type: "agent_version", id, classification: "historical" }, references)]
			: []),
	];
}

const deleteAttachments = (ctx: Ctx, row: AgentRow): Statement =>
	ctx.db
		.delete(agentAttachments)
		.where(
			and(eq(agentAttachments.organisationId, row.organisationId), eq(agentAttachments.agentId, row.id)),
		);

/** One statement whatever the number of attachments; its columns are the table's, in order. */
function insertAttachments(ctx: Ctx, row: AgentRow): Statement[] {
	const { tool_refs, mcp_refs } = row.config;
	if (tool_refs.length + mcp_refs.length === 0) return [];
	const pointers = [
		...tool_refs.map(({ attachment_id, tool_id, version }) => ({
			kind: "tool",
			attachment_id,
			tool_id,
			version,
		})),
		...mcp_refs.map(({ attachment_id, server_id, tool_name, observed_schema_hash }) => ({
			...{ kind: "mcp", attachment_id, server_id, tool_name, observed_schema_hash },
		})),
	];
	return [
		ctx.db.insert(agentAttachments).select(sql`
			select ${row.organisationId}, ${row.id}, value ->> 'attachment_id', value ->> 'kind', value ->> 'tool_id',
				value ->> 'version', value ->> 'server_id', value ->> 'tool_name', value ->> 'observed_schema_hash'
			from json_each(${JSON.stringify(pointers)})`),
	];
}

const holderOf = (row: AgentRow) =>
	({ type: "agent", id: row.id, classification: row.status === "active" ? "active" : "draft" }) as const;

const audit = (ctx: Ctx, row: AgentRow, { action, details }: Omit<Change, "source">): Statement =>
	auditEntry(ctx, {
		...{ action, ...resourceOf(row) },
		details: { version_number: row.versionNumber, ...details },
	});

const resourceOf = ({ id, name }: AgentRow) =>
	({ resourceType: "agent", resourceId: id, resourceName: name }) as const;
