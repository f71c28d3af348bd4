import { z } from "zod";
import { pageOf, pageQuery, Timestamp, Uuid } from "./common.ts";

export const CallState = z
	.enum(["queued", "dispatching", "ringing", "in_progress", "completed", "failed", "cancelled"])
	.meta({ id: "CallState", description: "The last three are final" });
export type CallState = z.infer<typeof CallState>;

export const CallDirection = z.enum(["inbound", "outbound"]).meta({ id: "CallDirection" });
export type CallDirection = z.infer<typeof CallDirection>;

const Address = z.string().min(1).max(255).meta({ description: "A phone number or a SIP address" });
const Metadata = z.record(z.string().min(1).max(128), z.unknown());

/** The record of one call. Parley places none: a voice runtime does, and reports here. */
export const Call = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		agent_id: Uuid,
		agent_version: z.int().min(1).meta({ description: "The agent's version when the call was recorded" }),
		direction: CallDirection,
		state: CallState,
		from_number: z.string().nullable(),
		to_number: z.string().nullable(),
		external_id: z.string().nullable().meta({ description: "The voice runtime's own id of the call" }),
		reason: z.string().nullable().meta({ description: "Why the call ended as it did" }),
		metadata: Metadata,
		created_at: Timestamp,
		updated_at: Timestamp,
		answered_at: Timestamp.nullable(),
		ended_at: Timestamp.nullable(),
	})
	.meta({ id: "Call" });
export type Call = z.infer<typeof Call>;

export const CallPage = pageOf(Call).meta({ id: "CallPage" });

export const CallQuery = z.strictObject({
	...pageQuery(20, 100),
	state: z.array(CallState).max(7).optional().meta({ description: "Repeatable; any match counts" }),
	direction: CallDirection.optional(),
});
export type CallQuery = z.infer<typeof CallQuery>;

export const CreateCall = z
	.strictObject({
		direction: CallDirection,
		from_number: Address.nullable().default(null),
		to_number: Address.nullable().default(null),
		external_id: z.string().min(1).max(255).nullable().default(null),
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
		state: CallState.optional(),
		reason: z.string().max(1000).nullable().optional(),
		external_id: z.string().min(1).max(255).nullable().optional(),
		metadata: Metadata.optional(),
	})
	.meta({ id: "UpdateCall", example: { state: "in_progress" } });
export type UpdateCall = z.infer<typeof UpdateCall>;
