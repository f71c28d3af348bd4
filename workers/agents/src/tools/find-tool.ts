import { ApiError } from "@parley/contracts/api-error";
import type { Ctx } from "../context.ts";
import { findCurated } from "./curated-tools.ts";
import { selectTool, type ToolRow, toRow } from "./tool-row.ts";

export const toolNotFound = (): ApiError => new ApiError("RESOURCE_NOT_FOUND", "No such tool");

/** A tool of the organisation's own. @throws ApiError RESOURCE_NOT_FOUND */
export async function readTool(ctx: Ctx, toolId: string): Promise<ToolRow> {
	const [row] = await selectTool(ctx, toolId);
	if (!row) throw toolNotFound();
	return toRow(ctx, row);
}

/** The same for a verb that curated tools are closed to. @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY */
export async function readOwnTool(ctx: Ctx, toolId: string): Promise<ToolRow> {
	assertOwn(toolId);
	return readTool(ctx, toolId);
}

/** @throws ApiError TOOL_READ_ONLY for a curated tool. */
export function assertOwn(toolId: string): void {
	if (findCurated(toolId))
		throw new ApiError("TOOL_READ_ONLY", "Curated tools are read-only: duplicate it first");
}
