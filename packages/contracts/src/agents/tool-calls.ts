import { z } from "zod";
import { keysetPageOf, keysetQuery, Timestamp, Uuid } from "../shared/common.ts";
import { RunErrorCode } from "./tool-runs.ts";

/** Limits of one tool call, in bytes, milliseconds and levels. */
export const TOOL_CALL_LIMITS = {
	argumentBytes: 256 * 1024,
	contentBytes: 64 * 1024,
	minDeadlineMs: 1_000,
	maxDeadlineMs: 120_000,
	defaultDeadlineMs: 60_000,
} as const;

export const ToolCallStatus = z.enum(["succeeded", "failed", "timed_out", "rejected"]).meta({
	id: "ToolCallStatus",
	description: "Outcome of the call. rejected: the arguments do not match the tool's schema; nothing ran.",
});
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;

/** Every code that a tool call may fail with: those of runs, and those that only a live call can meet. */
export const ToolCallErrorCode = z
	.enum([
		...RunErrorCode.options,
		...([
			"INVALID_ARGUMENTS",
			"MISSING_VARIABLE",
			"NO_CALLER",
			"MOCK_MISSING",
			"SANDBOX_BUSY",
			"TOOL_DELETED",
		] as const),
		...(["MCP_TOOL_ERROR", "MCP_SERVER_FAILED", "MCP_CIRCUIT_OPEN", "MCP_TOOL_DRIFTED"] as const),
		...(["CANCELLED", "INTERRUPTED", "INTERNAL_ERROR"] as const),
	])
	.meta({ id: "ToolCallErrorCode", description: "Reason why the call did not succeed" });
export type ToolCallErrorCode = z.infer<typeof ToolCallErrorCode>;

export const ToolCallError = z
	.object({
		code: ToolCallErrorCode,
		message: z.string().meta({ description: "The reason in plain words. Vault values are redacted." }),
		fields: z
			.array(
				z.object({
					path: z
						.string()
						.meta({ description: "Argument, `arguments.` and its path", example: "arguments.city" }),
					message: z.string().meta({ description: "What is wrong with it", example: "Is required" }),
				}),
			)
			.optional()
			.meta({ description: "Invalid arguments of a rejected call, so that the model can correct itself" }),
	})
	.meta({ id: "ToolCallError" });
export type ToolCallError = z.infer<typeof ToolCallError>;

const nullableText = (description: string, example: string | null = null) =>
	z.string().nullable().meta({ description, example });

/** What the voice runtime itself must do. Templates are resolved and overrides applied. */
export const Directive = z
	.discriminatedUnion("type", [
		z.object({
			type: z.literal("end_call").meta({ description: "End the call" }),
			wait_for_completion: z.boolean().meta({ description: "Whether the agent finishes speaking first" }),
		}),
		z.object({
			type: z.literal("transfer_call").meta({ description: "Transfer the call" }),
			mode: z.enum(["cold", "warm"]).meta({
				description: "cold: transfer at once. warm: speak to the destination before the caller is connected.",
			}),
			phone_number: nullableText("Destination as an E.164 number. Null if `sip_uri` is given."),
			sip_uri: nullableText("Destination as a SIP address. Null if `phone_number` is given."),
			announcement: nullableText("What the agent says before the transfer. Null for nothing."),
			ring_timeout_seconds: z.int().meta({ description: "Seconds to let the destination ring" }),
		}),
		z.object({
			type: z.literal("send_sms").meta({ description: "Send a text message" }),
			to: z.string().meta({ description: "Recipient" }),
			body: z.string().meta({ description: "Text of the message" }),
			from_number: nullableText("Sender. Null for the runtime's own number."),
		}),
		z.object({
			type: z.literal("voicemail_detection").meta({ description: "Watch for a voicemail greeting" }),
			voicemail_message: nullableText("What to leave as a message. Null to hang up."),
			beep_detection: z.boolean().meta({ description: "Whether to wait for the beep" }),
			max_wait_seconds: z.int().meta({ description: "Seconds to wait for the beep" }),
		}),
	])
	.meta({ id: "Directive", description: "What the voice runtime itself must do" });
export type Directive = z.infer<typeof Directive>;

const EXAMPLE_ID = "01938f5e-7c00-7000-8000-0000000000c1";
const EXAMPLE_TOOL = "01938f5e-7c00-7000-8000-000000000001";

const identity = {
	id: Uuid.meta({ description: "Id of the recorded call", example: EXAMPLE_ID }),
	attachment_id: Uuid.meta({ description: "Attachment of the agent that was called" }),
	name: z.string().meta({ description: "Name of the tool in the toolset", example: "get_forecast" }),
	tool_id: Uuid.meta({
		description: "Id of the tool. For a tool of an MCP server, the id of the server.",
		example: EXAMPLE_TOOL,
	}),
	version: z
		.int()
		.min(1)
		.nullable()
		.meta({ description: "Published version that ran. Null for a tool of an MCP server.", example: 3 }),
};

const outcome = {
	latency_ms: z.int().min(0).meta({ description: "Duration of the call in milliseconds", example: 84 }),
	output: z.unknown().meta({
		description:
			"Output of the tool, at most 256 KiB. Null if the call did not succeed. Vault values are redacted.",
		example: { forecast: "clear" },
	}),
	validation: z.enum(["valid", "mismatch", "na"]).meta({
		description:
			"Whether the output matches the tool's output schema: valid, mismatch, or na without a schema",
	}),
	directive: Directive.nullable().meta({
		description: "What the voice runtime itself must do. Null if nothing.",
		example: null,
	}),
	error: ToolCallError.nullable().meta({
		description: "Why the call did not succeed. Null if it succeeded.",
		example: null,
	}),
};

/** Answer of one tool call. Also a failed call is answered, because the model must hear of it. */
export const ToolCallResult = z
	.object({
		...identity,
		status: ToolCallStatus,
		...outcome,
		content: z.string().meta({
			description:
				"Text to give to the model: the output, or the error in one sentence. At most 64 KiB; a longer one ends with a mark. " +
				"Empty if the tool's `response.show_to_llm` is false.",
			example: '{"forecast":"clear"}',
		}),
		instructions: nullableText(
			"How the model should use the output. Null if the tool has none.",
			"Read out the forecast in one sentence.",
		),
	})
	.meta({ id: "ToolCallResult" });
export type ToolCallResult = z.infer<typeof ToolCallResult>;

export const CallTool = z
	.strictObject({
		arguments: z
			.record(z.string(), z.unknown())
			.default({})
			.meta({
				description:
					"Arguments from the model, by name. At most 256 KiB of JSON; more is answered as rejected. Default {}.",
				example: { city: "Oslo" },
			}),
		tool_call_id: z.string().min(1).max(255).optional().meta({
			description: "The model's own id of the call, at most 255 characters. It is recorded.",
			example: "call_4711",
		}),
		deadline_ms: z
			.int()
			.min(TOOL_CALL_LIMITS.minDeadlineMs)
			.max(TOOL_CALL_LIMITS.maxDeadlineMs)
			.default(TOOL_CALL_LIMITS.defaultDeadlineMs)
			.meta({
				description:
					"Milliseconds after which the call ends as timed_out. Default 60000, 1000 to 120000. The tool's own limit may be shorter.",
			}),
	})
	.meta({ id: "CallTool", example: { arguments: { city: "Oslo" }, tool_call_id: "call_4711" } });
export type CallTool = z.infer<typeof CallTool>;

export const RuntimeEvent = z.enum(["call_start", "first_user_message", "call_end"]).meta({
	id: "RuntimeEvent",
	description: "Event of a call that starts tools with such a trigger",
});
export type RuntimeEvent = z.infer<typeof RuntimeEvent>;

export const ReportEvent = z
	.strictObject({
		event: RuntimeEvent,
		session_id: Uuid.optional().meta({
			description:
				"Session of the call. Required with a key. Default with a session token: the token's session.",
			example: "01938f5e-7c00-7000-8000-0000000000d1",
		}),
		deadline_ms: z
			.int()
			.min(TOOL_CALL_LIMITS.minDeadlineMs)
			.max(TOOL_CALL_LIMITS.maxDeadlineMs)
			.default(TOOL_CALL_LIMITS.defaultDeadlineMs)
			.meta({
				description:
					"Milliseconds for all calls together. A tool that has not started by then ends as timed_out without running. Default 60000, 1000 to 120000.",
			}),
	})
	.meta({
		id: "ReportEvent",
		example: { event: "call_start", session_id: "01938f5e-7c00-7000-8000-0000000000d1" },
	});
export type ReportEvent = z.infer<typeof ReportEvent>;

export const EventCalls = z
	.object({
		calls: z
			.array(ToolCallResult)
			.meta({ description: "Calls that the event started, in the order in which they ran" }),
	})
	.meta({ id: "EventCalls" });
export type EventCalls = z.infer<typeof EventCalls>;

const RecordedStatus = z.enum(["running", ...ToolCallStatus.options]).meta({
	id: "RecordedToolCallStatus",
	description:
		"Outcome of the call; running while it lasts. A call whose worker was lost becomes failed with INTERRUPTED.",
});

/** Record of one tool call. Everything in it went through the call's scrubber. */
export const ToolCall = z
	.object({
		...identity,
		agent_id: Uuid,
		agent_version: z.int().min(1).meta({ description: "Version of the agent that was in force", example: 4 }),
		session_id: Uuid.nullable().meta({ description: "Session of the call. Null without one." }),
		call_id: Uuid.nullable().meta({
			description:
				"Recorded call under `/v1/agents/{agent_id}/calls` that the session belongs to. Null without one.",
		}),
		tool_call_id: nullableText("The model's own id of the call. Null if none was given.", "call_4711"),
		event: RuntimeEvent.nullable().meta({
			description: "Event that started the tool. Null if the model called it.",
			example: null,
		}),
		status: RecordedStatus,
		arguments: z.record(z.string(), z.unknown()).meta({
			description: "Arguments from the model. Vault values are redacted.",
			example: { city: "Oslo" },
		}),
		...outcome,
		latency_ms: outcome.latency_ms.nullable().meta({
			description: "Duration of the call in milliseconds. Null while it runs.",
			example: 84,
		}),
		logs: z.array(z.string()).meta({
			description: "Lines that the tool logged: at most 1000 lines and 64 KiB. Vault values are redacted.",
			example: [],
		}),
		mocked: z.boolean().meta({ description: "Whether a test case's mock answered", example: false }),
		actor: z.string().meta({
			description: "Who made the call: `api_key:<id>`, `agent_key:<id>` or `runtime_session:<id>`",
			example: "agent_key:01938f5e-7c00-7000-8000-000000000001",
		}),
		created_at: Timestamp.meta({ description: "Time at which the call started" }),
		ended_at: Timestamp.nullable().meta({ description: "Time at which the call ended. Null while it runs." }),
	})
	.meta({ id: "ToolCall" });
export type ToolCall = z.infer<typeof ToolCall>;

export const ToolCallPage = keysetPageOf(ToolCall).meta({ id: "ToolCallPage" });

export const ToolCallQuery = z.strictObject({
	...keysetQuery(50, 200),
	session_id: Uuid.optional().meta({ description: "Session of the call" }),
	call_id: Uuid.optional().meta({ description: "Recorded call that the session belongs to" }),
	tool_id: Uuid.optional().meta({ description: "Tool, or server of an MCP tool" }),
	status: z
		.array(RecordedStatus)
		.max(5)
		.optional()
		.meta({ description: "Status of the call. Repeat it to match any of several." }),
});
export type ToolCallQuery = z.infer<typeof ToolCallQuery>;
