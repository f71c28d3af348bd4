import { ApiError } from "@parley/contracts/shared/api-error";
import { preconditionFailed } from "@parley/contracts/shared/etag";
import { tools } from "@parley/db/agents/tools";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { auditEntry } from "../audit-log/audit.ts";
import type { Ctx } from "../context.ts";
import type { Holder } from "../secrets/references.ts";
import { liveTool, selectTool, type ToolRow, toRow } from "./tool-row.ts";

export type Statement = BatchItem<"sqlite">;

type Written = Pick<ToolRow, "id" | "name">;

/**
 * Runs all statements or none, and returns the tool after them.
 * @throws ApiError REVISION_CONFLICT or PRECONDITION_FAILED when the tool has changed since it was read.
 */
export async function writeTool(
	ctx: Ctx,
	toolId: string,
	statements: [Statement, ...Statement[]],
): Promise<ToolRow> {
	try {
		const results = await ctx.db.batch([...statements, selectTool(ctx, toolId)]);
		const [selected] = results.at(-1) as Awaited<ReturnType<typeof selectTool>>;
		if (!selected) throw new Error("The tool that was written cannot be read");
		return toRow(ctx, selected);
	} catch (error) {
		throw failedAssertion(error) === "TOOL_CHANGED" ? changedMeanwhile(ctx) : error;
	}
}

/** Returns the error for a write that another write has overtaken. */
export const changedMeanwhile = (ctx: Ctx): ApiError =>
	ctx.ifMatch === undefined
		? new ApiError("REVISION_CONFLICT", "Another request changed the tool at the same time; read it again")
		: preconditionFailed();

/** Fails the batch if the tool has changed since it was read. */
export const assertUnchanged = (ctx: Ctx, { id, revision }: ToolRow): Statement =>
	assertThat(
		ctx.db,
		sql`exists (select 1 from ${tools} where ${liveTool(ctx, id)} and ${tools.revision} = ${revision})`,
		"TOOL_CHANGED",
	);

/** Returns the draft of a tool as a holder of vault references. */
export const draftHolder = (toolId: string): Holder => ({
	type: "tool",
	id: toolId,
	classification: "draft",
});

export const auditTool = (
	ctx: Ctx,
	action: `tool.${string}`,
	{ id, name }: Written,
	details: Record<string, unknown> = {},
): Statement =>
	auditEntry(ctx, { action, resourceType: "tool", resourceId: id, resourceName: name, details });

export const nameConflict = (): ApiError =>
	new ApiError("TOOL_NAME_CONFLICT", "Another tool has this name", {
		fields: [{ path: "name", message: "Another tool has this name" }],
	});
