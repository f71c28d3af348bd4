import { env, exports } from "cloudflare:workers";
import type { ConnectResult, DiscoveredTool, McpServer } from "@parley/contracts/agents/mcp-servers";
import { CreateMcpServer } from "@parley/contracts/agents/mcp-servers";
import type { VaultKind } from "@parley/contracts/agents/secrets";
import { agentAttachments } from "@parley/db/agents/agent-attachments";
import { agents } from "@parley/db/agents/agents";
import { mcpCatalogChanges, mcpServers } from "@parley/db/agents/mcp-servers";
import { vaultEntries } from "@parley/db/agents/vault";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { readCapabilities } from "@parley/mcp-servers/catalog";
import { liveServer, type ServerRow, toMcpServer } from "@parley/mcp-servers/server-row";
import { createOrganisation } from "@parley/testing/organisation";
import { seal } from "@parley/vault/seal";
import { bindingOf } from "@parley/vault-entries/entries";
import { organisationKey } from "@parley/vault-entries/organisation-key";
import { and, desc, eq } from "drizzle-orm";
import { contextOf } from "../src/context.ts";

type Organisation = { id: string };
type Own = Partial<Omit<CreateMcpServer, "url_template">>;

const db = openDatabase(env.DB);
const refOf = (organisation: Organisation, { id }: { id: string }) => ({
	organisationId: organisation.id,
	serverId: id,
});

/** Creates an organisation for one test. */
export const newOrganisation = (): Promise<Organisation> => createOrganisation(env.DB);

/** Puts a secret or a variable into the vault, as the agents worker would. */
export async function putSecret(
	organisation: Organisation,
	name: string,
	value: string,
	kind: VaultKind = "secret",
): Promise<void> {
	const now = new Date().toISOString();
	const entry = { organisationId: organisation.id, id: newId(), name, kind, revision: 1 };
	const key = await organisationKey({ db, env, clock: () => new Date() }, organisation.id);
	await db.insert(vaultEntries).values({
		...entry,
		...{ description: "", sealedValue: await seal(key, value, bindingOf(entry)) },
		...{ createdBy: "test", lastRotatedBy: "test", lastRotatedAt: now, createdAt: now, updatedAt: now },
	});
}

/** Registers a server, as the agents worker would. */
export async function registerServer(
	organisation: Organisation,
	url_template: string,
	own: Own = {},
): Promise<McpServer> {
	const name = `server-${crypto.randomUUID()}`;
	const { url_template: urlTemplate, ...config } = CreateMcpServer.parse({ name, url_template, ...own });
	const now = new Date().toISOString();
	const row: ServerRow = {
		...{ organisationId: organisation.id, id: newId(), ...config, urlTemplate, revision: 1, ...NOT_OBSERVED },
		...{ capabilityRevision: 0, capabilityToolCount: 0, capabilityObservedAt: null },
		...{ capabilityAttemptedAt: null, createdBy: "test", createdAt: now, updatedAt: now, deletedAt: null },
	};
	await db.insert(mcpServers).values(row);
	return readServer(organisation, row);
}

const NOT_OBSERVED = { capabilityStatus: "unknown", capabilityError: null, nextRefreshAt: null } as const;

/** Changes the configuration of a server, as the agents worker would. */
export async function changeServer(
	organisation: Organisation,
	server: McpServer,
	change: Partial<Pick<ServerRow, "description" | "urlTemplate">>,
): Promise<McpServer> {
	const { revision } = await readServer(organisation, server);
	await db
		.update(mcpServers)
		.set({ ...change, ...NOT_OBSERVED, revision: revision + 1 })
		.where(liveServer(contextOf(env, organisation.id), server.id));
	const changed = await readServer(organisation, server);
	await exports.McpClient.reconfigure(refOf(organisation, server));
	return changed;
}

export async function connect(organisation: Organisation, server: McpServer): Promise<ConnectResult> {
	const result = await exports.McpClient.connectNow(refOf(organisation, server));
	if (!result) throw new Error("No such server");
	return result;
}

/** Returns a server's record as the API shows it. */
export async function readServer(organisation: Organisation, { id }: { id: string }): Promise<McpServer> {
	const ctx = contextOf(env, organisation.id);
	const [row] = await db.select().from(mcpServers).where(liveServer(ctx, id));
	if (!row) throw new Error("No such server");
	return toMcpServer(row, await readCapabilities(ctx, id));
}

/** Returns the changes of a server's tool list, newest first. */
export async function readChanges(organisation: Organisation, { id }: McpServer) {
	const rows = await db
		.select()
		.from(mcpCatalogChanges)
		.where(and(eq(mcpCatalogChanges.organisationId, organisation.id), eq(mcpCatalogChanges.serverId, id)))
		.orderBy(desc(mcpCatalogChanges.capabilityRevision));
	return rows.map(({ capabilityRevision, changes }) => ({
		capability_revision: capabilityRevision,
		...changes,
	}));
}

/** Inserts an active agent that has attached a tool of a server. Does not notify the server's session. */
export async function attachTool(
	organisation: Organisation,
	server: { id: string },
	tool: DiscoveredTool,
): Promise<{ id: string }> {
	const now = new Date().toISOString();
	const agent = { organisationId: organisation.id, id: newId() };
	await db.batch([
		db.insert(agents).values({
			...{ ...agent, name: agent.id, status: "active", inboundEnabled: false, config: {} as never },
			...{ configHash: "", versionNumber: 1, revision: 1, createdBy: "test", createdAt: now, updatedAt: now },
		}),
		db.insert(agentAttachments).values({
			...{ organisationId: organisation.id, agentId: agent.id, attachmentId: crypto.randomUUID() },
			...{ kind: "mcp", serverId: server.id, toolName: tool.name, observedSchemaHash: tool.schema_hash },
		}),
	]);
	return { id: agent.id };
}

/** Attaches a tool and notifies the server's session, as the agents worker would. */
export async function useTool(organisation: Organisation, server: McpServer, tool: DiscoveredTool) {
	const agent = await attachTool(organisation, server, tool);
	await exports.McpClient.watch(refOf(organisation, server));
	return agent;
}

/** Detaches all tools of an agent. */
export async function detachTools(organisation: Organisation, agent: { id: string }): Promise<void> {
	await db
		.delete(agentAttachments)
		.where(and(eq(agentAttachments.organisationId, organisation.id), eq(agentAttachments.agentId, agent.id)));
}
