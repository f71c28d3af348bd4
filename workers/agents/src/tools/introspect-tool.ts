import { ApiError } from "@parley/contracts/api-error";
import type { Tool } from "@parley/contracts/tools";
import type { Ctx } from "../context.ts";
import { readOwnTool } from "./find-tool.ts";
import { toTool } from "./tool-row.ts";

/**
 * Reads a code tool's arguments off its source and builds it. Other types declare theirs: nothing is left to read.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, TOOL_NOT_BUILT
 */
export async function introspectTool(ctx: Ctx, toolId: string): Promise<Tool> {
	const row = await readOwnTool(ctx, toolId);
	if (row.toolType === "code") throw notBuilt();
	return toTool(row);
}

/** The refusal to use code that has not been built. */
export const notBuilt = (): ApiError => new ApiError("TOOL_NOT_BUILT", "The tool's code is not built");
