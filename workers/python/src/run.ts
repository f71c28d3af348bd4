import {
	type CodeRunResult,
	PYTHON_LIMITS,
	type RefusalCode,
	RUN_ERROR_CODES,
	type RunCode,
	type RunErrorCode,
} from "@parley/contracts/internal/python-rpc";
import type { FieldError } from "@parley/contracts/shared/api-error";
import { BudgetExceeded } from "@parley/json-schema/budget";
import { SchemaError, validate } from "@parley/json-schema/validate";
import { createScrubber, type Scrubber } from "@parley/vault/scrub/scrub";
import { z } from "zod";
import type { Ctx } from "./context.ts";
import { DependencyError } from "./dependencies/dependency-error.ts";
import { loadWheels } from "./dependencies/wheel-store.ts";
import { faultOf } from "./faults.ts";
import type { SandboxCall } from "./isolate/runner.ts";
import { clampTimeout, isSourceTooLarge } from "./limits.ts";
import { SandboxOverloaded } from "./places.ts";
import { presentLogs, presentMessage, presentTraceback } from "./printed.ts";
import { type Answer, inSandbox } from "./sandbox.ts";

// The harness allows 200 levels; what is deeper, a tool has made it say, and no reader of ours could follow.
const MAX_OUTPUT_DEPTH = 256;

const Returned = z.object({ output: z.string() });

/** Calls code in an interpreter that no other call has used. */
export type Execute = (call: SandboxCall) => Promise<Answer>;

/** Starts an interpreter for a call. @throws SandboxOverloaded, DependencyError */
export const inFreshInterpreter =
	(ctx: Ctx, { frozen_deps }: Pick<RunCode, "frozen_deps">): Execute =>
	async (call) =>
		inSandbox(ctx, { ...call, wheels: await loadWheels(ctx.wheels, frozen_deps) });

/** Calls a tool once, after its arguments were checked. */
export async function runTool(request: RunCode, execute: Execute): Promise<CodeRunResult> {
	const started = Date.now();
	const refusal = checkRequest(request);
	if (refusal) return refusal;
	const timeoutMs = clampTimeout(request.timeout_ms ?? PYTHON_LIMITS.runTimeoutMs);
	let answer: Answer;
	try {
		answer = await execute({
			op: "run",
			source: request.code_src,
			arguments: request.arguments,
			environment: request.secrets,
			timeoutMs,
		});
	} catch (error) {
		if (error instanceof SandboxOverloaded) return refuse("SANDBOX_OVERLOADED", error.message);
		if (error instanceof DependencyError) return refuse("WHEEL_MISSING", error.message);
		throw error;
	}
	return resultOf(answer, request, timeoutMs, Date.now() - started);
}

function checkRequest({ code_src, arg_schema, arguments: args }: RunCode): CodeRunResult | undefined {
	if (isSourceTooLarge(code_src))
		return refuse("SOURCE_TOO_LARGE", `the source is larger than ${PYTHON_LIMITS.sourceBytes} bytes`);
	if (!arg_schema) return undefined;
	try {
		const fields = fieldsOf(arg_schema, args);
		return fields.length > 0 ? refuse("INVALID_ARGUMENTS", summary(fields), fields) : undefined;
	} catch (error) {
		if (error instanceof SchemaError)
			return refuse("SCHEMA_INVALID", `The tool's argument schema ${error.message}`);
		if (!(error instanceof BudgetExceeded)) throw error;
		const remedy = "Send a smaller value, or simplify the tool's argument schema.";
		const fields = [{ path: error.path.join("."), message: `${error.message}. ${remedy}` }];
		return refuse("INVALID_ARGUMENTS", summary(fields), fields);
	}
}

function resultOf(answer: Answer, request: RunCode, timeoutMs: number, latency: number): CodeRunResult {
	const scrub = createScrubber(Object.values(request.secrets));
	const finished = { ...presentLogs(answer, scrub.text), latency_ms: latency };
	const failed = (code: RunErrorCode, message: string, traceback: string | null = null): CodeRunResult => ({
		...finished,
		status: code === "TIMED_OUT" ? "timed_out" : "failed",
		error: {
			code,
			message: presentMessage(message, scrub.text),
			traceback: presentTraceback(traceback, scrub.text),
		},
	});
	const fault = faultOf(answer, timeoutMs);
	if (fault?.code === "INVALID_ARGUMENTS")
		return refuse(
			"INVALID_ARGUMENTS",
			presentMessage(fault.message, scrub.text),
			scrubFields(fault.fields?.map(inSentenceCase), scrub),
		);
	if (fault) {
		const code = RUN_ERROR_CODES.find((known) => known === fault.code) ?? "SANDBOX_ERROR";
		return failed(code, fault.message, fault.traceback);
	}
	const text = Returned.safeParse(answer.payload).data?.output;
	// The sandbox applies the limit, but a tool can change the sandbox.
	if (text && new TextEncoder().encode(text).length > PYTHON_LIMITS.outputBytes)
		return failed("OUTPUT_TOO_LARGE", `the result is larger than ${PYTHON_LIMITS.outputBytes} bytes of JSON`);
	const output = parseOutput(text);
	if (output === undefined || isDeeperThan(output, MAX_OUTPUT_DEPTH))
		return failed("SANDBOX_ERROR", "the sandbox failed: its result cannot be read");
	const { output_schema } = request;
	try {
		const mismatches = output_schema ? fieldsOf(output_schema, output) : [];
		return {
			...finished,
			status: "succeeded",
			output: scrub.json(output),
			validation: output_schema ? (mismatches.length > 0 ? "mismatch" : "valid") : "na",
			mismatches: scrubFields(mismatches, scrub),
			error: null,
		};
	} catch (error) {
		if (error instanceof SchemaError)
			return failed("SCHEMA_INVALID", `The tool's output schema ${error.message}`);
		if (!(error instanceof BudgetExceeded)) throw error;
		const remedy = "Return a smaller value, or simplify the tool's output schema.";
		const path = ["output", ...error.path].join(".");
		return failed("OUTPUT_TOO_COMPLEX", `${path}: ${error.message}. ${remedy}`);
	}
}

const fieldsOf = (schema: Record<string, unknown>, value: unknown): FieldError[] =>
	validate(schema, value).map(({ path, message }) => ({ path: path.join("."), message }));

/** The harness writes messages that continue a sentence, such as `is required`. */
const inSentenceCase = ({ path, message }: FieldError): FieldError => ({
	path,
	message: message.charAt(0).toUpperCase() + message.slice(1),
});

const scrubFields = (fields: FieldError[] = [], scrub: Scrubber): FieldError[] =>
	fields.map(({ path, message }) => ({ path: scrub.text(path), message: scrub.text(message) }));

function parseOutput(text: string | undefined): unknown {
	try {
		return text === undefined ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
}

const isDeeperThan = (value: unknown, depth: number): boolean =>
	typeof value === "object" &&
	value !== null &&
	(depth === 0 || Object.values(value).some((member) => isDeeperThan(member, depth - 1)));

const summary = (fields: FieldError[]) =>
	fields
		.slice(0, 3)
		.map(({ path, message }) => (path ? `${path}: ${message}` : message))
		.join("; ");

const refuse = (code: RefusalCode, message: string, fields: FieldError[] = []): CodeRunResult => ({
	status: "refused",
	error: { code, message, fields },
});
