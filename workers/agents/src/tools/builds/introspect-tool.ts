import type { Tool } from "@parley/contracts/tools";
import type { Ctx } from "../../context.ts";
import { assertTypeEnabled } from "../create-tool.ts";
import { readOwnTool } from "../find-tool.ts";
import { toTool } from "../tool-row.ts";
import { beginBuild, finishBuild } from "./build-tool.ts";

/**
 * Builds a code tool and reads its arguments off the source. A build that takes long goes on after the answer, which then
 * shows it as building; so does the answer to whoever asks meanwhile. Other types declare their arguments: nothing is left
 * to read.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, FEATURE_DISABLED, RATE_LIMITED
 */
export async function introspectTool(ctx: Ctx, toolId: string): Promise<Tool> {
	const row = await readOwnTool(ctx, toolId);
	if (row.toolType !== "code") return toTool(row);
	assertTypeEnabled(ctx, row.toolType);
	const build = await beginBuild(ctx, row);
	if (build) await waitFor(ctx, finishBuild(ctx, build), Number(ctx.env.CODE_BUILD_WAIT_MS) || 10_000);
	return toTool(await readOwnTool(ctx, toolId));
}

/** Waits for work to end, but not for ever; it goes on all the same. */
async function waitFor(ctx: Ctx, work: Promise<void>, maxMs: number): Promise<void> {
	ctx.defer(work);
	const { promise: late, resolve } = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, maxMs);
	await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
