import { z } from "zod";
import { RUN_ERROR_CODES as PYTHON_RUN_ERRORS } from "../internal/python-rpc.ts";
import { pageOf, Timestamp, Uuid } from "../shared/common.ts";
import { QUOTE_HASH, QUOTE_INPUT, QUOTE_LOGS, QUOTE_OUTPUT } from "./tool-examples.ts";
import { GateStatus, RunStatus } from "./tools.ts";

export const RunTool = z
	.strictObject({
		sample_input: z
			.record(z.string(), z.unknown())
			.default({})
			.meta({ description: "Arguments of the run, by name. Default {}." }),
		confirm_side_effects: z.boolean().default(false).meta({
			description:
				"Confirms that the run is real and may have side effects. Must be true for `api_request` and `code`. Default false.",
		}),
	})
	.meta({ id: "RunTool", example: { sample_input: QUOTE_INPUT, confirm_side_effects: true } });
export type RunTool = z.infer<typeof RunTool>;

/** Every code that a run may fail with. The list is closed; both tool types share it. */
export const RunErrorCode = z
	.enum([
		...PYTHON_RUN_ERRORS,
		...(["SOURCE_TOO_LARGE", "WHEEL_MISSING"] as const),
		...(["MISSING_VAULT_ENTRY", "SECRET_IN_URL", "INVALID_TEMPLATE", "INVALID_HEADER"] as const),
		...(["HTTP_ERROR", "INVALID_OUTPUT", "INVALID_URL", "INVALID_REQUEST", "BLOCKED_ADDRESS"] as const),
		...([
			"DNS_FAILED",
			"RESOLVER_FAILED",
			"CONNECT_FAILED",
			"TLS_FAILED",
			"TOO_MANY_REDIRECTS",
			"NETWORK",
		] as const),
	])
	.meta({ id: "RunErrorCode", description: "Reason for a run's failure" });
export type RunErrorCode = z.infer<typeof RunErrorCode>;

const outcome = {
	run_id: Uuid,
	status: RunStatus,
	latency_ms: z.int().min(0).meta({
		description: "Duration of the run in milliseconds. For `code` it includes the wait for an interpreter.",
		example: 429,
	}),
	output_json: z.unknown().meta({
		description: "Output of the tool, at most 256 KiB. Null if the run failed.",
		example: QUOTE_OUTPUT,
	}),
	logs: z.array(z.string()).meta({
		description: "Lines that the run logged: at most 1000 lines and 64 KiB. Vault values are redacted.",
		example: QUOTE_LOGS,
	}),
	logs_truncated: z
		.boolean()
		.meta({ description: "Whether the run logged more than `logs` holds", example: false }),
	validation: z.enum(["valid", "mismatch", "na"]).meta({
		description: "Whether the output matches the output schema: valid, mismatch, or na without a schema",
	}),
	error: z
		.object({
			code: RunErrorCode,
			message: z.string().meta({ description: "The reason in plain words. Vault values are redacted." }),
		})
		.nullable()
		.meta({ description: "Why the run did not succeed. Null if it succeeded.", example: null }),
};

export const RunResult = z
	.object({
		...outcome,
		proven_hash: z
			.string()
			.nullable()
			.meta({
				description:
					"Content hash that this run proved. Null if the run failed, its output did not match the output schema, or " +
					"the tool was built anew while it ran. `gate_status.green_run.proven_hash` keeps the last proof.",
				example: QUOTE_HASH,
			}),
		gate_status: GateStatus,
	})
	.meta({ id: "RunResult" });
export type RunResult = z.infer<typeof RunResult>;

/** Run in the history of a tool. */
export const ToolRun = z
	.object({
		...outcome,
		content_hash: z.string().meta({ description: "SHA-256 of the content that ran", example: QUOTE_HASH }),
		version_number: z
			.int()
			.min(1)
			.nullable()
			.meta({ description: "Number of the version that ran. Null for the draft.", example: null }),
		sample_input: z
			.record(z.string(), z.unknown())
			.meta({ description: "Arguments of the run. Vault values are redacted.", example: QUOTE_INPUT }),
		actor: z.string().meta({
			description: "Who started the run: `api_key:<id>` or `user:<id>`",
			example: "api_key:01938f5e-7c00-7000-8000-000000000001",
		}),
		created_at: Timestamp.meta({ description: "Time at which the run started" }),
	})
	.meta({ id: "ToolRun" });
export type ToolRun = z.infer<typeof ToolRun>;

export const ToolRunPage = pageOf(ToolRun).meta({ id: "ToolRunPage" });
