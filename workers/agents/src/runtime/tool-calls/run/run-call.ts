import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../../../context.ts";
import {
	type Arguments,
	assertArgumentsMatch,
	defaultedArguments,
	withDefaults,
} from "../../../runs/arguments.ts";
import { openVault, runOnce, vaultNamesOf } from "../../../runs/attempt-run.ts";
import type { Runnable } from "../../../runs/runnable.ts";
import { withMock } from "../../../tools/cases/mocked-endpoint.ts";
import { assertTypeEnabled } from "../../../tools/create-tool.ts";
import type { ToolAttachment } from "../../in-force/runtime-attachment.ts";
import { visibleArguments } from "../../toolset/hidden-arguments.ts";
import type { CallDeadline } from "./call-deadline.ts";
import { CallFailure } from "./call-failure.ts";
import { argumentsOf, type CallInput, type OpenedCall } from "./call-input.ts";
import { callMcpTool } from "./call-mcp-tool.ts";
import { type CallOutcome, outcomeOfError, succeededWith } from "./call-outcome.ts";
import { type CallTemplates, renderValues, templateValuesOf, vaultNamesInTemplates } from "./call-values.ts";
import { callerOutput, directiveOf, directiveTexts } from "./directives.ts";
import { mockFor } from "./mocks.ts";

/** How often and how long a call waits for the sandbox when all of the organisation's slots are taken. */
const SANDBOX_WAIT_MS = 150;
const SANDBOX_TRIES = 20;

/**
 * Runs one call. Opens the secrets that it needs and redacts them from everything that it returns.
 * @throws ApiError FEATURE_DISABLED, and faults of Parley itself.
 */
export async function runCall(ctx: Ctx, call: CallInput): Promise<CallOutcome> {
	const { attachment, agent, variables } = call;
	const texts = attachment.kind === "tool" ? directiveTexts(attachment) : undefined;
	const fixed = { ...attachment.system?.arguments, ...attachment.argumentOverrides };
	const templates: CallTemplates = {
		templates: [fixed, texts ?? {}],
		...{ variables, defaults: agent.config.template_defaults },
	};
	const runnable = attachment.kind === "tool" ? attachment.runnable : null;
	const vault = await openVault(ctx, [
		...vaultNamesInTemplates(templates),
		...(runnable ? vaultNamesOf(runnable) : []),
	]);
	const scrub = vault.scrubber.text;
	call.onScrubbed(vault.scrubber.json(call.given) as Arguments);
	try {
		const values = templateValuesOf(templates, vault);
		const given = visibleArguments(attachment, call.given);
		const work = { ...call, given, vault, fixed: renderValues(fixed, values) as Arguments };
		if (attachment.kind === "mcp") return await callMcpTool(ctx, attachment, work);
		const tool = runnableOf(attachment);
		assertTypeEnabled(ctx, tool.toolType);
		if (!texts && tool.toolType !== "user_phone_number") return await runTool(ctx, tool, work);
		assertArgumentsMatch(tool, { args: argumentsOf(work), defaulted: Object.keys(work.fixed) }, scrub);
		if (texts) return succeededWith({ directive: directiveOf(tool.config, texts, { values, vault }) });
		return succeededWith({ output: vault.scrubber.json(callerOutput(call.session?.caller)) });
	} catch (error) {
		const outcome = outcomeOfError(error, scrub);
		if (!outcome) throw error;
		return outcome;
	}
}

function runnableOf({ runnable, name }: ToolAttachment): Runnable {
	if (runnable) return runnable;
	throw new CallFailure("TOOL_DELETED", `The tool ${name} was deleted`);
}

async function runTool(ctx: Ctx, tool: Runnable, call: OpenedCall): Promise<CallOutcome> {
	const args = argumentsOf(call);
	const isMocked = call.session?.mocks === true && tool.toolType === "api_request";
	const within = withinDeadline(ctx, call.deadline);
	if (isMocked) assertComplete(tool, call);
	const mocked = isMocked ? withMock(within, await mockFor(ctx, tool, args)) : within;
	const input = { given: args, fixed: Object.keys(call.fixed), vault: call.vault, runId: call.id };
	const { result } = await waitForSandbox(call.deadline, () => runOnce(mocked, tool, input));
	call.deadline.signal.throwIfAborted();
	return {
		status: result.status,
		output: result.output_json,
		directive: null,
		error: result.error,
		validation: result.validation,
		logs: result.logs,
		mocked: isMocked,
	};
}

/** Checks the arguments with the tool's defaults. @throws ApiError VALIDATION_FAILED */
function assertComplete(tool: Runnable, call: OpenedCall): void {
	const { values, missing, scrubber } = call.vault;
	const args = withDefaults(tool, argumentsOf(call), values, missing.length === 0);
	const defaulted = [...defaultedArguments(tool, argumentsOf(call)), ...Object.keys(call.fixed)];
	assertArgumentsMatch(tool, { args, defaulted }, scrubber.text);
}

/** Returns a context in which no request and no code outlives the call. */
function withinDeadline(ctx: Ctx, { signal, remainingMs }: CallDeadline): Ctx {
	const send = ctx.fetch ?? globalThis.fetch;
	const limitMs = Math.min(Number(ctx.env.CODE_RUN_TIMEOUT_MS) || 30_000, remainingMs());
	return {
		...ctx,
		env: { ...ctx.env, CODE_RUN_TIMEOUT_MS: String(Math.ceil(limitMs)) },
		fetch: (input, init) =>
			send(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
	};
}

/** A conversation rather waits a moment for the sandbox than to hear that it is busy. */
async function waitForSandbox<T>({ signal }: CallDeadline, run: () => Promise<T>): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			return await run();
		} catch (error) {
			const isBusy = error instanceof ApiError && error.code === "RATE_LIMITED";
			if (!isBusy || tries === SANDBOX_TRIES || signal.aborted) throw error;
			await new Promise((resolve) => setTimeout(resolve, SANDBOX_WAIT_MS));
		}
	}
}
