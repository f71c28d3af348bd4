import type { RunResult, RunTool } from "@parley/contracts/agents/tool-runs";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../context.ts";
import { describeBuildErrors } from "../tools/builds/build-record.ts";
import { assertTypeEnabled } from "../tools/create-tool.ts";
import { assertOwn, readOwnTool } from "../tools/find-tool.ts";
import { gateStatus, isContextBound } from "../tools/gates/gates.ts";
import type { ToolRow } from "../tools/tool-row.ts";
import type { Arguments } from "./arguments.ts";
import { attemptRun } from "./attempt-run.ts";
import { isProof, recordRun } from "./record-run.ts";
import { draftOf, publishedFacts, type Runnable, readRunnableVersion } from "./runnable.ts";

/**
 * Runs a tool's draft for real and records what became of it. A run that fails is a result; what is thrown did not run.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, TOOL_CONTEXT_BOUND, TOOL_NOT_BUILT, FEATURE_DISABLED,
 * VALIDATION_FAILED, RATE_LIMITED; TOOL_CHANGED when the tool's content was changed while it ran, so that the run proves
 * nothing.
 */
export async function runTool(ctx: Ctx, toolId: string, body: RunTool): Promise<RunResult> {
	const tool = await readOwnTool(ctx, toolId);
	assertRunnable(ctx, tool);
	if (tool.toolType === "code" && tool.buildState !== "built") throw notBuilt(tool);
	return run(ctx, draftOf(tool), body);
}

/**
 * Runs a published version as it was published; it goes into the tool's history and says nothing of the draft.
 * @throws ApiError as `runTool`, but for TOOL_NOT_BUILT and TOOL_CHANGED: a version never changes.
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
	return run(ctx, tool, body);
}

async function run(ctx: Ctx, tool: Runnable, body: RunTool): Promise<RunResult> {
	assertConfirmed(tool, body);
	const { result, startedAt, vault, scrubber } = await attemptRun(ctx, tool, body.sample_input);
	const sampleInput = scrubber.json(body.sample_input) as Arguments;
	const after = await recordRun(ctx, tool, result, { sampleInput, startedAt });
	const facts = tool.versionNumber === null ? after : publishedFacts(ctx, tool, vault);
	const hasProved = isProof(result) && facts.provenHash === tool.contentHash;
	return { ...result, proven_hash: hasProved ? tool.contentHash : null, gate_status: gateStatus(facts) };
}

function assertRunnable(ctx: Ctx, { toolType }: Pick<Runnable, "toolType">): void {
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

function assertConfirmed({ toolType }: Runnable, { confirm_side_effects }: RunTool): void {
	if (toolType === "current_datetime" || confirm_side_effects) return;
	const message = "Must be true: the run is real and may have side effects";
	throw new ApiError("VALIDATION_FAILED", `confirm_side_effects: ${message}`, {
		fields: [{ path: "confirm_side_effects", message }],
	});
}
