import type { AgentVersionSource } from "@parley/contracts/agents/agents";
import { ApiError } from "@parley/contracts/shared/api-error";
import { preconditionFailed } from "@parley/contracts/shared/etag";
import { agentAttachments } from "@parley/db/agents/agent-attachments";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { agents } from "@parley/db/agents/agents";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { isUniqueViolation } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { apiKeys } from "@parley/db/platform/api-keys";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { auditEntry } from "../audit-log/audit.ts";
import { cancelLiveCalls, countLiveCalls } from "../calls/live-calls.ts";
import type { Ctx } from "../context.ts";
import { forgetAgent } from "../runtime/in-force/agent-in-force.ts";
import { endSessionsOf } from "../runtime/sessions/end-sessions.ts";
import { addReferences, referencesOf, replaceReferences, vaultNamesExist } from "../secrets/references.ts";
import { agentIsUnlocked, agentLockedError } from "../secrets/rotation-locks.ts";
import { type AgentRow, changedFields, hashConfig } from "./agent-config.ts";
import { mcpServersLive, mcpToolsOffered, watchServers } from "./attachments/mcp-offers.ts";
import { pinsExist } from "./attachments/pinned-versions.ts";
import { type AgentState, changedAttachments, checkReferences, isActivated } from "./reference-checks.ts";

type Statement = BatchItem<"sqlite">;
type Change = { source: AgentVersionSource; action: `agent.${string}`; details?: Record<string, unknown> };

/** Returns `console` for a change by a signed-in person, `api` for one with an API key. */
export const sourceOf = (ctx: Ctx): AgentVersionSource =>
	ctx.actor.id.startsWith("user:") ? "console" : "api";

/**
 * Inserts an agent with its first version.
 * @throws ApiError AGENT_NAME_CONFLICT, and the errors of `checkReferences`.
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
	await writeBatch(ctx, [
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
 * Changes an agent that has not changed since it was read. Creates a version if the configuration differs. Writes nothing
 * if nothing differs.
 * @throws ApiError REVISION_CONFLICT, AGENT_LOCKED, AGENT_NAME_CONFLICT, and the errors of `checkReferences`.
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
	await writeBatch(ctx, [
		...assertUnchanged(ctx, before),
		...assertReferences(ctx, next, before),
		ctx.db.update(agents).set(changes).where(sameAgent(row)),
		...(fields.length > 0 ? insertVersion(ctx, row, { changedFields: fields, source: change.source }) : []),
		...(fields.some((field) => field.endsWith("_refs"))
			? [deleteAttachments(ctx, row), ...insertAttachments(ctx, row)]
			: []),
		...replaceReferences(ctx, holderOf(row), referencesOf({ type: "agent", config })),
		audit(ctx, row, { ...change, details: { changed_fields: fields, status, ...change.details } }),
	]);
	forgetAgent(row.organisationId, row.id);
	if (status === "active") watchServers(ctx, config.mcp_refs);
	return row;
}

/**
 * Deletes an agent softly. Keeps its versions and calls; frees its name, attachments and references. Cancels its live calls,
 * because they would keep their MCP servers in use. Revokes its agent keys and ends its sessions.
 * @throws the errors of `changeAgent`
 */
export async function removeAgent(ctx: Ctx, row: AgentRow): Promise<void> {
	const deletedAt = ctx.clock().toISOString();
	const details = sql`json_object('version_number', ${row.versionNumber},
		'cancelled_calls', ${countLiveCalls(ctx, row.id)}, 'revoked_keys', ${countAgentKeys(row)})`;
	await writeBatch(ctx, [
		...assertUnchanged(ctx, row),
		auditEntry(ctx, { ...{ action: "agent.delete", details }, ...resourceOf(row) }),
		cancelLiveCalls(ctx, row.id, deletedAt),
		ctx.db.update(apiKeys).set({ deletedAt }).where(isKeyOfAgent(row)),
		endSessionsOf(ctx, row.id, deletedAt),
		ctx.db
			.update(agents)
			.set({ deletedAt, revision: row.revision + 1 })
			.where(sameAgent(row)),
		deleteAttachments(ctx, row),
		...replaceReferences(ctx, holderOf(row), []),
	]);
	forgetAgent(row.organisationId, row.id);
}

/** Runs all statements or none. Converts a failed assertion into its API error. */
async function writeBatch(ctx: Ctx, statements: Statement[]): Promise<void> {
	const [first, ...rest] = statements;
	if (!first) return;
	try {
		await ctx.db.batch([first, ...rest]);
	} catch (error) {
		throw toApiError(ctx, error);
	}
}

function toApiError(ctx: Ctx, error: unknown): unknown {
	switch (failedAssertion(error)) {
		case "AGENT_CHANGED":
			return ctx.ifMatch === undefined
				? new ApiError(
						"REVISION_CONFLICT",
						"Another request changed the agent at the same time; read it again",
					)
				: preconditionFailed();
		case "AGENT_LOCKED":
			return agentLockedError();
		case "REFERENCE_GONE":
			return new ApiError(
				"REVISION_CONFLICT",
				"Another request changed a resource that the agent refers to at the same time; try again",
			);
	}
	if (isUniqueViolation(error)) return new ApiError("AGENT_NAME_CONFLICT", "Another agent has this name");
	return error;
}

const assertUnchanged = (ctx: Ctx, row: AgentRow): Statement[] => [
	assertThat(ctx.db, agentIsUnlocked(ctx, row.id), "AGENT_LOCKED"),
	assertThat(
		ctx.db,
		sql`exists (select 1 from ${agents} where ${sameAgent(row)} and ${agents.revision} = ${row.revision})`,
		"AGENT_CHANGED",
	),
];

const sameAgent = (row: AgentRow): SQL | undefined =>
	and(eq(agents.organisationId, row.organisationId), eq(agents.id, row.id), isNull(agents.deletedAt));

/** Repeats the checks of `checkReferences` inside the batch, where no other request can interfere. */
function assertReferences(ctx: Ctx, next: AgentState, before?: AgentState): Statement[] {
	const { config } = next;
	const pinned = isActivated(next, before)
		? config.tool_refs
		: changedAttachments(config, before?.config, "tool_refs").map(({ ref }) => ref);
	const observed = changedAttachments(config, before?.config, "mcp_refs").map(({ ref }) => ref);
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

/** Inserts any number of attachments in one statement. Its columns are in the order of the table. */
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

const isKeyOfAgent = (row: AgentRow) =>
	and(eq(apiKeys.organisationId, row.organisationId), eq(apiKeys.agentId, row.id), isNull(apiKeys.deletedAt));

const countAgentKeys = (row: AgentRow): SQL =>
	sql`(select count(*) from ${apiKeys} where ${isKeyOfAgent(row)})`;

const holderOf = (row: AgentRow) =>
	({ type: "agent", id: row.id, classification: row.status === "active" ? "active" : "draft" }) as const;

const audit = (ctx: Ctx, row: AgentRow, { action, details }: Omit<Change, "source">): Statement =>
	auditEntry(ctx, {
		...{ action, ...resourceOf(row) },
		details: { version_number: row.versionNumber, ...details },
	});

const resourceOf = ({ id, name }: AgentRow) =>
	({ resourceType: "agent", resourceId: id, resourceName: name }) as const;
