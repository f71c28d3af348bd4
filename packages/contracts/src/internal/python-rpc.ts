import { z } from "zod";
import type { FieldError } from "../shared/api-error.ts";

/** Bounds of the Python sandbox, in bytes, milliseconds and counts. */
export const PYTHON_LIMITS = {
	sourceBytes: 1024 * 1024,
	outputBytes: 256 * 1024,
	logBytes: 64 * 1024,
	logLines: 1_000,
	runTimeoutMs: 30_000,
	maxTimeoutMs: 120_000,
	importTimeoutMs: 20_000,
	dependencies: 50,
	wheelBytes: 10 * 1024 * 1024,
	allWheelsBytes: 25 * 1024 * 1024,
	unpackedBytes: 40 * 1024 * 1024,
} as const;

const PIN =
	/^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(\[[A-Za-z0-9._,\s-]*\])?\s*==\s*([A-Za-z0-9.!+_-]+)\s*$/;

/**
 * The canonical text of a pin (`Some_Lib == 1.0` is `some-lib==1.0`), for hashing and comparing. Text that is not a
 * pin is given back trimmed.
 */
export function canonicalPin(pin: string): string {
	const [, name, extras, version] = PIN.exec(pin) ?? [];
	if (!name || !version) return pin.trim();
	const listed = (extras ?? "")
		.replace(/[[\]\s]/g, "")
		.split(",")
		.filter(Boolean)
		.map(normalisedProject);
	const marked = listed.length > 0 ? `[${[...new Set(listed)].sort().join(",")}]` : "";
	return `${normalisedProject(name)}${marked}==${version.toLowerCase()}`;
}

/** A project name as the package index compares it: lower case, runs of `-`, `_` and `.` are one `-`. */
export const normalisedProject = (name: string): string => name.replace(/[-_.]+/g, "-").toLowerCase();

/** One wheel that a built tool runs with. The bytes lie in storage under `wheels/<sha256>/<filename>`. */
export const FrozenDependency = z
	.object({
		name: z.string().min(1).max(200).meta({ description: "Name of the package", example: "attrs" }),
		version: z.string().min(1).max(200).meta({ description: "Version of the package", example: "25.3.0" }),
		filename: z
			.string()
			.regex(/^[A-Za-z0-9._+!-]+\.whl$/)
			.max(400)
			.meta({ description: "File name of the wheel", example: "attrs-25.3.0-py3-none-any.whl" }),
		sha256: z
			.string()
			.regex(/^[0-9a-f]{64}$/)
			.meta({ description: "SHA-256 of the wheel in lower-case hex" }),
	})
	.meta({ id: "FrozenDependency" });
export type FrozenDependency = z.infer<typeof FrozenDependency>;

/** Which gate of a code tool a fault of its build belongs to. */
export type PythonGate = "parse" | "schema" | "code_environment";

/** Everything that can stop a build, with the gate that it fails. */
export const BUILD_ERROR_GATES = {
	SOURCE_TOO_LARGE: "parse",
	SYNTAX_ERROR: "parse",
	ENTRY_NOT_FOUND: "parse",
	ENTRY_AMBIGUOUS: "parse",
	UNSUPPORTED_ANNOTATION: "schema",
	UNSUPPORTED_PARAMETER: "schema",
	SCHEMA_INVALID: "schema",
	SCHEMA_TOO_LARGE: "schema",
	DEPENDENCY_MALFORMED: "code_environment",
	DEPENDENCY_DUPLICATE: "code_environment",
	DEPENDENCY_LIMIT: "code_environment",
	DEPENDENCY_NOT_FOUND: "code_environment",
	DEPENDENCY_NO_WHEEL: "code_environment",
	DEPENDENCY_MISSING_PIN: "code_environment",
	DEPENDENCY_CONFLICT: "code_environment",
	DEPENDENCY_HASH_MISMATCH: "code_environment",
	WHEEL_UNUSABLE: "code_environment",
	WHEEL_MISSING: "code_environment",
	INDEX_UNAVAILABLE: "code_environment",
	EXCEPTION: "code_environment",
	EXITED: "code_environment",
	MEMORY_EXCEEDED: "code_environment",
	INTERPRETER_CRASHED: "code_environment",
	TIMED_OUT: "code_environment",
	SECRET_UNUSABLE: "code_environment",
	SANDBOX_OVERLOADED: "code_environment",
	SANDBOX_ERROR: "code_environment",
} as const satisfies Record<string, PythonGate>;
export type BuildErrorCode = keyof typeof BUILD_ERROR_GATES;

export type BuildError = {
	code: BuildErrorCode;
	gate: PythonGate;
	message: string;
	/** Python traceback of a tool that failed while it was imported. */
	traceback: string | null;
	/** Canonical pin that the fault is about. */
	dependency: string | null;
	/** The pin that would cure it, such as `shoutlib==2.1.0`, when the index has one. */
	suggested_pin: string | null;
};

export type CodeResolution =
	| { ok: true; frozen_deps: FrozenDependency[] }
	| { ok: false; errors: BuildError[] };

export type IntrospectCode = {
	code_src: string;
	frozen_deps: FrozenDependency[];
	/** Present in the environment with a placeholder, so that a tool may read them when it is imported. */
	declared_secrets: string[];
	timeout_ms?: number;
};

/** Description of a tool, read from its code. Schemas are JSON Schema 2020-12. */
export type PythonTool = {
	entry: string;
	description: string;
	is_async: boolean;
	arg_schema: Record<string, unknown>;
	/** From the return annotation; null when that says nothing useful. */
	output_schema: Record<string, unknown> | null;
	/** Changes with the interpreter or the sandbox: a build of another runtime is stale. */
	runtime_id: string;
};

type Printed = { logs: string[]; logs_truncated: boolean };

export type CodeIntrospection = Printed &
	({ ok: true; tool: PythonTool } | { ok: false; errors: BuildError[] });

export type BuildCode = Omit<IntrospectCode, "frozen_deps"> & { dependencies: string[] };

export type CodeBuild = Printed &
	({ ok: true; tool: PythonTool; frozen_deps: FrozenDependency[] } | { ok: false; errors: BuildError[] });

export type RunCode = {
	code_src: string;
	frozen_deps: FrozenDependency[];
	arguments: Record<string, unknown>;
	/** The schema of the build; null skips the check. */
	arg_schema: Record<string, unknown> | null;
	/** Schema of the output; null gives `validation: "na"`. */
	output_schema: Record<string, unknown> | null;
	/** Values of the declared secrets by name: the whole process environment of the tool. */
	secrets: Record<string, string>;
	timeout_ms?: number;
	/** Organisation whose spare interpreters may run the call. Absent, the call gets a fresh one, as a draft's does. */
	organisation_id?: string;
};

/** Why a run that began did not succeed. */
export const RUN_ERROR_CODES = [
	"EXCEPTION",
	"EXITED",
	"MEMORY_EXCEEDED",
	"INTERPRETER_CRASHED",
	"OUTPUT_NOT_JSON",
	"OUTPUT_TOO_LARGE",
	"OUTPUT_TOO_COMPLEX",
	"SCHEMA_INVALID",
	"SYNTAX_ERROR",
	"ENTRY_NOT_FOUND",
	"ENTRY_AMBIGUOUS",
	"UNSUPPORTED_ANNOTATION",
	"UNSUPPORTED_PARAMETER",
	"WHEEL_UNUSABLE",
	"SECRET_UNUSABLE",
	"TIMED_OUT",
	"SANDBOX_ERROR",
] as const;
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];

/** Why the tool's function was not called at all. `INVALID_ARGUMENTS` comes with `fields`. */
export type RefusalCode =
	| "INVALID_ARGUMENTS"
	| "SCHEMA_INVALID"
	| "SOURCE_TOO_LARGE"
	| "WHEEL_MISSING"
	| "SANDBOX_OVERLOADED";

type Finished = Printed & { latency_ms: number };

export type CodeRunResult =
	| (Finished & {
			status: "succeeded";
			output: unknown;
			validation: "valid" | "mismatch" | "na";
			/** Places where the output does not match its schema; empty unless `validation` is `mismatch`. */
			mismatches: FieldError[];
			error: null;
	  })
	| (Finished & {
			status: "failed" | "timed_out";
			error: { code: RunErrorCode; message: string; traceback: string | null };
	  })
	| { status: "refused"; error: { code: RefusalCode; message: string; fields: FieldError[] } };

/**
 * The entrypoint `PythonSandbox` of the worker `parley-python`, reached by service binding. Nothing here throws for
 * what a tool, a dependency or the index does wrong. Logs, messages, tracebacks and outputs are scrubbed of the
 * request's own secrets.
 */
export interface PythonRpc {
	/** Fetches, checks and stores the wheels of exact pins. All faults at once. */
	resolve(dependencies: string[]): Promise<CodeResolution>;
	/** Imports the tool once, without calling it, and describes it. */
	introspect(request: IntrospectCode): Promise<CodeIntrospection>;
	/** `resolve`, then `introspect`. */
	build(request: BuildCode): Promise<CodeBuild>;
	/** Calls the tool once in a fresh interpreter without network. */
	run(request: RunCode): Promise<CodeRunResult>;
}
