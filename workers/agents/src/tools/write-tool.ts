import { ApiError } from "@parley/contracts/api-error";
import { preconditionFailed } from "@parley/contracts/etag";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { tools } from "@parley/db/tools";
import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { auditEntry } from "../audit-log/audit.ts";
import type { Ctx } from "../context.ts";
import type { Holder } from "../secrets/references.ts";
import { liveTool, selectTool, type ToolRow, toRow } from "./tool-row.ts";

export type Statement = BatchItem<"sqlite">;

type Written = Pick<ToolRow, "id" | "name">;

/**
 * All statements or none, and the tool as it is then.
 * @throws ApiError REVISION_CONFLICT or PRECONDITION_FAILED when the tool is not as it was read any more.
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

/** What a write answers when another one came between its reading and its writing. */
export const changedMeanwhile = (ctx: Ctx): ApiError =>
	ctx.ifMatch === undefined
		? new ApiError("REVISION_CONFLICT", "The tool was changed at the same time; read it again")
		: preconditionFailed();

/** Fails the batch unless the tool is as it was read. */
export const assertUnchanged = (ctx: Ctx, { id, revision }: ToolRow): Statement =>
	assertThat(
		ctx.db,
		sql`exists (select 1 from ${tools} where ${liveTool(ctx, id)} and ${tools.revision} = ${revision})`,
		"TOOL_CHANGED",
	);

/** A tool's draft, as the index of references knows it. */
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
