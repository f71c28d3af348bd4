import type { AgentConfig } from "@parley/contracts/agents/agents";
import type { McpRef, ToolRef } from "@parley/contracts/agents/attachments";
import type { CapabilityStatus, DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import type { ToolConfig } from "@parley/contracts/agents/tool-config";
import { notFound } from "@parley/contracts/shared/api-error";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { agents } from "@parley/db/agents/agents";
import { mcpCatalogs, mcpServers } from "@parley/db/agents/mcp-servers";
import { ofTool, toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { offersPin, readCapabilities, withAllMembers } from "@parley/mcp-servers/catalog";
import { nameTools } from "@parley/toolset-formats/names";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { mergeOverrides } from "../../agents/attachments/override-rules.ts";
import type { Ctx } from "../../context.ts";
import { curatedRunnable, type Runnable, toRunnableVersion } from "../../runs/runnable.ts";
import { findCurated } from "../../tools/curated-tools.ts";
import type { AgentInForce, McpAttachment, RuntimeAttachment, ToolAttachment } from "./runtime-attachment.ts";

type FoundMcpTool = Pick<McpAttachment, "tool" | "serverStatus">;
type FoundTool = { name: string; runnable: Runnable | null };

/**
 * Reads an agent with a version and everything that its attachments are pinned to. Takes one round trip to the database,
 * and more only for MCP tool lists that are so large that the bucket holds them.
 *
 * Does not fail for an attachment that can no longer be called, such as one of a deleted tool. Its `runnable` or `tool` is null,
 * and `warnings` says why.
 * @param version null for the current version
 * @throws ApiError RESOURCE_NOT_FOUND if the agent or the version does not exist
 */
export async function readAgentInForce(
	ctx: Ctx,
	agentId: string,
	version: number | null,
): Promise<AgentInForce> {
	const isInForce = versionInForce(ctx, agentId, version);
	const [[agent], versions, pins] = await ctx.db.batch([
		ctx.db
			.select({ name: agents.name, status: agents.status, version: agentVersions })
			.from(agents)
			.leftJoin(agentVersions, isInForce)
			.where(isLiveAgent(ctx, agentId)),
		selectToolVersions(ctx, agentId, isInForce),
		selectMcpTools(ctx, agentId, isInForce),
	]);
	if (!agent) throw notFound("Agent", agentId);
	if (!agent.version) throw notFound("Agent version", version ?? "current");
	const { config, versionNumber } = agent.version;
	const found = new Map(
		versions.map((row): [string, FoundTool] => [
			`${row.version.toolId} ${row.version.versionNumber}`,
			{
				name: row.version.snapshot.name,
				runnable: row.deletedAt === null ? toRunnableVersion(row.version) : null,
			},
		]),
	);
	const mcpTools = await readMcpTools(ctx, config.mcp_refs, pins);
	const pinned = await Promise.all(config.tool_refs.map((ref) => findTool(ctx, ref, found)));
	const attachments = toAttachments(config, pinned, mcpTools);
	return {
		...{ agentId, name: agent.name, status: agent.status, version: versionNumber, config, attachments },
		warnings: attachments.flatMap(({ name, ...attachment }) => {
			const message = faultOf(attachment);
			return message === undefined ? [] : [{ tool: name, message }];
		}),
	};
}

const isLiveAgent = (ctx: Ctx, agentId: string): SQL | undefined =>
	and(eq(agents.organisationId, ctx.actor.organisation.id), eq(agents.id, agentId), isNull(agents.deletedAt));

const versionInForce = (ctx: Ctx, agentId: string, version: number | null): SQL | undefined =>
	and(
		eq(agentVersions.organisationId, ctx.actor.organisation.id),
		eq(agentVersions.agentId, agentId),
		version === null
			? eq(agentVersions.versionNumber, agents.versionNumber)
			: eq(agentVersions.versionNumber, version),
	);

const selectToolVersions = (ctx: Ctx, agentId: string, isInForce: SQL | undefined) =>
	ctx.db
		.select({ version: toolVersions, deletedAt: tools.deletedAt })
		.from(toolVersions)
		.innerJoin(tools, ofTool)
		.where(
			and(
				eq(toolVersions.organisationId, ctx.actor.organisation.id),
				sql`(${toolVersions.toolId}, ${toolVersions.versionNumber}) in (
					select ref.value ->> 'tool_id', ref.value ->> 'version'
					from ${agents} join ${agentVersions} on ${isInForce}, json_each(${agentVersions.config}, '$.tool_refs') ref
					where ${isLiveAgent(ctx, agentId)})`,
			),
		);

/** Selects the pinned MCP tools that have not drifted. `tool` is null where the server's list is in the bucket. */
const selectMcpTools = (ctx: Ctx, agentId: string, isInForce: SQL | undefined) => {
	const tool = sql`(
		select offered.value from ${mcpCatalogs}, json_each(${mcpCatalogs.tools}) offered
		where ${mcpCatalogs.organisationId} = ${ctx.actor.organisation.id}
			and ${mcpCatalogs.serverId} = pin.value ->> 'server_id'
			and offered.value ->> 'name' = pin.value ->> 'tool_name' limit 1)`;
	const status = sql`(
		select ${mcpServers.capabilityStatus} from ${mcpServers}
		where ${mcpServers.organisationId} = ${ctx.actor.organisation.id} and ${isNull(mcpServers.deletedAt)}
			and ${mcpServers.id} = pin.value ->> 'server_id')`;
	return ctx.db
		.select({
			attachmentId: sql<string>`pin.value ->> 'attachment_id'`.as("attachment_id"),
			isOffered: sql<number>`${offersPin(ctx)}`.as("is_offered"),
			serverStatus: sql<CapabilityStatus | null>`${status}`.as("server_status"),
			tool: sql<string | null>`${tool}`.as("tool"),
		})
		.from(agents)
		.innerJoin(agentVersions, isInForce)
		.innerJoin(sql`json_each(${agentVersions.config}, '$.mcp_refs') pin`, sql`true`)
		.where(isLiveAgent(ctx, agentId));
};

type McpRow = {
	attachmentId: string;
	isOffered: number;
	serverStatus: CapabilityStatus | null;
	tool: string | null;
};

/** Returns what the server of each attachment offers, by attachment id. */
async function readMcpTools(
	ctx: Ctx,
	refs: readonly McpRef[],
	rows: readonly McpRow[],
): Promise<Map<string, FoundMcpTool>> {
	const byId = new Map(refs.map((ref) => [ref.attachment_id, ref]));
	const found = rows.map(async (row): Promise<[string, FoundMcpTool]> => {
		const { serverStatus } = row;
		const ref = byId.get(row.attachmentId);
		if (!ref || serverStatus === null || !row.isOffered)
			return [row.attachmentId, { tool: null, serverStatus }];
		const tool = row.tool === null ? await readLargeList(ctx, ref) : (JSON.parse(row.tool) as DiscoveredTool);
		return [row.attachmentId, { tool: tool && withAllMembers(tool), serverStatus }];
	});
	return new Map(await Promise.all(found));
}

async function readLargeList(ctx: Ctx, ref: McpRef): Promise<DiscoveredTool | null> {
	const { tools: offered } = await readCapabilities(ctx, ref.server_id);
	return offered.find(({ name }) => name === ref.tool_name) ?? null;
}

function toAttachments(
	{ tool_refs, mcp_refs }: AgentConfig,
	found: readonly (FoundTool | undefined)[],
	mcpTools: ReadonlyMap<string, FoundMcpTool>,
): RuntimeAttachment[] {
	const names = nameAttachments(tool_refs, [
		...found.map((tool, i) => tool?.name ?? `tool_${i + 1}`),
		...mcp_refs.map(({ tool_name }) => tool_name),
	]);
	return [
		...tool_refs.map((ref, i) => toToolAttachment(ref, names[i] ?? "", found[i]?.runnable ?? null)),
		...mcp_refs.map((ref, i) =>
			toMcpAttachment(ref, names[tool_refs.length + i] ?? "", mcpTools.get(ref.attachment_id)),
		),
	];
}

/** Names the attachments that the model sees first, so that those of the system never change them. */
function nameAttachments(toolRefs: readonly ToolRef[], wanted: readonly string[]): string[] {
	const isHidden = (index: number) => toolRefs[index]?.invocation === "system";
	const order = [...wanted.keys()].sort((a, b) => Number(isHidden(a)) - Number(isHidden(b)) || a - b);
	const given = nameTools(order.map((index) => wanted[index] ?? ""));
	const names: string[] = [];
	for (const [position, index] of order.entries()) names[index] = given[position] ?? "";
	return names;
}

async function findTool(
	ctx: Ctx,
	ref: ToolRef,
	versions: ReadonlyMap<string, FoundTool>,
): Promise<FoundTool | undefined> {
	const curated = findCurated(ref.tool_id);
	if (curated) return { name: curated.name, runnable: await curatedRunnable(ctx, curated) };
	return versions.get(`${ref.tool_id} ${ref.version}`);
}

function toToolAttachment(ref: ToolRef, name: string, runnable: Runnable | null): ToolAttachment {
	const { enabled, text, wait } = ref.execution_policy.pre_action_message;
	return {
		kind: "tool",
		...{ attachmentId: ref.attachment_id, name, description: ref.description },
		...{ invocation: ref.invocation, system: ref.system },
		preActionMessage: enabled && text !== "" ? { text, wait } : null,
		argumentOverrides: ref.argument_overrides,
		...{ toolId: ref.tool_id, version: ref.version, configOverrides: ref.config_overrides },
		runnable: runnable && { ...runnable, config: configInForce(runnable.config, ref) },
	};
}

/** Applies an attachment's overrides. Those of an SMS are no part of the tool's configuration. */
const configInForce = (config: ToolConfig, { config_overrides }: ToolRef): ToolConfig =>
	config_overrides === null || config_overrides.type === "send_sms"
		? config
		: (mergeOverrides(config, config_overrides) as ToolConfig);

const toMcpAttachment = (ref: McpRef, name: string, found: FoundMcpTool | undefined): McpAttachment => ({
	kind: "mcp",
	...{ attachmentId: ref.attachment_id, name, description: ref.description },
	...{ invocation: "model", system: null, preActionMessage: null },
	argumentOverrides: ref.argument_overrides,
	...{ serverId: ref.server_id, toolName: ref.tool_name },
	...{ tool: found?.tool ?? null, serverStatus: found?.serverStatus ?? null },
});

/** Returns why an attachment cannot be called; undefined if it can. */
function faultOf(attachment: Omit<ToolAttachment, "name"> | Omit<McpAttachment, "name">): string | undefined {
	if (attachment.kind === "tool")
		return attachment.runnable === null ? "The tool was deleted, so it is left out." : undefined;
	if (attachment.serverStatus === null) return "The MCP server was deleted, so its tool is left out.";
	if (attachment.tool !== null) return undefined;
	return "The MCP server's tool has changed since it was attached, so it is left out. Accept its drift to use it again.";
}
