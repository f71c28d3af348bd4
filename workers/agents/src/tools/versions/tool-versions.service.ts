import type { ToolVersion, ToolVersionItem, ToolVersionQuery } from "@parley/contracts/agents/tools";
import { notFound } from "@parley/contracts/shared/api-error";
import type { ArrayPage } from "@parley/contracts/shared/common";
import { ofTool, toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { and, desc, eq } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { CURATED_AT, type CuratedTool, curatedSnapshot, findCurated } from "../curated-tools.ts";
import { readTool } from "../find-tool.ts";
import { hashContent } from "../tool-content.ts";
import { liveVersion } from "../tool-row.ts";

const itemColumns = {
	id: toolVersions.id,
	tool_id: toolVersions.toolId,
	version_number: toolVersions.versionNumber,
	content_hash: toolVersions.contentHash,
	frozen_deps: toolVersions.frozenDeps,
	published_at: toolVersions.publishedAt,
};

const versionColumns = {
	...itemColumns,
	snapshot_json: toolVersions.snapshot,
	code_src: toolVersions.codeSrc,
	declared_secrets: toolVersions.declaredSecrets,
	dependencies: toolVersions.dependencies,
};

/** Lists the versions of a tool, newest first. @throws ApiError RESOURCE_NOT_FOUND */
export async function listToolVersions(
	ctx: Ctx,
	toolId: string,
	{ limit, offset }: ToolVersionQuery,
): Promise<ArrayPage<ToolVersionItem>> {
	const curated = findCurated(toolId);
	if (curated) return { items: [await curatedItem(curated)].slice(offset, offset + limit), total: 1 };
	// Versions are numbered without gaps.
	const { latestVersion } = await readTool(ctx, toolId);
	const items = await ctx.db
		.select(itemColumns)
		.from(toolVersions)
		.where(and(eq(toolVersions.organisationId, ctx.actor.organisation.id), eq(toolVersions.toolId, toolId)))
		.orderBy(desc(toolVersions.versionNumber))
		.limit(limit)
		.offset(offset);
	return { items, total: latestVersion ?? 0 };
}

/** Returns a version with its snapshot. @throws ApiError RESOURCE_NOT_FOUND, also for a version of a deleted tool. */
export async function getToolVersion(ctx: Ctx, toolId: string, versionNumber: number): Promise<ToolVersion> {
	const curated = findCurated(toolId);
	if (curated && versionNumber === 1) {
		const source = { code_src: null, declared_secrets: [], dependencies: [] };
		return { ...(await curatedItem(curated)), snapshot_json: curatedSnapshot(curated), ...source };
	}
	const [version] = await ctx.db
		.select(versionColumns)
		.from(toolVersions)
		.innerJoin(tools, ofTool)
		.where(liveVersion(ctx, toolId, versionNumber));
	if (!version) throw notFound("Tool version", versionNumber);
	return version;
}

const curatedItem = async (tool: CuratedTool): Promise<ToolVersionItem> => ({
	id: tool.versionId,
	tool_id: tool.id,
	version_number: 1,
	content_hash: await hashContent(tool),
	frozen_deps: [],
	published_at: CURATED_AT,
});
