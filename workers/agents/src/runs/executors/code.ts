import { jsonFault } from "@parley/canonical/json-fault";
import { logError } from "@parley/context/log";
import type { CodeRunResult } from "@parley/contracts/internal/python-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Scrubber } from "@parley/vault/scrub/scrub";
import type { OpenedEntry } from "@parley/vault-entries/entries";
import type { Ctx } from "../../context.ts";
import { sandboxOf, withSlot } from "../../sandbox/sandbox.ts";
import { findKind, seesVault } from "../../secrets/vault-entry.ts";

import { describeError } from "../../tools/builds/build-record.ts";
import { type Arguments, invalidArguments } from "../arguments.ts";
import { difference, type Judged } from "../output.ts";
import { RunFailure } from "../run-failure.ts";
import type { RunLog } from "../run-log.ts";
import type { Runnable } from "../runnable.ts";
import { secretOf } from "../secret-of.ts";

export type CodeCall = {
	tool: Runnable;
	args: Arguments;
	/** Names of the arguments that a default filled. */
	defaulted: readonly string[];
	vault: ReadonlyMap<string, OpenedEntry>;
	scrubber: Scrubber;
	log: RunLog;
};

/**
 * Runs code once, in a fresh interpreter that sees the declared secrets and nothing else. The sandbox checks the arguments
 * itself: a pattern of the tool's own schema must not be matched where it could hold up anyone else.
 * @throws ApiError VALIDATION_FAILED for arguments that the tool's schema refuses, RATE_LIMITED when the organisation's
 * places are taken or the sandbox is full; RunFailure
 */
export async function runCode(ctx: Ctx, call: CodeCall): Promise<Judged> {
	const { tool, args, defaulted, vault, scrubber, log } = call;
	const secrets = tool.declaredSecrets.map((name): [string, string] => [name, secretOf(vault, name)]);
	const result = await withSlot(ctx, () =>
		askSandbox(ctx, {
			code_src: tool.codeSrc ?? "",
			frozen_deps: tool.frozenDeps,
			arguments: args,
			arg_schema: tool.argumentSchema,
			output_schema: tool.outputSchema,
			secrets: Object.fromEntries(secrets),
			timeout_ms: Number(ctx.env.CODE_RUN_TIMEOUT_MS) || 30_000,
		}),
	);
	if (result.status === "refused") throw refusal(result.error, defaulted, scrubber.text);
	log.print(result.logs, result.logs_truncated);
	if (result.status !== "succeeded") {
		const hint = await undeclaredEntry(ctx, tool, result.error.message);
		const message = describeError(result.error);
		throw new RunFailure(result.error.code, hint ? `${message}\n\n${hint}` : message, result.status);
	}
	const { output, validation, mismatches } = result;
	const fault = jsonFault(output);
	if (fault) throw new RunFailure("INVALID_OUTPUT", `The output cannot be kept: ${fault.message}`);
	return {
		...{ output, validation },
		differences: mismatches.map(({ path, message }) => difference(path, message)),
	};
}

type SandboxRequest = Parameters<ReturnType<typeof sandboxOf>["run"]>[0];
type Refused = Extract<CodeRunResult, { status: "refused" }>["error"];

async function askSandbox(ctx: Ctx, request: SandboxRequest): Promise<CodeRunResult> {
	try {
		return await sandboxOf(ctx).run(request);
	} catch (error) {
		logError("SANDBOX_FAILED", error, { request_id: ctx.requestId });
		throw new RunFailure("SANDBOX_ERROR", "The sandbox did not answer; try again");
	}
}

function refusal(
	{ code, message, fields }: Refused,
	defaulted: readonly string[],
	scrub: (text: string) => string,
): Error {
	switch (code) {
		case "INVALID_ARGUMENTS": {
			const faults = fields.length > 0 ? fields : [{ path: "", message }];
			return invalidArguments(
				faults.map((field) => ({ path: scrub(field.path), message: scrub(field.message) })),
				defaulted,
			);
		}
		case "SANDBOX_OVERLOADED":
			return new ApiError("RATE_LIMITED", "Too many code tools run at the moment; try again", {
				headers: { "retry-after": "1" },
			});
		default:
			return new RunFailure(code, message);
	}
}

/**
 * How a tool gets the entry of the vault that its code missed with a KeyError; undefined when it missed something else, and
 * for whoever may not see what the vault holds.
 */
async function undeclaredEntry(
	ctx: Ctx,
	{ declaredSecrets }: Pick<Runnable, "declaredSecrets">,
	message: string,
): Promise<string | undefined> {
	const [, name] = /^KeyError: '([A-Z][A-Z0-9_]{0,63})'$/.exec(message) ?? [];
	if (!name || declaredSecrets.includes(name) || !seesVault(ctx)) return undefined;
	switch (await findKind(ctx, name)) {
		case "secret":
			return `The vault has a secret ${name}: a run gets it when declared_secrets names it`;
		case "variable":
			return `The vault has a variable ${name}: a run gets it as a default of an argument, {{$${name}}}`;
		default:
			return undefined;
	}
}
