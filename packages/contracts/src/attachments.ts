import { z } from "zod";
import { Uuid } from "./common.ts";
import { DiscoveredTool, SchemaHash } from "./mcp-servers.ts";

/** A literal, or a text with `{{name}}` and `{{$NAME}}` in it. */
export const TemplateValue = z
	.union([z.string().max(10_000), z.number(), z.boolean()])
	.meta({ id: "TemplateValue", description: "A literal, or text with {{name}} and {{$NAME}} placeholders" });
export type TemplateValue = z.infer<typeof TemplateValue>;

export const TemplateValues = z.record(z.string().min(1).max(255), TemplateValue);
export type TemplateValues = z.infer<typeof TemplateValues>;

export const ToolEvent = z
	.enum(["call_start", "first_user_message", "call_end", "tool_succeeded", "tool_failed"])
	.meta({ id: "ToolEvent" });

const CHAINED: readonly string[] = ["tool_succeeded", "tool_failed"];

export const Trigger = z
	.strictObject({ event: ToolEvent, source_attachment_id: Uuid.optional() })
	.refine((trigger) => CHAINED.includes(trigger.event) === (trigger.source_attachment_id !== undefined), {
		path: ["source_attachment_id"],
		message: "Needed for tool_succeeded and tool_failed, and for no other event",
	})
	.meta({ id: "Trigger", description: "When the system runs the tool; a chained event names its source" });
export type Trigger = z.infer<typeof Trigger>;

export const SystemInvocation = z
	.strictObject({
		triggers: z.array(Trigger).min(1).max(32),
		arguments: TemplateValues.default({}),
	})
	.meta({ id: "SystemInvocation" });

export const ExecutionPolicy = z
	.strictObject({
		pre_action_message: z
			.strictObject({
				enabled: z.boolean().default(false),
				text: z.string().max(1000).default(""),
				wait: z.boolean().default(false),
			})
			.default({ enabled: false, text: "", wait: false }),
	})
	.meta({ id: "ExecutionPolicy" });

const Prompt = z.string().max(500).nullable();
const overridesOf = <T extends string, S extends z.ZodRawShape>(type: T, members: S) =>
	z.strictObject({ type: z.literal(type), ...members });

/** What an attachment may change of its tool's configuration, by the tool's type. */
export const ConfigOverrides = z
	.discriminatedUnion("type", [
		overridesOf("code", {}),
		overridesOf("api_request", {
			timeout_seconds: z.int().min(1).max(60).optional(),
			retries: z.int().min(0).max(3).optional(),
			response: z
				.strictObject({
					show_to_llm: z.boolean().optional(),
					instructions: z.string().max(2000).nullable().optional(),
				})
				.optional(),
		}),
		overridesOf("end_call", { wait_for_completion: z.boolean().optional(), prompt: Prompt.optional() }),
		overridesOf("voicemail_detection", {
			prompt: Prompt.optional(),
			voicemail_message: z.string().max(2000).nullable().optional(),
			beep_detection: z.boolean().optional(),
			max_wait_seconds: z.int().min(1).max(60).optional(),
		}),
		overridesOf("transfer_call", {
			mode: z.enum(["cold", "warm"]).optional(),
			phone_number: z.string().max(255).nullable().optional(),
			sip_uri: z.string().max(255).nullable().optional(),
			announcement: Prompt.optional(),
			ring_timeout_seconds: z.int().min(1).max(600).optional(),
		}),
		overridesOf("send_sms", {
			to: z.string().min(1).max(255).optional(),
			body: z.string().min(1).max(1600).optional(),
			from_number: z.string().min(1).max(255).optional(),
		}),
		overridesOf("current_datetime", {
			timezone: z.string().min(1).max(64).optional(),
			prompt: Prompt.optional(),
		}),
		overridesOf("user_phone_number", { prompt: Prompt.optional() }),
	])
	.meta({ id: "ConfigOverrides" });
export type ConfigOverrides = z.infer<typeof ConfigOverrides>;

const attachment = {
	attachment_id: Uuid.meta({ description: "Minted by the client, unique in the agent" }),
	description: z
		.string()
		.max(2000)
		.default("")
		.meta({ description: "Told to the model beside the tool's own" }),
	argument_overrides: TemplateValues.default({}).meta({
		description: "Fixed arguments, hidden from the model",
	}),
};

export const ToolRef = z
	.strictObject({
		...attachment,
		tool_id: Uuid,
		version: z.int().min(1).meta({ description: "A published version of the tool" }),
		invocation: z.enum(["model", "system"]).default("model"),
		system: SystemInvocation.nullable().default(null),
		execution_policy: ExecutionPolicy.default({
			pre_action_message: { enabled: false, text: "", wait: false },
		}),
		config_overrides: ConfigOverrides.nullable().default(null),
	})
	.refine((ref) => (ref.invocation === "system") === (ref.system !== null), {
		path: ["system"],
		message: "Given exactly when invocation is system",
	})
	.meta({
		id: "ToolRef",
		example: {
			...{ attachment_id: "01938f5e-7c00-7000-8000-00000000000a", description: "", argument_overrides: {} },
			...{ tool_id: "01938f5e-7c00-7000-8000-000000000001", version: 1, invocation: "model", system: null },
			execution_policy: { pre_action_message: { enabled: false, text: "", wait: false } },
			config_overrides: null,
		},
	});
export type ToolRef = z.infer<typeof ToolRef>;

const toolDeleted = z.boolean().meta({
	description: "Whether the tool was deleted. An agent with such a tool cannot become active.",
	example: false,
});

/** Tool attachment as an agent shows it. */
export const AgentToolRef = z
	.object({ ...ToolRef.shape, tool_deleted: toolDeleted })
	.meta({ id: "AgentToolRef" });
export type AgentToolRef = z.infer<typeof AgentToolRef>;

/** Tool attachment as it is given. What an agent shows can be sent back. */
export const GivenToolRef = ToolRef.safeExtend({
	tool_deleted: z.unknown().optional().meta({ description: "Read-only, ignored" }),
}).meta({ id: "GivenToolRef" });
export type GivenToolRef = z.infer<typeof GivenToolRef>;

export const McpRef = z
	.strictObject({
		...attachment,
		server_id: Uuid,
		tool_name: z.string().min(1).max(255).meta({ example: "echo" }),
		invocation: z.literal("model").default("model"),
		observed_schema_hash: SchemaHash,
	})
	.meta({ id: "McpRef" });
export type McpRef = z.infer<typeof McpRef>;

export const McpDrift = z
	.object({
		observed: DiscoveredTool.nullable().meta({
			description: "The tool as it was pinned, where it is still known",
		}),
		current: DiscoveredTool.nullable().meta({
			description: "The tool as it is; null when it is there no more",
		}),
	})
	.meta({ id: "McpDrift" });
export type McpDrift = z.infer<typeof McpDrift>;

const drift = {
	drifted: z.boolean().meta({
		description: "The server's tool is not any more what the attachment is pinned to",
		example: false,
	}),
	drift: McpDrift.nullable().meta({ example: null }),
};

/** An attachment as an agent shows it. */
export const AgentMcpRef = z.object({ ...McpRef.shape, ...drift }).meta({ id: "AgentMcpRef" });
export type AgentMcpRef = z.infer<typeof AgentMcpRef>;

/** An attachment as it is given: what an agent shows can be sent back, and its drift is nothing that is set. */
export const GivenMcpRef = z
	.strictObject({
		...McpRef.shape,
		drifted: z.unknown().meta({ description: "Read-only, ignored" }),
		drift: z.unknown().meta({ description: "Read-only, ignored" }),
	})
	.partial({ drifted: true, drift: true })
	.meta({ id: "GivenMcpRef" });
export type GivenMcpRef = z.infer<typeof GivenMcpRef>;

export const AcceptDrift = z
	.strictObject({ schema_hash: SchemaHash.meta({ description: "Of the tool that is accepted" }) })
	.meta({ id: "AcceptDrift" });
export type AcceptDrift = z.infer<typeof AcceptDrift>;
