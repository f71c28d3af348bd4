import type { ToolRef } from "@parley/contracts/agents/attachments";
import type { Attachment, UpgradePreview } from "@parley/contracts/agents/upgrades";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { tools } from "@parley/db/agents/tools";
import { and, eq, sql } from "drizzle-orm";
import type { AgentRow } from "../agents/agent-config.ts";
import { getAgentRow } from "../agents/agents.service.ts";
import { findPinnedVersions, type PinnedVersion, pinKey } from "../agents/attachments/pinned-versions.ts";
import type { Ctx } from "../context.ts";
import { findVaultNames } from "../secrets/references.ts";
import { findCurated } from "../tools/curated-tools.ts";
import { buildPreview } from "./preview.ts";
import { vaultNamesOf } from "./reconcile.ts";

/** An agent's attachment, its pinned version, and the target version; `to` is undefined if there is no such version. */
export type Upgrade = {
	agent: AgentRow;
	attachment: ToolRef;
	from: PinnedVersion;
	to: PinnedVersion | undefined;
};

export async function previewUpgrade(
	ctx: Ctx,
	agentId: string,
	attachmentId: string,
	toVersion: number,
): Promise<UpgradePreview> {
	const { to, ...upgrade } = await readUpgrade(ctx, agentId, attachmentId, toVersion);
	if (!to) throw notFound("Tool version", toVersion);
	return buildCurrentPreview(ctx, { ...upgrade, to });
}

/** Reads the attachment and its versions. @throws ApiError RESOURCE_NOT_FOUND; TOOL_ATTACHMENT_STALE if the attachment was removed or its tool deleted. */
export async function readUpgrade(
	ctx: Ctx,
	agentId: string,
	attachmentId: string,
	toVersion: number,
): Promise<Upgrade> {
	const agent = await getAgentRow(ctx, agentId);
	const attachment = agent.config.tool_refs.find((ref) => ref.attachment_id === attachmentId);
	if (!attachment) throw await missingAttachment(ctx, agent, attachmentId);
	const target = { tool_id: attachment.tool_id, version: toVersion };
	const versions = await findPinnedVersions(ctx, [attachment, target]);
	const from = versions.get(pinKey(attachment));
	if (!from) throw staleError("The attachment's tool was deleted");
	return { agent, attachment, from, to: versions.get(pinKey(target)) };
}

/** Builds the preview of an upgrade against the current vault. */
export async function buildCurrentPreview(
	ctx: Ctx,
	upgrade: Required<Upgrade> & { to: PinnedVersion },
): Promise<UpgradePreview> {
	const needed = vaultNamesOf(upgrade.attachment, upgrade.to).map((name) => ({ name, location: "" }));
	return buildPreview(upgrade, new Set((await findVaultNames(ctx, needed)).keys()));
}

export const staleError = (message: string): ApiError => new ApiError("TOOL_ATTACHMENT_STALE", message);

/** Returns TOOL_ATTACHMENT_STALE if an earlier version of the agent had the attachment, otherwise RESOURCE_NOT_FOUND. */
async function missingAttachment(ctx: Ctx, agent: AgentRow, attachmentId: string): Promise<ApiError> {
	const [held] = await ctx.db
		.select({ id: agentVersions.id })
		.from(agentVersions)
		.where(
			and(
				eq(agentVersions.organisationId, agent.organisationId),
				eq(agentVersions.agentId, agent.id),
				sql`exists (select 1 from json_each(${agentVersions.config}, '$.tool_refs')
					where value ->> 'attachment_id' = ${attachmentId})`,
			),
		)
		.limit(1);
	return held
		? staleError("The attachment was removed from the agent")
		: notFound("Attachment", attachmentId);
}

/** Lists the tool attachments of an agent, in the agent's order. */
export async function listAttachments(ctx: Ctx, agentId: string): Promise<Attachment[]> {
	const { config } = await getAgentRow(ctx, agentId);
	const known = await describeTools(ctx, [...new Set(config.tool_refs.map(({ tool_id }) => tool_id))]);
	return config.tool_refs.flatMap((ref) => {
		const tool = known.get(ref.tool_id);
		if (!tool) return [];
		const upgrade_available = !tool.tool_deleted && (tool.latest_version ?? 0) > ref.version;
		return [{ agent_id: agentId, ...tool, upgrade_available, ...ref }];
	});
}

type Described = Pick<Attachment, "tool_name" | "tool_type" | "latest_version" | "tool_deleted">;

async function describeTools(ctx: Ctx, ids: string[]): Promise<Map<string, Described>> {
	const rows = await ctx.db
		.select({
			id: tools.id,
			tool_name: tools.name,
			tool_type: tools.toolType,
			latest_version: tools.latestVersion,
			deleted_at: tools.deletedAt,
		})
		.from(tools)
		.where(
			and(
				eq(tools.organisationId, ctx.actor.organisation.id),
				sql`${tools.id} in (select value from json_each(${JSON.stringify(ids)}))`,
			),
		);
	const curated = ids.flatMap((id) => {
		const tool = findCurated(id);
		return tool
			? [{ id, tool_name: tool.name, tool_type: tool.toolType, latest_version: 1, deleted_at: null }]
			: [];
	});
	return new Map(
		[...rows, ...curated].map(({ id, deleted_at, ...tool }) => [
			id,
			{ ...tool, tool_deleted: deleted_at !== null },
		]),
	);
}
