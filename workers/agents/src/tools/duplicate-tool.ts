import type { DuplicateTool, Tool } from "@parley/contracts/agents/tools";
import { tools } from "@parley/db/agents/tools";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { assertTypeEnabled, insertTool, type SuccessfulBuild } from "./create-tool.ts";
import { type CuratedTool, findCurated } from "./curated-tools.ts";
import { readTool } from "./find-tool.ts";
import type { ToolContent } from "./tool-content.ts";
import { type ToolRow, toTool } from "./tool-row.ts";

const MAX_NAME = 200;

/**
 * Creates a draft with the content of another tool, curated or not, without its versions and runs. A build is copied, too:
 * it is valid for the same source in the whole organisation.
 * @throws ApiError RESOURCE_NOT_FOUND, FEATURE_DISABLED, TOOL_NAME_CONFLICT
 */
export async function duplicateTool(ctx: Ctx, toolId: string, { name }: DuplicateTool): Promise<Tool> {
	const source = findCurated(toolId) ?? (await readTool(ctx, toolId));
	assertTypeEnabled(ctx, source.toolType);
	const content: ToolContent = {
		toolType: source.toolType,
		description: source.description,
		config: source.config,
		argumentDefaults: source.argumentDefaults,
		codeSrc: source.codeSrc,
		declaredSecrets: source.declaredSecrets,
		dependencies: source.dependencies,
	};
	const copyName = name ?? (await freeName(ctx, source.name));
	return toTool(await insertTool(ctx, copyName, content, "tool.duplicate", successfulBuild(source)));
}

function successfulBuild(source: ToolRow | CuratedTool): SuccessfulBuild | undefined {
	if (!("buildState" in source) || source.buildState !== "built") return undefined;
	const { builtHash, builtAt, frozenDeps, argSchema, outputSchema } = source;
	return { builtHash, builtAt, frozenDeps, argSchema, outputSchema };
}

/** Returns `<name>_copy`, or the first of `<name>_copy_2`, `<name>_copy_3` … that no live tool has. */
async function freeName(ctx: Ctx, name: string): Promise<string> {
	const stem = `${name.slice(0, MAX_NAME - "_copy_9999".length)}_copy`;
	const rows = await ctx.db
		.select({ name: tools.name })
		.from(tools)
		.where(
			and(
				eq(tools.organisationId, ctx.actor.organisation.id),
				isNull(tools.deletedAt),
				sql`${tools.name} >= ${stem} and ${tools.name} < ${`${stem}\u{10ffff}`}`,
			),
		);
	const taken = new Set(rows.map((row) => row.name));
	if (!taken.has(stem)) return stem;
	let number = 2;
	while (taken.has(`${stem}_${number}`)) number++;
	return `${stem}_${number}`;
}
