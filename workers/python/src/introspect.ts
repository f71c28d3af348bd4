import {
	BUILD_ERROR_GATES,
	type BuildCode,
	type BuildError,
	type BuildErrorCode,
	type CodeBuild,
	type CodeIntrospection,
	type CodeResolution,
	type IntrospectCode,
	PYTHON_LIMITS,
	type PythonTool,
} from "@parley/contracts/internal/python-rpc";
import { ArgumentSchema, JsonSchema } from "@parley/contracts/shared/json-schema";
import { z } from "zod";
import type { Ctx } from "./context.ts";
import { DependencyError } from "./dependencies/dependency-error.ts";
import { resolveDependencies } from "./dependencies/resolve.ts";
import { loadWheels } from "./dependencies/wheel-store.ts";
import { faultOf } from "./faults.ts";
import { clampTimeout, isSourceTooLarge } from "./limits.ts";
import { SandboxOverloaded } from "./places.ts";
import { presentLogs, presentMessage, presentTraceback } from "./printed.ts";
import { RUNTIME_ID } from "./runtime.ts";
import { type Answer, inSandbox } from "./sandbox.ts";

const SECRET_PLACEHOLDER = "not-available-while-building";
// What packages say of themselves goes into messages, and a record has room for so much.
const MAX_DEPENDENCY_ERRORS = 50;
const MAX_DEPENDENCY_MESSAGE = 1_000;

const Described = z.object({
	entry: z.string().max(1_000),
	description: z.string(),
	is_async: z.boolean(),
	arg_schema: z.record(z.string(), z.unknown()),
	output_schema: z.record(z.string(), z.unknown()).nullable(),
});

/** Fetches, checks and stores the wheels of exact pins. */
export async function resolvePins(ctx: Ctx, dependencies: string[]): Promise<CodeResolution> {
	const { frozen, errors } = await resolveDependencies(ctx, dependencies);
	return errors.length > 0
		? { ok: false, errors: errors.slice(0, MAX_DEPENDENCY_ERRORS).map(ofDependency) }
		: { ok: true, frozen_deps: frozen };
}

/** Resolves the pins, then imports and describes the tool. */
export async function buildTool(ctx: Ctx, { dependencies, ...tool }: BuildCode): Promise<CodeBuild> {
	const resolved = await resolvePins(ctx, dependencies);
	if (!resolved.ok) return { ...resolved, ...nothingPrinted };
	const { frozen_deps } = resolved;
	const introspected = await introspectTool(ctx, { ...tool, frozen_deps });
	return introspected.ok ? { ...introspected, frozen_deps } : introspected;
}

/** Imports the tool once, without calling it, and describes it. */
export async function introspectTool(ctx: Ctx, request: IntrospectCode): Promise<CodeIntrospection> {
	if (isSourceTooLarge(request.code_src)) {
		const message = `the source is larger than ${PYTHON_LIMITS.sourceBytes} bytes`;
		return refused(buildError("SOURCE_TOO_LARGE", message));
	}
	const timeoutMs = clampTimeout(request.timeout_ms ?? PYTHON_LIMITS.importTimeoutMs);
	const environment = Object.fromEntries(request.declared_secrets.map((name) => [name, SECRET_PLACEHOLDER]));
	try {
		const wheels = await loadWheels(ctx.wheels, request.frozen_deps);
		const call = { op: "introspect", source: request.code_src, arguments: {}, environment } as const;
		return describe(await inSandbox(ctx, { ...call, timeoutMs, wheels }), timeoutMs);
	} catch (error) {
		if (error instanceof SandboxOverloaded) return refused(buildError("SANDBOX_OVERLOADED", error.message));
		if (error instanceof DependencyError) return refused(ofDependency(error));
		throw error;
	}
}

function describe(answer: Answer, timeoutMs: number): CodeIntrospection {
	const printed = presentLogs(answer);
	const failed = (error: BuildError): CodeIntrospection => ({ ok: false, errors: [error], ...printed });
	const fault = faultOf(answer, timeoutMs);
	if (fault) {
		const code = fault.code in BUILD_ERROR_GATES ? (fault.code as BuildErrorCode) : "SANDBOX_ERROR";
		const traceback = presentTraceback(fault.traceback);
		return failed(buildError(code, presentMessage(fault.message), { traceback }));
	}
	const { data } = Described.safeParse(answer.payload);
	if (!data) return failed(buildError("SANDBOX_ERROR", "the sandbox failed: its description cannot be read"));
	const wrong = schemaFault(data.arg_schema);
	if (wrong) return failed(wrong);
	const tool: PythonTool = {
		...data,
		description: data.description.slice(0, 10_000),
		output_schema: JsonSchema.safeParse(data.output_schema).data ?? null,
		runtime_id: RUNTIME_ID,
	};
	return { ok: true, tool, ...printed };
}

function schemaFault(schema: Record<string, unknown>): BuildError | undefined {
	const [issue] = ArgumentSchema.safeParse(schema).error?.issues ?? [];
	if (!issue) return undefined;
	const isLimit = issue.code === "custom" && issue.params?.limit !== undefined;
	const at = issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
	return buildError(
		isLimit ? "SCHEMA_TOO_LARGE" : "SCHEMA_INVALID",
		`the argument schema${at}: ${issue.message}`,
	);
}

const nothingPrinted = { logs: [], logs_truncated: false };
const refused = (error: BuildError): CodeIntrospection => ({ ok: false, errors: [error], ...nothingPrinted });

const ofDependency = (error: DependencyError): BuildError =>
	buildError(error.code, error.message.slice(0, MAX_DEPENDENCY_MESSAGE), {
		dependency: error.dependency,
		suggested_pin: error.suggestedPin,
	});

function buildError(code: BuildErrorCode, message: string, more: Partial<BuildError> = {}): BuildError {
	const gate = BUILD_ERROR_GATES[code];
	return { code, gate, message, traceback: null, dependency: null, suggested_pin: null, ...more };
}
