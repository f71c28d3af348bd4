import { ApiError } from "@parley/contracts/api-error";
import type { RunResult, RunTool } from "@parley/contracts/tool-runs";
import { newId } from "@parley/db/id";
import { allowsLoopback } from "@parley/egress/address";
import { createScrubber } from "@parley/vault/scrub";
import type { Ctx } from "../../context.ts";
import { type OpenedEntry, openEntries } from "../../secrets/vault-entry.ts";
import { readOwnTool } from "../find-tool.ts";
import { gateStatus, isContextBound } from "../gates.ts";
import { notBuilt } from "../introspect-tool.ts";
import { toolReferences } from "../tool-content.ts";
import type { ToolRow } from "../tool-row.ts";
import { buildRequest } from "./api-request.ts";
import { type Arguments, assertArgumentsMatch, withDefaults } from "./arguments.ts";
import { currentDatetime } from "./current-datetime.ts";
import { assertOutputFits, parseOutput, validateOutput } from "./output.ts";
import { recordRun } from "./record-run.ts";
import { RunFailure, toFailure } from "./run-failure.ts";
import { createRunLog } from "./run-log.ts";
import { sendRequest } from "./send-request.ts";

type Work = {
	tool: ToolRow;
	args: Arguments;
	vault: ReadonlyMap<string, OpenedEntry>;
	runId: string;
	log: (line: string) => void;
};

/**
 * Runs a tool for real and records what became of it. A run that fails is a result; what is thrown did not run.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, TOOL_CONTEXT_BOUND, TOOL_NOT_BUILT, VALIDATION_FAILED; TOOL_CHANGED
 * when the tool's content was changed while it ran, so that the run proves nothing.
 */
export async function runTool(ctx: Ctx, toolId: string, body: RunTool): Promise<RunResult> {
	const tool = await readOwnTool(ctx, toolId);
	assertRunnable(tool);
	assertConfirmed(tool, body);
	const names = [...new Set(toolReferences("tool", tool).map(({ name }) => name))];
	const vault = await openEntries(ctx, names);
	const missing = names.filter((name) => !vault.has(name));
	const scrubber = createScrubber(Array.from(vault.values(), ({ value }) => value));
	const values = Object.fromEntries(Array.from(vault, ([name, { value }]) => [name, value]));
	const args = withDefaults(tool, body.sample_input, values, missing.length === 0);
	assertArgumentsMatch(tool, args, scrubber.text);

	const log = createRunLog(scrubber.text);
	const runId = newId();
	const startedAt = ctx.clock();
	const outcome = await outcomeOf(tool, log.add, () => {
		if (missing.length > 0)
			throw new RunFailure("MISSING_VAULT_ENTRY", `No such vault entry: ${missing.join(", ")}`);
		return execute(ctx, { tool, args, vault, runId, log: log.add });
	});
	const run = {
		run_id: runId,
		status: outcome.status,
		latency_ms: Math.max(0, ctx.clock().getTime() - startedAt.getTime()),
		output_json: scrubber.json(outcome.output),
		logs: log.lines(),
		validation: outcome.validation,
		error: outcome.error && { ...outcome.error, message: scrubber.text(outcome.error.message) },
	};
	const sampleInput = scrubber.json(body.sample_input) as Arguments;
	const after = await recordRun(ctx, tool, run, { sampleInput, startedAt });
	return { ...run, proven_hash: after.provenHash, gate_status: gateStatus(after) };
}

function assertRunnable(tool: ToolRow): void {
	if (isContextBound(tool.toolType))
		throw new ApiError(
			"TOOL_CONTEXT_BOUND",
			`Tools of type ${tool.toolType} act on a live call and cannot be run by themselves`,
		);
	if (tool.toolType === "code") throw notBuilt();
}

function assertConfirmed({ toolType }: ToolRow, { confirm_side_effects }: RunTool): void {
	if (toolType === "current_datetime" || confirm_side_effects) return;
	const message = "Must be true: the run is real and may have side effects";
	throw new ApiError("VALIDATION_FAILED", `confirm_side_effects: ${message}`, {
		fields: [{ path: "confirm_side_effects", message }],
	});
}

type Outcome = Pick<RunResult, "status" | "validation" | "error"> & { output: unknown };

async function outcomeOf(
	tool: ToolRow,
	log: (line: string) => void,
	work: () => Promise<unknown>,
): Promise<Outcome> {
	try {
		const output = await work();
		assertOutputFits(output);
		const { validation, differences } = validateOutput(tool, output);
		for (const difference of differences) log(difference);
		return { status: "succeeded", output, validation, error: null };
	} catch (error) {
		const failure = toFailure(error);
		if (!failure) throw error;
		const { status, code, message } = failure;
		return { status, output: null, validation: "na", error: { code, message } };
	}
}

async function execute(ctx: Ctx, { tool, args, vault, runId, log }: Work): Promise<unknown> {
	const { config } = tool;
	switch (config.type) {
		case "api_request": {
			const sentAt = ctx.clock().toISOString();
			const request = await buildRequest({ config, args, vault, toolName: tool.name, runId, sentAt });
			const allowLoopback = allowsLoopback(ctx.env.EGRESS_ALLOW_LOOPBACK);
			const { clock, fetch } = ctx;
			return parseOutput(await sendRequest(request, { config, log, clock, fetch, allowLoopback }));
		}
		case "current_datetime":
			return currentDatetime(ctx.clock(), config.timezone);
		default:
			throw new Error(`A tool of type ${config.type} cannot be run`);
	}
}
