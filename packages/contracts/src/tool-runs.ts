import { z } from "zod";
import { pageOf, Timestamp, Uuid } from "./common.ts";
import { GateStatus, RunStatus } from "./tools.ts";

export const RunTool = z
	.strictObject({
		sample_input: z.record(z.string(), z.unknown()).default({}),
		confirm_side_effects: z
			.boolean()
			.default(false)
			.meta({ description: "Must be true for `api_request` and `code`: the run is real" }),
	})
	.meta({ id: "RunTool" });
export type RunTool = z.infer<typeof RunTool>;

const outcome = {
	run_id: Uuid,
	status: RunStatus,
	latency_ms: z.int().min(0),
	output_json: z.unknown().meta({ description: "What the tool returned; null when it failed" }),
	logs: z.array(z.string()),
	validation: z
		.enum(["valid", "mismatch", "na"])
		.meta({ description: "Whether the output matches the declared output schema; na without one" }),
	error: z.object({ code: z.string(), message: z.string() }).nullable(),
};

export const RunResult = z
	.object({
		...outcome,
		proven_hash: z
			.string()
			.nullable()
			.meta({ description: "Hash of the content that the last good run proved" }),
		gate_status: GateStatus,
	})
	.meta({ id: "RunResult" });
export type RunResult = z.infer<typeof RunResult>;

/** A run in a tool's history. */
export const ToolRun = z
	.object({
		...outcome,
		content_hash: z.string().meta({ description: "Hash of the content that ran" }),
		version_number: z
			.int()
			.min(1)
			.nullable()
			.meta({ description: "The published version that ran; null for the draft" }),
		sample_input: z.record(z.string(), z.unknown()),
		actor: z.string(),
		created_at: Timestamp,
	})
	.meta({ id: "ToolRun" });
export type ToolRun = z.infer<typeof ToolRun>;

export const ToolRunPage = pageOf(ToolRun).meta({ id: "ToolRunPage" });
