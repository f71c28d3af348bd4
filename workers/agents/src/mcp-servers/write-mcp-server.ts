import type { CreateMcpServer, McpServer, UpdateMcpServer } from "@parley/contracts/agents/mcp-servers";
import { ApiError } from "@parley/contracts/shared/api-error";
import { assertIfMatch, preconditionFailed } from "@parley/contracts/shared/etag";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { isUniqueViolation } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { egressRules } from "@parley/egress/egress-rules";
import { configOf, liveServer, type ServerRow } from "@parley/mcp-servers/server-row";
import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { auditEntry } from "../audit-log/audit.ts";
import type { Ctx } from "../context.ts";
import { referencesOf, replaceReferences } from "../secrets/references.ts";
import { mcpClientOf } from "./mcp-client.ts";
import { readServer, withCapabilities } from "./mcp-servers.service.ts";
import { assertServerAllowed } from "./server-rules.ts";

type Statement = BatchItem<"sqlite">;

/** Registers a server. Does not connect to it. @throws ApiError VALIDATION_FAILED, MCP_SERVER_NAME_CONFLICT */
export async function createMcpServer(ctx: Ctx, body: CreateMcpServer): Promise<McpServer> {
	const now = ctx.clock().toISOString();
	const row: ServerRow = {
		...{ organisationId: ctx.actor.organisation.id, id: newId() },
		...{ name: body.name, description: body.description, urlTemplate: body.url_template },
		...{ transport: body.transport, auth: body.auth, headers: body.headers, revision: 1 },
		...NOT_OBSERVED,
		...{ capabilityRevision: 0, capabilityToolCount: 0, capabilityObservedAt: null },
		...{ capabilityAttemptedAt: null, createdBy: ctx.actor.id },
		...{ createdAt: now, updatedAt: now, deletedAt: null },
	};
	assertAllowed(ctx, row);
	await write(ctx, [
		ctx.db.insert(mcpServers).values(row),
		...indexReferences(ctx, row),
		audit(ctx, "mcp_server.create", row),
	]);
	return withCapabilities(ctx, row);
}

/**
 * Changes a server. Resets its health, because earlier results do not apply to the new configuration.
 * @throws ApiError RESOURCE_NOT_FOUND, VALIDATION_FAILED, MCP_SERVER_NAME_CONFLICT, REVISION_CONFLICT
 */
export async function updateMcpServer(ctx: Ctx, id: string, body: UpdateMcpServer): Promise<McpServer> {
	const before = await readServer(ctx, id);
	await assertIfMatch(ctx, await withCapabilities(ctx, before));
	const { url_template: urlTemplate = before.urlTemplate, ...fields } = body;
	const changed = changedFields(before, { ...fields, urlTemplate });
	if (changed.length === 0) return withCapabilities(ctx, before);
	const changes = {
		...{ ...fields, urlTemplate, ...NOT_OBSERVED },
		revision: before.revision + 1,
		updatedAt: ctx.clock().toISOString(),
	};
	const row: ServerRow = { ...before, ...changes };
	assertAllowed(ctx, row);
	await write(ctx, [
		assertUnchanged(ctx, before),
		ctx.db.update(mcpServers).set(changes).where(liveServer(ctx, id)),
		...indexReferences(ctx, row),
		audit(ctx, "mcp_server.update", row, { changed_fields: changed }),
	]);
	ctx.defer(mcpClientOf(ctx).reconfigure({ organisationId: row.organisationId, serverId: id }));
	return withCapabilities(ctx, row);
}

const NOT_OBSERVED = { capabilityStatus: "unknown", capabilityError: null, nextRefreshAt: null } as const;

/** Runs all statements or none. @throws ApiError REVISION_CONFLICT, PRECONDITION_FAILED, MCP_SERVER_NAME_CONFLICT */
export async function write(ctx: Ctx, [first, ...rest]: [Statement, ...Statement[]]): Promise<void> {
	try {
		await ctx.db.batch([first, ...rest]);
	} catch (error) {
		if (failedAssertion(error) === "SERVER_CHANGED") throw changedMeanwhile(ctx);
		if (!isUniqueViolation(error)) throw error;
		const message = "Another MCP server has this name";
		throw new ApiError("MCP_SERVER_NAME_CONFLICT", message, { fields: [{ path: "name", message }] });
	}
}

const changedMeanwhile = (ctx: Ctx): ApiError =>
	ctx.ifMatch === undefined
		? new ApiError(
				"REVISION_CONFLICT",
				"Another request changed the MCP server at the same time; read it again",
			)
		: preconditionFailed();

/** Fails the batch if the server has changed since it was read. */
export const assertUnchanged = (ctx: Ctx, { id, revision }: ServerRow): Statement =>
	assertThat(
		ctx.db,
		sql`exists (select 1 from ${mcpServers} where ${liveServer(ctx, id)} and ${mcpServers.revision} = ${revision})`,
		"SERVER_CHANGED",
	);

export const audit = (
	ctx: Ctx,
	action: `mcp_server.${string}`,
	{ id, name, revision }: ServerRow,
	details: Record<string, unknown> = {},
): Statement =>
	auditEntry(ctx, {
		...{ action, resourceType: "mcp_server", resourceId: id, resourceName: name },
		details: { revision, ...details },
	});

const assertAllowed = (ctx: Ctx, row: ServerRow): void =>
	assertServerAllowed(configOf(row), egressRules(ctx.env));

const indexReferences = (ctx: Ctx, row: ServerRow): Statement[] =>
	replaceReferences(
		ctx,
		{ type: "mcp_server", id: row.id, classification: "active" },
		referencesOf({ type: "mcp_server", ...configOf(row) }),
	);

const FIELDS = { name: "name", description: "description", url_template: "urlTemplate" } as const;
const CONNECTION_FIELDS = { transport: "transport", auth: "auth", headers: "headers" } as const;

function changedFields(before: ServerRow, change: Partial<ServerRow>): string[] {
	return Object.entries({ ...FIELDS, ...CONNECTION_FIELDS })
		.filter(([, key]) => change[key] !== undefined)
		.filter(([, key]) => JSON.stringify(before[key]) !== JSON.stringify(change[key]))
		.map(([field]) => field);
}
