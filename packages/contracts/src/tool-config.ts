import { z } from "zod";
import { ArgumentSchema, JsonSchema } from "./json-schema.ts";
import { HeaderName, OutgoingHeaders } from "./outgoing-headers.ts";
import { VaultName } from "./secrets.ts";

const TOOL_TYPES = [
	"code",
	"api_request",
	"end_call",
	"voicemail_detection",
	"transfer_call",
	"send_sms",
	"current_datetime",
	"user_phone_number",
] as const;
export const ToolType = z.enum(TOOL_TYPES).meta({ id: "ToolType" });
export type ToolType = z.infer<typeof ToolType>;

const Prompt = z.string().max(500).nullable().default(null);
const hasTemplate = (text: string): boolean => text.includes("{{");
const templateOr = (form: RegExp, message: string, max: number) =>
	z
		.string()
		.min(1)
		.max(max)
		.refine((text) => hasTemplate(text) || form.test(text), message);

const OutputSchema = JsonSchema.nullable()
	.default(null)
	.meta({ description: "What the output has to look like; null to leave it unchecked" });

export const CodeConfig = z
	.strictObject({ type: z.literal("code"), output_schema: OutputSchema })
	.meta({ id: "CodeConfig" });

/** How a request proves who sends it. `hmac` signs the raw body: `X-Signature-256: sha256=<hex>`. */
export const RequestAuth = z
	.discriminatedUnion("type", [
		z.strictObject({ type: z.literal("none") }),
		z.strictObject({ type: z.literal("bearer"), secret_name: VaultName }),
		z.strictObject({ type: z.literal("header"), header_name: HeaderName, secret_name: VaultName }),
		z.strictObject({ type: z.literal("hmac"), secret_name: VaultName }),
	])
	.meta({ id: "RequestAuth" });
export type RequestAuth = z.infer<typeof RequestAuth>;

const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const ApiRequestConfig = z
	.strictObject({
		type: z.literal("api_request"),
		url: z.string().min(1).max(2048).meta({
			description:
				"An https address. {{argument}} and {{$VARIABLE}} may stand in path segments and query values; both are percent-encoded.",
			example: "https://crm.example/customers/{{customer_id}}?region={{$REGION}}",
		}),
		http_method: z.enum(HTTP_METHODS).default("POST"),
		auth: RequestAuth.default({ type: "none" }),
		headers: OutgoingHeaders.default([]),
		parameters: ArgumentSchema.default({ type: "object", properties: {} }),
		strict: z.boolean().default(true).meta({
			description: "Refuse arguments that `parameters` does not declare, unless it says otherwise itself",
		}),
		body_format: z.enum(["raw", "envelope"]).default("raw").meta({
			description: "raw: the arguments object; envelope: {arguments, tool_name, run_id, sent_at}",
		}),
		timeout_seconds: z.int().min(1).max(60).default(10),
		retries: z.int().min(0).max(3).default(0).meta({
			description: "Further attempts after a failure that may pass. Used by GET, PUT and DELETE only.",
		}),
		output_schema: OutputSchema,
		response: z
			.strictObject({
				show_to_llm: z.boolean().default(true),
				instructions: z.string().max(2000).nullable().default(null),
			})
			.default({ show_to_llm: true, instructions: null }),
	})
	.meta({ id: "ApiRequestConfig" });
export type ApiRequestConfig = z.infer<typeof ApiRequestConfig>;

export const EndCallConfig = z
	.strictObject({
		type: z.literal("end_call"),
		wait_for_completion: z.boolean().default(true),
		prompt: Prompt,
	})
	.meta({ id: "EndCallConfig" });

export const CurrentDatetimeConfig = z
	.strictObject({
		type: z.literal("current_datetime"),
		timezone: z
			.string()
			.max(64)
			.refine(isTimezone, "Not an IANA timezone name")
			.default("UTC")
			.meta({ example: "Europe/Paris" }),
		prompt: Prompt,
	})
	.meta({ id: "CurrentDatetimeConfig" });

export const VoicemailDetectionConfig = z
	.strictObject({
		type: z.literal("voicemail_detection"),
		prompt: Prompt,
		voicemail_message: z
			.string()
			.max(2000)
			.nullable()
			.default(null)
			.meta({ description: "What to leave; null hangs up" }),
		beep_detection: z.boolean().default(true),
		max_wait_seconds: z.int().min(1).max(60).default(30),
	})
	.meta({ id: "VoicemailDetectionConfig" });

export const TransferCallConfig = z
	.strictObject({
		type: z.literal("transfer_call"),
		mode: z.enum(["cold", "warm"]).default("cold"),
		phone_number: templateOr(/^\+[1-9]\d{1,14}$/, "Must be an E.164 number or a template", 255)
			.nullable()
			.default(null),
		sip_uri: templateOr(/^sips?:[^\s@]+(@[^\s@]+)?$/i, "Must be a sip: or sips: address or a template", 255)
			.nullable()
			.default(null),
		announcement: Prompt,
		ring_timeout_seconds: z.int().min(1).max(600).default(30),
	})
	.meta({ id: "TransferCallConfig" });

/** Recipient, text and sender come from the attachment, not from the tool. */
export const SendSmsConfig = z.strictObject({ type: z.literal("send_sms") }).meta({ id: "SendSmsConfig" });

export const UserPhoneNumberConfig = z
	.strictObject({ type: z.literal("user_phone_number"), prompt: Prompt })
	.meta({ id: "UserPhoneNumberConfig" });

/** The configuration schema of each type. */
export const TOOL_CONFIGS = {
	code: CodeConfig,
	api_request: ApiRequestConfig,
	end_call: EndCallConfig,
	voicemail_detection: VoicemailDetectionConfig,
	transfer_call: TransferCallConfig,
	send_sms: SendSmsConfig,
	current_datetime: CurrentDatetimeConfig,
	user_phone_number: UserPhoneNumberConfig,
} satisfies Record<ToolType, z.ZodObject>;

/** One configuration, chosen by its `type`, which is the tool's type. */
export const ToolConfig = z
	.discriminatedUnion("type", [
		CodeConfig,
		ApiRequestConfig,
		EndCallConfig,
		VoicemailDetectionConfig,
		TransferCallConfig,
		SendSmsConfig,
		CurrentDatetimeConfig,
		UserPhoneNumberConfig,
	])
	.meta({ id: "ToolConfig" });
export type ToolConfig = z.infer<typeof ToolConfig>;

function isTimezone(name: string): boolean {
	// Intl also takes offsets such as +02:00, which are no timezone names.
	if (!/^[A-Za-z]/.test(name)) return false;
	try {
		return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
	} catch {
		return false;
	}
}
