import { z } from "zod";
import { pageOf, pageQuery, Timestamp, Uuid } from "../shared/common.ts";
import { ToolCall } from "./tool-calls.ts";

export const CallStatus = z
	.enum(["queued", "dispatching", "ringing", "in_progress", "completed", "failed", "cancelled"])
	.meta({ id: "CallStatus", description: "Progress of a call. completed, failed and cancelled are final." });
export type CallStatus = z.infer<typeof CallStatus>;

export const CallDirection = z
	.enum(["inbound", "outbound"])
	.meta({ id: "CallDirection", description: "Direction of the call, seen from the agent" });
export type CallDirection = z.infer<typeof CallDirection>;

const Address = z
	.string()
	.min(1)
	.max(255)
	.meta({ description: "Phone number or SIP address, at most 255 characters", example: "+14155550123" });
const ExternalId = z.string().min(1).max(255).meta({
	description: "The voice runtime's own id of the call, at most 255 characters",
	example: "runtime-4711",
});
const Metadata = z
	.record(z.string().min(1).max(128), z.unknown())
	.meta({ description: "Data of the caller's own. Names have at most 128 characters. Default {}." });
const DEPRECATED_STATE = { deprecated: true, description: "Deprecated alias of `status`" };

/** Record of one call. Parley places no calls: a voice runtime places them and reports here. */
export const Call = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		agent_id: Uuid,
		agent_version: z
			.int()
			.min(1)
			.meta({ description: "Version of the agent at the time the call was recorded" }),
		direction: CallDirection,
		status: CallStatus,
		state: CallStatus.meta(DEPRECATED_STATE),
		from_number: Address.nullable(),
		to_number: Address.nullable(),
		external_id: ExternalId.nullable(),
		reason: z.string().nullable().meta({
			description:
				"Why the call ended, as reported. `agent_deleted` if its agent was deleted during the call.",
			example: null,
		}),
		metadata: Metadata,
		created_at: Timestamp.meta({ description: "Time at which the call was recorded" }),
		updated_at: Timestamp.meta({ description: "Time of the last report" }),
		answered_at: Timestamp.nullable().meta({ description: "Time of the first report as in_progress" }),
		ended_at: Timestamp.nullable().meta({ description: "Time of the report of a final status" }),
	})
	.meta({ id: "Call" });
export type Call = z.infer<typeof Call>;

/** Tool calls that a recorded call shows. All of them are under the agent's tool calls. */
export const MAX_TOOL_CALLS_SHOWN = 100;

export const CallToolCall = ToolCall.pick({
	...{ id: true, name: true, tool_id: true, version: true, event: true, status: true, latency_ms: true },
	...{ error: true, created_at: true },
}).meta({ id: "CallToolCall", description: "Tool call during the call" });
export type CallToolCall = z.infer<typeof CallToolCall>;

/** Record of one call with the tool calls of its sessions. */
export const CallWithToolCalls = z
	.object({
		...Call.shape,
		tool_calls: z.array(CallToolCall).meta({
			description: `Tool calls of the sessions that name this call, oldest first, at most ${MAX_TOOL_CALLS_SHOWN}. GET /v1/agents/{agent_id}/tool-calls?call_id= lists all of them with arguments and output.`,
			example: [],
		}),
	})
	.meta({ id: "CallWithToolCalls" });
export type CallWithToolCalls = z.infer<typeof CallWithToolCalls>;

export const CallPage = pageOf(Call).meta({ id: "CallPage" });

export const CallQuery = z.strictObject({
	...pageQuery(20, 100),
	status: z
		.array(CallStatus)
		.max(7)
		.optional()
		.meta({ description: "Status of the call. Repeat it to match any of several." }),
	state: z.array(CallStatus).max(7).optional().meta(DEPRECATED_STATE),
	direction: CallDirection.optional().meta({ description: "Direction of the call" }),
});
export type CallQuery = z.infer<typeof CallQuery>;

export const CreateCall = z
	.strictObject({
		direction: CallDirection,
		from_number: Address.nullable().default(null),
		to_number: Address.nullable().default(null),
		external_id: ExternalId.nullable().default(null),
		metadata: Metadata.default({}),
	})
	.meta({
		id: "CreateCall",
		example: {
			...{ direction: "inbound", from_number: "+14155550123", to_number: "+14155550100" },
			external_id: "runtime-4711",
		},
	});
export type CreateCall = z.infer<typeof CreateCall>;

export const UpdateCall = z
	.strictObject({
		status: CallStatus.optional(),
		state: CallStatus.optional().meta(DEPRECATED_STATE),
		reason: z
			.string()
			.max(1000)
			.nullable()
			.optional()
			.meta({ description: "Why the call ended, at most 1000 characters" }),
		external_id: ExternalId.nullable().optional(),
		metadata: Metadata.optional().meta({ description: "Replaces the metadata of the call" }),
	})
	.refine(({ status, state }) => status === undefined || state === undefined || status === state, {
		path: ["state"],
		message: "Must equal `status`, whose alias it is",
	})
	.meta({ id: "UpdateCall", example: { status: "in_progress" } });
export type UpdateCall = z.infer<typeof UpdateCall>;
