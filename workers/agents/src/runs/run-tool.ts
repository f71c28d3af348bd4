import type { RunResult, RunTool } from "@parley/contracts/agents/tool-runs";
import { ApiError } from "@parley/contracts/shared/api-error";
import { newId } from "@parley/db/id";
import { egressRules } from "@parley/egress/egress-rules";
import { createScrubber, type Scrubber } from "@parley/vault/scrub";
import { type OpenedEntry, openEntries } from "@parley/vault-entries/entries";
import type { Ctx } from "../context.ts";
import { describeBuildErrors } from "../tools/builds/build-record.ts";
import { assertTypeEnabled } from "../tools/create-tool.ts";
import { assertOwn, readOwnTool } from "../tools/find-tool.ts";
import { gateStatus, isContextBound } from "../tools/gates/gates.ts";
import { toolReferences } from "../tools/tool-content.ts";
import type { ToolRow } from "../tools/tool-row.ts";
import { type Arguments, assertArgumentsMatch, defaultedArguments, withDefaults } from "./arguments.ts";
import { buildRequest } from "./executors/api-request.ts";
import { runCode } from "./executors/code.ts";
import { currentDatetime } from "./executors/current-datetime.ts";
import { sendRequest } from "./executors/send-request.ts";
import { type Judged, judged, parseOutput } from "./output.ts";
import { isProof, recordRun } from "./record-run.ts";
import { RunFailure, toFailure } from "./run-failure.ts";
import { createRunLog, type RunLog } from "./run-log.ts";
import { draftOf, publishedFacts, type Runnable, readRunnableVersion } from "./runnable.ts";

type Work = {
	tool: Runnable;
	args: Arguments;
	defaulted: string[];
	vault: ReadonlyMap<string, OpenedEntry>;
	runId: string;
	scrubber: Scrubber;
	log: RunLog;
};

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
	const names = [...new Set(toolReferences("tool", tool).map(({ name }) => name))];
	const vault = await openEntries(ctx, names);
	const missing = names.filter((name) => !vault.has(name));
	const scrubber = createScrubber(Array.from(vault.values(), ({ value }) => value));
	const values = Object.fromEntries(Array.from(vault, ([name, { value }]) => [name, value]));
	const args = withDefaults(tool, body.sample_input, values, missing.length === 0);
	const defaulted = defaultedArguments(tool, body.sample_input);
	if (tool.toolType !== "code") assertArgumentsMatch(tool, { args, defaulted }, scrubber.text);

	const log = createRunLog(scrubber.text);
	const runId = newId();
	const startedAt = ctx.clock();
	const outcome = await outcomeOf(log, () => {
		if (missing.length > 0)
			throw new RunFailure("MISSING_VAULT_ENTRY", `Vault entry not found: ${missing.join(", ")}`);
		return execute(ctx, { tool, args, defaulted, vault, runId, scrubber, log });
	});
	const result = {
		run_id: runId,
		status: outcome.status,
		latency_ms: Math.max(0, ctx.clock().getTime() - startedAt.getTime()),
		output_json: scrubber.json(outcome.output),
		logs: log.lines(),
		logs_truncated: log.isTruncated(),
		validation: outcome.validation,
		error: outcome.error && { ...outcome.error, message: scrubber.text(outcome.error.message) },
	};
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

type Outcome = Pick<RunResult, "status" | "validation" | "error"> & { output: unknown };

async function outcomeOf(log: RunLog, work: () => Promise<Judged>): Promise<Outcome> {
	try {
		const { output, validation, differences } = await work();
		for (const difference of differences) log.add(difference);
		return { status: "succeeded", output, validation, error: null };
	} catch (error) {
		const failure = toFailure(error);
		if (!failure) throw error;
		const { status, code, message } = failure;
		return { status, output: null, validation: "na", error: { code, message } };
	}
}

async function execute(ctx: Ctx, { runId, ...work }: Work): Promise<Judged> {
	const { tool, args, defaulted, vault, log } = work;
	const { config, outputSchema } = tool;
	switch (config.type) {
		case "code":
			return runCode(ctx, work);
		case "api_request": {
			const sentAt = ctx.clock().toISOString();
			const request = await buildRequest({
				...{ config, args, defaulted, vault, runId, sentAt },
				toolName: tool.name,
			});
			const rules = egressRules(ctx.env);
			const { clock, fetch } = ctx;
			const answer = await sendRequest(request, { config, log: log.add, clock, fetch, rules });
			return judged(parseOutput(answer), outputSchema);
		}
		case "current_datetime":
			return judged(currentDatetime(ctx.clock(), config.timezone), null);
		default:
			throw new Error(`A tool of type ${config.type} cannot be run`);
	}
}
