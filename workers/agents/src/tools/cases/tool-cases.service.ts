import {
	type CaseLastResult,
	type CreateToolCase,
	MAX_CASES_PER_TOOL,
	type ToolCase,
	type UpdateToolCase,
} from "@parley/contracts/agents/tool-cases";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { toolCases } from "@parley/db/agents/tool-cases";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { isUniqueViolation } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { assertRunnable } from "../../runs/run-tool.ts";
import { readOwnTool } from "../find-tool.ts";
import type { ToolRow } from "../tool-row.ts";
import { auditTool } from "../write-tool.ts";

export type CaseRow = typeof toolCases.$inferSelect;

const FULL = "CASES_FULL";
const GONE = "CASE_GONE";

/**
 * Adds a case to a tool.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, TOOL_CONTEXT_BOUND, VALIDATION_FAILED, TOOL_NAME_CONFLICT
 */
export async function createToolCase(ctx: Ctx, toolId: string, body: CreateToolCase): Promise<ToolCase> {
	const tool = await readOwnTool(ctx, toolId);
	assertRunnable(ctx, tool);
	assertMockable(tool, body);
	const now = ctx.clock().toISOString();
	const row = {
		...{ organisationId: tool.organisationId, toolId, id: newId(), lastResult: null },
		...body,
		...{ createdBy: ctx.actor.id, createdAt: now, updatedAt: now },
	};
	const hasRoom = sql`(select count(*) from ${toolCases} where ${ofTool(ctx, toolId)}) < ${MAX_CASES_PER_TOOL}`;
	try {
		await ctx.db.batch([
			assertThat(ctx.db, hasRoom, FULL),
			ctx.db.insert(toolCases).values(row),
			auditTool(ctx, "tool.case_create", tool, { case_id: row.id, name: row.name }),
		]);
	} catch (error) {
		if (failedAssertion(error) === FULL)
			throw new ApiError(
				"VALIDATION_FAILED",
				`A tool has at most ${MAX_CASES_PER_TOOL} cases. Delete one first.`,
			);
		throw isUniqueViolation(error) ? nameConflict() : error;
	}
	return toToolCase(row);
}

/** Lists the cases of a tool in order of creation. @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY */
export async function listToolCases(ctx: Ctx, toolId: string): Promise<ToolCase[]> {
	await readOwnTool(ctx, toolId);
	return (await selectCases(ctx, toolId)).map(toToolCase);
}

/** @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY */
export async function getToolCase(ctx: Ctx, toolId: string, caseId: string): Promise<ToolCase> {
	await readOwnTool(ctx, toolId);
	const [row] = await ctx.db
		.select()
		.from(toolCases)
		.where(isCase(ctx, toolId, caseId));
	if (!row) throw notFound("Tool case", caseId);
	return toToolCase(row);
}

/**
 * Changes a case and forgets its last result.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, VALIDATION_FAILED, TOOL_NAME_CONFLICT
 */
export async function updateToolCase(
	ctx: Ctx,
	toolId: string,
	caseId: string,
	body: UpdateToolCase,
): Promise<ToolCase> {
	const tool = await readOwnTool(ctx, toolId);
	assertMockable(tool, body);
	const change = { ...body, lastResult: null, updatedAt: ctx.clock().toISOString() };
	try {
		const [, [row]] = await ctx.db.batch([
			assertExists(ctx, toolId, caseId),
			ctx.db
				.update(toolCases)
				.set(change)
				.where(isCase(ctx, toolId, caseId))
				.returning(),
			auditTool(ctx, "tool.case_update", tool, { case_id: caseId, changed_fields: Object.keys(body) }),
		]);
		if (!row) throw notFound("Tool case", caseId);
		return toToolCase(row);
	} catch (error) {
		if (failedAssertion(error) === GONE) throw notFound("Tool case", caseId);
		throw isUniqueViolation(error) ? nameConflict() : error;
	}
}

/** @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY */
export async function deleteToolCase(ctx: Ctx, toolId: string, caseId: string): Promise<void> {
	const tool = await readOwnTool(ctx, toolId);
	try {
		await ctx.db.batch([
			assertExists(ctx, toolId, caseId),
			ctx.db.delete(toolCases).where(isCase(ctx, toolId, caseId)),
			auditTool(ctx, "tool.case_delete", tool, { case_id: caseId }),
		]);
	} catch (error) {
		throw failedAssertion(error) === GONE ? notFound("Tool case", caseId) : error;
	}
}

/** Selects the cases of a tool in order of creation. */
export const selectCases = (ctx: Ctx, toolId: string) =>
	ctx.db.select().from(toolCases).where(ofTool(ctx, toolId)).orderBy(asc(toolCases.id));

/** Returns the statement that keeps a case's result, unless the case has changed since it was read. */
export const keepResult = (ctx: Ctx, { toolId, id, updatedAt }: CaseRow, lastResult: CaseLastResult) =>
	ctx.db
		.update(toolCases)
		.set({ lastResult })
		.where(and(isCase(ctx, toolId, id), eq(toolCases.updatedAt, updatedAt)));

/** The condition that a row is a case of this tool. */
export const ofTool = (ctx: Ctx, toolId: string) =>
	and(eq(toolCases.organisationId, ctx.actor.organisation.id), eq(toolCases.toolId, toolId));

const isCase = (ctx: Ctx, toolId: string, caseId: string) =>
	and(ofTool(ctx, toolId), eq(toolCases.id, caseId));

const assertExists = (ctx: Ctx, toolId: string, caseId: string) =>
	assertThat(ctx.db, sql`exists (select 1 from ${toolCases} where ${isCase(ctx, toolId, caseId)})`, GONE);

/** @throws ApiError VALIDATION_FAILED for a mock of a tool that sends no request. */
function assertMockable({ toolType }: ToolRow, { mock }: Pick<UpdateToolCase, "mock">): void {
	if (!mock || toolType === "api_request") return;
	const message = "Only tools of type api_request send a request that can be mocked. Omit the mock.";
	throw new ApiError("VALIDATION_FAILED", `mock: ${message}`, { fields: [{ path: "mock", message }] });
}

const toToolCase = (row: CaseRow): ToolCase => ({
	id: row.id,
	tool_id: row.toolId,
	name: row.name,
	arguments: row.arguments,
	expect: row.expect,
	mock: row.mock,
	last_result: row.lastResult,
	created_at: row.createdAt,
	updated_at: row.updatedAt,
});

function nameConflict(): ApiError {
	const message = "Another case of the tool has this name";
	return new ApiError("TOOL_NAME_CONFLICT", message, { fields: [{ path: "name", message }] });
}
