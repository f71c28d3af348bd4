import { jsonFault } from "@parley/canonical/json-fault";
import { logError } from "@parley/context/log";
import type { CodeRunResult } from "@parley/contracts/internal/python-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Scrubber } from "@parley/vault/scrub/scrub";
import type { OpenedEntry } from "@parley/vault-entries/entries";
import type { Ctx } from "../../context.ts";
import { sandboxOf, withSlot } from "../../sandbox/sandbox.ts";
import { canReadVault, findKind } from "../../secrets/vault-entry.ts";

import { describeError } from "../../tools/builds/build-record.ts";
import { type Arguments, invalidArguments } from "../arguments.ts";
import { getSecretValue } from "../get-secret-value.ts";
import { type CheckedOutput, difference } from "../output.ts";
import { RunFailure } from "../run-failure.ts";
import type { RunLog } from "../run-log.ts";
import type { Runnable } from "../runnable.ts";

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
 * Runs code once in a fresh interpreter that has access to the declared secrets only. The sandbox validates the arguments,
 * so that a slow pattern in the tool's schema cannot block other requests.
 * @throws ApiError VALIDATION_FAILED for arguments that do not match the tool's schema; RATE_LIMITED if all slots of the
 * organisation or of the sandbox are taken; RunFailure
 */
export async function runCode(ctx: Ctx, call: CodeCall): Promise<CheckedOutput> {
	const { tool, args, defaulted, vault, scrubber, log } = call;
	const secrets = tool.declaredSecrets.map((name): [string, string] => [name, getSecretValue(vault, name)]);
	const result = await withSlot(ctx, () =>
		runInSandbox(ctx, {
			code_src: tool.codeSrc ?? "",
			frozen_deps: tool.frozenDeps,
			arguments: args,
			arg_schema: tool.argumentSchema,
			output_schema: tool.outputSchema,
			secrets: Object.fromEntries(secrets),
			timeout_ms: Number(ctx.env.CODE_RUN_TIMEOUT_MS) || 30_000,
			...(tool.versionNumber !== null && { organisation_id: tool.organisationId }),
		}),
	);
	if (result.status === "refused") throw toRefusalError(result.error, defaulted, scrubber.text);
	log.print(result.logs, result.logs_truncated);
	if (result.status !== "succeeded") {
		const hint = await undeclaredEntryHint(ctx, tool, result.error.message);
		const message = describeError(result.error);
		throw new RunFailure(result.error.code, hint ? `${message}\n\n${hint}` : message, result.status);
	}
	const { output, validation, mismatches } = result;
	const fault = jsonFault(output);
	if (fault) throw new RunFailure("INVALID_OUTPUT", `The output cannot be stored: ${fault.message}`);
	return {
		...{ output, validation },
		differences: mismatches.map(({ path, message }) => difference(path, message)),
	};
}

type SandboxRequest = Parameters<ReturnType<typeof sandboxOf>["run"]>[0];
type RefusedRun = Extract<CodeRunResult, { status: "refused" }>["error"];

async function runInSandbox(ctx: Ctx, request: SandboxRequest): Promise<CodeRunResult> {
	try {
		return await sandboxOf(ctx).run(request);
	} catch (error) {
		logError("SANDBOX_FAILED", error, { request_id: ctx.requestId });
		throw new RunFailure("SANDBOX_ERROR", "The sandbox did not answer; try again");
	}
}

function toRefusalError(
	{ code, message, fields }: RefusedRun,
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
			return new ApiError("RATE_LIMITED", "Too many code tools are running; try again", {
				headers: { "retry-after": "1" },
			});
		default:
			return new RunFailure(code, message);
	}
}

/**
 * Returns a hint for a KeyError on an existing vault entry: how the tool gets access to it. Undefined for any other error,
 * and if the key may not read the vault.
 */
async function undeclaredEntryHint(
	ctx: Ctx,
	{ declaredSecrets }: Pick<Runnable, "declaredSecrets">,
	message: string,
): Promise<string | undefined> {
	const [, name] = /^KeyError: '([A-Z][A-Z0-9_]{0,63})'$/.exec(message) ?? [];
	if (!name || declaredSecrets.includes(name) || !canReadVault(ctx)) return undefined;
	switch (await findKind(ctx, name)) {
		case "secret":
			return `The vault has a secret ${name}: add it to declared_secrets`;
		case "variable":
			return `The vault has a variable ${name}: use it as the default of an argument, {{$${name}}}`;
		default:
			return undefined;
	}
}
