import type { RunResult } from "@parley/contracts/agents/tool-runs";
import { newId } from "@parley/db/id";
import { egressRules } from "@parley/egress/egress-rules";
import { createScrubber, type Scrubber } from "@parley/vault/scrub/scrub";
import { type OpenedEntry, openEntries } from "@parley/vault-entries/entries";
import type { Ctx } from "../context.ts";
import { toolReferences } from "../tools/tool-content.ts";
import { type Arguments, assertArgumentsMatch, defaultedArguments, withDefaults } from "./arguments.ts";
import { buildRequest } from "./executors/api-request.ts";
import { runCode } from "./executors/code.ts";
import { currentDatetime } from "./executors/current-datetime.ts";
import { sendRequest } from "./executors/send-request.ts";
import { type CheckedOutput, checkOutput, parseOutput } from "./output.ts";
import { RunFailure, toFailure } from "./run-failure.ts";
import { createRunLog, type RunLog } from "./run-log.ts";
import type { Runnable } from "./runnable.ts";

type Work = {
	tool: Runnable;
	args: Arguments;
	defaulted: string[];
	vault: ReadonlyMap<string, OpenedEntry>;
	runId: string;
	scrubber: Scrubber;
	log: RunLog;
};

/** Run that is not recorded yet. Every text in `result` is already scrubbed. */
export type Attempt = {
	result: Omit<RunResult, "proven_hash" | "gate_status">;
	startedAt: Date;
	vault: ReadonlyMap<string, OpenedEntry>;
	scrubber: Scrubber;
};

/** Vault entries that one run needs, opened. */
export type OpenedVault = {
	entries: ReadonlyMap<string, OpenedEntry>;
	/** Values by name, for templates. */
	values: Readonly<Record<string, string>>;
	/** Names without an entry. */
	missing: readonly string[];
	/** Redacts every value of `entries`. */
	scrubber: Scrubber;
};

/** Opens vault entries for one run. Reads nothing if there are no names. */
export async function openVault(ctx: Ctx, names: readonly string[]): Promise<OpenedVault> {
	const distinct = [...new Set(names)];
	const entries = await openEntries(ctx, distinct);
	return {
		entries,
		values: Object.fromEntries(Array.from(entries, ([name, { value }]) => [name, value])),
		missing: distinct.filter((name) => !entries.has(name)),
		scrubber: createScrubber(Array.from(entries.values(), ({ value }) => value)),
	};
}

/** Returns the names of the vault entries that a tool refers to. */
export const vaultNamesOf = (tool: Runnable): string[] =>
	toolReferences("tool", tool).map(({ name }) => name);

/**
 * Executes a tool once: opens its secrets, fills its defaults, checks the arguments, and scrubs the result. Records nothing.
 * A failed run is a result; an error is thrown only if the tool did not run.
 * @throws ApiError VALIDATION_FAILED, RATE_LIMITED
 */
export async function attemptRun(ctx: Ctx, tool: Runnable, given: Arguments): Promise<Attempt> {
	return runOnce(ctx, tool, { given, vault: await openVault(ctx, vaultNamesOf(tool)), runId: newId() });
}

export type RunInput = {
	given: Arguments;
	/** Names of given arguments that the caller has not chosen. A refusal names them as it names defaults. */
	fixed?: readonly string[];
	/** Must hold the entries of `vaultNamesOf`. */
	vault: OpenedVault;
	runId: string;
};

/** Executes a tool once with its vault entries open, as `attemptRun` does. @throws ApiError VALIDATION_FAILED, RATE_LIMITED */
export async function runOnce(
	ctx: Ctx,
	tool: Runnable,
	{ given, fixed = [], vault, runId }: RunInput,
): Promise<Attempt> {
	const { entries, values, missing, scrubber } = vault;
	const args = withDefaults(tool, given, values, missing.length === 0);
	const defaulted = [...defaultedArguments(tool, given), ...fixed];
	if (tool.toolType !== "code") assertArgumentsMatch(tool, { args, defaulted }, scrubber.text);

	const log = createRunLog(scrubber.text);
	const startedAt = ctx.clock();
	const outcome = await captureOutcome(log, () => {
		if (missing.length > 0)
			throw new RunFailure("MISSING_VAULT_ENTRY", `Vault entry not found: ${missing.join(", ")}`);
		return execute(ctx, { tool, args, defaulted, vault: entries, runId, scrubber, log });
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
	return { result, startedAt, vault: entries, scrubber };
}

type Outcome = Pick<RunResult, "status" | "validation" | "error"> & { output: unknown };

async function captureOutcome(log: RunLog, work: () => Promise<CheckedOutput>): Promise<Outcome> {
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

async function execute(ctx: Ctx, { runId, ...work }: Work): Promise<CheckedOutput> {
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
			return checkOutput(parseOutput(answer), outputSchema);
		}
		case "current_datetime":
			return checkOutput(currentDatetime(ctx.clock(), config.timezone), null);
		default:
			throw new Error(`A tool of type ${config.type} cannot be run`);
	}
}
