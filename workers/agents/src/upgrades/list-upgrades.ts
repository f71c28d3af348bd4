import type { UpgradeGroups, UpgradePreview } from "@parley/contracts/agents/upgrades";
import { notFound } from "@parley/contracts/shared/api-error";
import { agentAttachments } from "@parley/db/agents/agent-attachments";
import { agents } from "@parley/db/agents/agents";
import { and, asc, eq, gt, inArray, isNull } from "drizzle-orm";
import type { AgentRow } from "../agents/agent-config.ts";
import { findPinnedVersions, type PinnedVersion, pinKey } from "../agents/attachments/pinned-versions.ts";
import type { Ctx } from "../context.ts";
import { findVaultNames } from "../secrets/references.ts";
import { buildPreview } from "./preview.ts";
import { vaultNamesOf } from "./reconcile.ts";

/** Number of agents that are read into memory at a time. */
const AGENTS_AT_ONCE = 20;

/** Previews the upgrade of every attachment of a tool to one version. @throws ApiError RESOURCE_NOT_FOUND */
export async function listUpgrades(ctx: Ctx, toolId: string, toVersion: number): Promise<UpgradeGroups> {
	const target = { tool_id: toolId, version: toVersion };
	const to = (await findPinnedVersions(ctx, [target])).get(pinKey(target));
	if (!to) throw notFound("Tool version", toVersion);
	const groups: UpgradeGroups = {
		tool_id: toolId,
		to_version: toVersion,
		ready: [],
		preparing: [],
		blocked: [],
	};
	for (let after = ""; ; ) {
		const holders = await readHolders(ctx, toolId, after);
		for (const preview of await previewAll(ctx, holders, to)) groups[groupOf(preview)].push(preview);
		const last = holders.at(-1);
		if (!last || holders.length < AGENTS_AT_ONCE) return groups;
		after = last.id;
	}
}

function groupOf({
	can_accept,
	issues,
	preparation_state,
}: UpgradePreview): "ready" | "preparing" | "blocked" {
	if (can_accept) return "ready";
	return issues.length === 0 && preparation_state === "preparing" ? "preparing" : "blocked";
}

/** Reads the next agents that have attached the tool, ordered by id. */
const readHolders = (ctx: Ctx, toolId: string, after: string): Promise<AgentRow[]> => {
	const organisationId = ctx.actor.organisation.id;
	const holding = ctx.db
		.selectDistinct({ id: agentAttachments.agentId })
		.from(agentAttachments)
		.where(
			and(
				eq(agentAttachments.organisationId, organisationId),
				eq(agentAttachments.toolId, toolId),
				gt(agentAttachments.agentId, after),
			),
		)
		.orderBy(asc(agentAttachments.agentId))
		.limit(AGENTS_AT_ONCE);
	return ctx.db
		.select()
		.from(agents)
		.where(
			and(eq(agents.organisationId, organisationId), inArray(agents.id, holding), isNull(agents.deletedAt)),
		)
		.orderBy(asc(agents.id));
};

async function previewAll(ctx: Ctx, holders: AgentRow[], to: PinnedVersion): Promise<UpgradePreview[]> {
	const attached = holders.flatMap((agent) =>
		agent.config.tool_refs
			.filter((ref) => ref.tool_id === to.toolId)
			.map((attachment) => ({ agent, attachment })),
	);
	const versions = await findPinnedVersions(
		ctx,
		attached.map(({ attachment }) => attachment),
	);
	const names = attached.flatMap(({ attachment }) => vaultNamesOf(attachment, to));
	const vaultNames = new Set(
		(
			await findVaultNames(
				ctx,
				names.map((name) => ({ name, location: "" })),
			)
		).keys(),
	);
	return Promise.all(
		attached.flatMap(({ agent, attachment }) => {
			const from = versions.get(pinKey(attachment));
			return from ? [buildPreview({ agent, attachment, from, to }, vaultNames)] : [];
		}),
	);
}
