import { z } from "zod";
import { Uuid } from "../shared/common.ts";
import { DiscoveredTool, SchemaHash } from "./mcp-servers.ts";
import { CONFIG_TEXTS } from "./tool-config.ts";

/** A literal, or text that contains `{{name}}` and `{{$NAME}}`. */
export const TemplateValue = z
	.union([z.string().max(10_000), z.number(), z.boolean()])
	.meta({ id: "TemplateValue", description: "A literal, or text with {{name}} and {{$NAME}} placeholders" });
export type TemplateValue = z.infer<typeof TemplateValue>;

export const TemplateValues = z.record(z.string().min(1).max(255), TemplateValue);
export type TemplateValues = z.infer<typeof TemplateValues>;

export const ToolEvent = z
	.enum(["call_start", "first_user_message", "call_end", "tool_succeeded", "tool_failed"])
	.meta({ id: "ToolEvent", description: "Event that starts the tool" });

const CHAINED: readonly string[] = ["tool_succeeded", "tool_failed"];

export const Trigger = z
	.strictObject({
		event: ToolEvent,
		source_attachment_id: Uuid.optional().meta({
			description:
				"Attachment whose run is the event. Required for tool_succeeded and tool_failed, and refused for other events.",
		}),
	})
	.refine((trigger) => CHAINED.includes(trigger.event) === (trigger.source_attachment_id !== undefined), {
		path: ["source_attachment_id"],
		message: "Is required for tool_succeeded and tool_failed, and refused for other events",
	})
	.meta({ id: "Trigger", description: "When the system runs the tool" });
export type Trigger = z.infer<typeof Trigger>;

export const SystemInvocation = z
	.strictObject({
		triggers: z.array(Trigger).min(1).max(32).meta({ description: "Events that start the tool, 1 to 32" }),
		arguments: TemplateValues.default({}).meta({
			description: "Arguments of the tool, by name. Default {}.",
		}),
	})
	.meta({ id: "SystemInvocation" });

export const ExecutionPolicy = z
	.strictObject({
		pre_action_message: z
			.strictObject({
				enabled: z
					.boolean()
					.default(false)
					.meta({ description: "Whether the agent says something first. Default false." }),
				text: z
					.string()
					.max(1000)
					.default("")
					.meta({ description: "What the agent says, at most 1000 characters. Default empty." }),
				wait: z.boolean().default(false).meta({
					description: "Whether the tool starts only after the message was spoken. Default false.",
				}),
			})
			.default({ enabled: false, text: "", wait: false })
			.meta({ description: "Message that the agent speaks before the tool runs" }),
	})
	.meta({ id: "ExecutionPolicy", description: "How the voice runtime runs the tool" });

const text = (key: keyof typeof CONFIG_TEXTS) => ({ description: CONFIG_TEXTS[key] });
const Prompt = z.string().max(500).nullable().meta(text("prompt"));
const overridesOf = <T extends string, S extends z.ZodRawShape>(type: T, members: S) =>
	z.strictObject({ type: z.literal(type).meta(text("type")), ...members });

/** Changes of an attachment to its tool's configuration, by the tool's type. */
export const ConfigOverrides = z
	.discriminatedUnion("type", [
		overridesOf("code", {}),
		overridesOf("api_request", {
			timeout_seconds: z.int().min(1).max(60).optional().meta(text("timeout_seconds")),
			retries: z.int().min(0).max(3).optional().meta(text("retries")),
			response: z
				.strictObject({
					show_to_llm: z.boolean().optional().meta(text("show_to_llm")),
					instructions: z.string().max(2000).nullable().optional().meta(text("instructions")),
				})
				.optional()
				.meta(text("response")),
		}),
		overridesOf("end_call", {
			wait_for_completion: z.boolean().optional().meta(text("wait_for_completion")),
			prompt: Prompt.optional(),
		}),
		overridesOf("voicemail_detection", {
			prompt: Prompt.optional(),
			voicemail_message: z.string().max(2000).nullable().optional().meta(text("voicemail_message")),
			beep_detection: z.boolean().optional().meta(text("beep_detection")),
			max_wait_seconds: z.int().min(1).max(60).optional().meta(text("max_wait_seconds")),
		}),
		overridesOf("transfer_call", {
			mode: z.enum(["cold", "warm"]).optional().meta(text("mode")),
			phone_number: z.string().max(255).nullable().optional().meta(text("phone_number")),
			sip_uri: z.string().max(255).nullable().optional().meta(text("sip_uri")),
			announcement: z.string().max(500).nullable().optional().meta(text("announcement")),
			ring_timeout_seconds: z.int().min(1).max(600).optional().meta(text("ring_timeout_seconds")),
		}),
		overridesOf("send_sms", {
			to: z
				.string()
				.min(1)
				.max(255)
				.optional()
				.meta({ description: "Recipient: a phone number or a template, at most 255 characters" }),
			body: z
				.string()
				.min(1)
				.max(1600)
				.optional()
				.meta({ description: "Text of the message: a literal or a template, at most 1600 characters" }),
			from_number: z
				.string()
				.min(1)
				.max(255)
				.optional()
				.meta({ description: "Sender: a phone number or a template, at most 255 characters" }),
		}),
		overridesOf("current_datetime", {
			timezone: z.string().min(1).max(64).optional().meta(text("timezone")),
			prompt: Prompt.optional(),
		}),
		overridesOf("user_phone_number", { prompt: Prompt.optional() }),
	])
	.meta({
		id: "ConfigOverrides",
		description:
			"Members that replace those of the tool's configuration. Null changes nothing. Default null.",
	});
export type ConfigOverrides = z.infer<typeof ConfigOverrides>;

const attachment = {
	attachment_id: Uuid.meta({
		description: "Id of the attachment, chosen by the client and unique within the agent",
	}),
	description: z.string().max(2000).default("").meta({
		description:
			"Addition to the tool's own description for the model, at most 2000 characters. Default empty.",
	}),
	argument_overrides: TemplateValues.default({}).meta({
		description: "Fixed arguments by name, hidden from the model: literals or templates. Default {}.",
	}),
};

export const ToolRef = z
	.strictObject({
		...attachment,
		tool_id: Uuid,
		version: z
			.int()
			.min(1)
			.meta({ description: "Number of the published version that the attachment is pinned to" }),
		invocation: z
			.enum(["model", "system"])
			.default("model")
			.meta({ description: "Who starts the tool: the model, or the system on events. Default model." }),
		system: SystemInvocation.nullable()
			.default(null)
			.meta({ description: "Events and arguments. Required if `invocation` is system, otherwise null." }),
		execution_policy: ExecutionPolicy.default({
			pre_action_message: { enabled: false, text: "", wait: false },
		}),
		config_overrides: ConfigOverrides.nullable().default(null),
	})
	.refine((ref) => (ref.invocation === "system") === (ref.system !== null), {
		path: ["system"],
		message: "Is required if `invocation` is system, otherwise must be null",
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
		tool_name: z
			.string()
			.min(1)
			.max(255)
			.meta({ description: "Name of the tool on its server", example: "echo" }),
		invocation: z
			.literal("model")
			.default("model")
			.meta({ description: "Who starts the tool: always the model" }),
		observed_schema_hash: SchemaHash.meta({
			description: "`schema_hash` of the tool that the attachment is pinned to",
		}),
	})
	.meta({ id: "McpRef" });
export type McpRef = z.infer<typeof McpRef>;

export const McpDrift = z
	.object({
		observed: DiscoveredTool.nullable().meta({
			description: "Definition that the attachment is pinned to. Null if it is no longer known.",
		}),
		current: DiscoveredTool.nullable().meta({
			description: "Current definition. Null if the server no longer offers the tool.",
		}),
	})
	.meta({ id: "McpDrift" });
export type McpDrift = z.infer<typeof McpDrift>;

const drift = {
	drifted: z.boolean().meta({
		description: "Whether the server's tool differs from the definition that the attachment is pinned to",
		example: false,
	}),
	drift: McpDrift.nullable().meta({
		description: "Pinned and current definition of a tool that has drifted. Null otherwise.",
		example: null,
	}),
};

/** MCP attachment as an agent shows it. */
export const AgentMcpRef = z.object({ ...McpRef.shape, ...drift }).meta({ id: "AgentMcpRef" });
export type AgentMcpRef = z.infer<typeof AgentMcpRef>;

/** MCP attachment as it is given. What an agent shows can be sent back. */
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
	.strictObject({
		schema_hash: SchemaHash.meta({
			description: "`schema_hash` of the current definition, as the agent shows it",
		}),
	})
	.meta({ id: "AcceptDrift" });
export type AcceptDrift = z.infer<typeof AcceptDrift>;
