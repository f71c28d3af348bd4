import type { RunResult, RunTool } from "@parley/contracts/agents/tool-runs";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Scrubber } from "@parley/vault/scrub/scrub";
import type { Ctx } from "../context.ts";
import { describeBuildErrors } from "../tools/builds/build-record.ts";
import { assertTypeEnabled } from "../tools/create-tool.ts";
import { assertOwn, readOwnTool } from "../tools/find-tool.ts";
import { gateStatus, isContextBound } from "../tools/gates/gates.ts";
import type { ToolRow } from "../tools/tool-row.ts";
import type { Arguments } from "./arguments.ts";
import { attemptRun } from "./attempt-run.ts";
import { isProof, recordRun } from "./record-run.ts";
import { draftOf, type Runnable, readRunnableVersion, versionGateFacts } from "./runnable.ts";

/**
 * Runs a tool's draft, with all side effects, and records the run. A failed run is a result; an error is thrown only if the
 * tool did not run.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, TOOL_CONTEXT_BOUND, TOOL_NOT_BUILT, FEATURE_DISABLED,
 * VALIDATION_FAILED, RATE_LIMITED; TOOL_CHANGED if the tool's content changed during the run, so that the run proves
 * nothing.
 */
export async function runTool(ctx: Ctx, toolId: string, body: RunTool): Promise<RunResult> {
	const tool = draftToRun(ctx, await readOwnTool(ctx, toolId));
	assertConfirmed(tool, body);
	return (await runAndRecord(ctx, tool, body.sample_input)).result;
}

/**
 * Runs a published version. Records the run in the tool's history; the draft's status and proof do not change.
 * @throws ApiError as `runTool`, except TOOL_NOT_BUILT and TOOL_CHANGED, since a version never changes.
 */
export async function runToolVersion(
	ctx: Ctx,
	toolId: string,
	versionNumber: number,
	body: RunTool,
): Promise<RunResult> {
	assertOwn(toolId);
	const tool = await readRunnableVersion(ctx, toolId, versionNumber);
	assertRunnable(ctx, tool);
	assertConfirmed(tool, body);
	return (await runAndRecord(ctx, tool, body.sample_input)).result;
}

/**
 * Runs a tool, with all side effects, and records the run in its history.
 * @throws ApiError VALIDATION_FAILED, RATE_LIMITED, TOOL_CHANGED, RESOURCE_NOT_FOUND
 */
export async function runAndRecord(
	ctx: Ctx,
	tool: Runnable,
	given: Arguments,
): Promise<{ result: RunResult; scrubber: Scrubber }> {
	const { result, startedAt, vault, scrubber } = await attemptRun(ctx, tool, given);
	const sampleInput = scrubber.json(given) as Arguments;
	const after = await recordRun(ctx, tool, result, { sampleInput, startedAt });
	const facts = tool.versionNumber === null ? after : versionGateFacts(ctx, tool, vault);
	const proven_hash = isProof(result) && facts.provenHash === tool.contentHash ? tool.contentHash : null;
	return { result: { ...result, proven_hash, gate_status: gateStatus(facts) }, scrubber };
}

/** Returns a tool's draft in runnable form. @throws ApiError TOOL_CONTEXT_BOUND, FEATURE_DISABLED, TOOL_NOT_BUILT */
export function draftToRun(ctx: Ctx, tool: ToolRow): Runnable {
	assertRunnable(ctx, tool);
	if (tool.toolType === "code" && tool.buildState !== "built") throw notBuilt(tool);
	return draftOf(tool);
}

/** Checks that a tool can run outside a call. @throws ApiError TOOL_CONTEXT_BOUND, FEATURE_DISABLED */
export function assertRunnable(ctx: Ctx, { toolType }: Pick<Runnable, "toolType">): void {
	if (isContextBound(toolType))
		throw new ApiError(
			"TOOL_CONTEXT_BOUND",
			`Tools of type ${toolType} act on a live call and cannot be run by themselves`,
		);
	assertTypeEnabled(ctx, toolType);
}

function notBuilt(tool: ToolRow): ApiError {
	if (tool.buildState === "building")
		return new ApiError("TOOL_NOT_BUILT", "The tool's code is still being built");
	const why = tool.buildState === "failed" ? `. The last build failed: ${describeBuildErrors(tool)}` : "";
	const remedy = `POST /v1/agents/tools/${tool.id}/introspect builds it`;
	return new ApiError("TOOL_NOT_BUILT", `The tool's code is not built; ${remedy}${why}`);
}

/** @throws ApiError VALIDATION_FAILED for a real run that the caller has not confirmed. */
export function assertConfirmed(
	{ toolType }: Runnable,
	{ confirm_side_effects }: Pick<RunTool, "confirm_side_effects">,
): void {
	if (toolType === "current_datetime" || confirm_side_effects) return;
	const message = "Must be true: the run is real and may have side effects";
	throw new ApiError("VALIDATION_FAILED", `confirm_side_effects: ${message}`, {
		fields: [{ path: "confirm_side_effects", message }],
	});
}
