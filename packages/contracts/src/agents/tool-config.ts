import { z } from "zod";
import { ArgumentSchema, JsonSchema } from "../shared/json-schema.ts";
import { HeaderName, OutgoingHeaders } from "../shared/outgoing-headers.ts";
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
export const ToolType = z
	.enum(TOOL_TYPES)
	.meta({ id: "ToolType", description: "Type of the tool, which decides the form of its `config`" });
export type ToolType = z.infer<typeof ToolType>;

/** Descriptions of fields that a configuration and the overrides of an attachment have in common. */
export const CONFIG_TEXTS = {
	type: "Type of the tool",
	prompt: "Guidance for the model on when and how to use the tool, at most 500 characters",
	wait_for_completion: "Whether the agent finishes speaking before the call ends",
	voicemail_message:
		"Message to leave on the machine, at most 2000 characters. May contain placeholders. Null hangs up without one.",
	beep_detection: "Whether to wait for the beep before leaving the message",
	max_wait_seconds: "Time to wait for the machine's greeting to end, from 1 to 60 seconds",
	mode: "cold connects the caller at once. warm announces the caller first.",
	phone_number: "Number to transfer the call to: an E.164 number or a template, at most 255 characters",
	sip_uri:
		"SIP address to transfer the call to: a sip: or sips: address or a template, at most 255 characters",
	announcement: "Text spoken to the person who takes the call, at most 500 characters",
	ring_timeout_seconds: "Time to ring before the transfer fails, from 1 to 600 seconds",
	timezone: "IANA timezone name",
	timeout_seconds: "Time limit of a run with all its attempts, from 1 to 60 seconds",
	retries: "Further attempts after a temporary failure, from 0 to 3. Only GET, PUT and DELETE are repeated.",
	response: "How the agent uses the answer",
	show_to_llm: "Whether the model sees the output",
	instructions: "Guidance for the model on how to use the output, at most 2000 characters",
} as const;

const text = (key: keyof typeof CONFIG_TEXTS, defaultValue: string) => ({
	description: `${CONFIG_TEXTS[key].replace(/\.$/, "")}. Default ${defaultValue}.`,
});
const typeOf = <T extends ToolType>(type: T) => z.literal(type).meta({ description: CONFIG_TEXTS.type });

const Prompt = z.string().max(500).nullable().default(null).meta(text("prompt", "null"));
const hasTemplate = (value: string): boolean => value.includes("{{");
const templateOr = (form: RegExp, message: string, max: number) =>
	z
		.string()
		.min(1)
		.max(max)
		.refine((value) => hasTemplate(value) || form.test(value), message);

const OutputSchema = JsonSchema.nullable().default(null).meta({
	description: "JSON Schema that the output must match. Null leaves the output unchecked. Default null.",
});

export const CodeConfig = z
	.strictObject({ type: typeOf("code"), output_schema: OutputSchema })
	.meta({ id: "CodeConfig" });

const authOf = <T extends string>(type: T, description: string) => z.literal(type).meta({ description });
const CredentialName = VaultName.meta({ description: "Name of the vault secret to send" });

/** Authentication of a request. `hmac` signs the raw body: `X-Signature-256: sha256=<hex>`. */
export const RequestAuth = z
	.discriminatedUnion("type", [
		z.strictObject({ type: authOf("none", "Sends no credential") }),
		z.strictObject({
			type: authOf("bearer", "Sends the secret as `Authorization: Bearer`"),
			secret_name: CredentialName,
		}),
		z.strictObject({
			type: authOf("header", "Sends the secret in a header"),
			header_name: HeaderName.meta({ description: "Header to send the secret in" }),
			secret_name: CredentialName,
		}),
		z.strictObject({
			type: authOf("hmac", "Signs the raw body: `X-Signature-256: sha256=<hex HMAC-SHA256>`"),
			secret_name: VaultName.meta({ description: "Name of the vault secret to sign with" }),
		}),
	])
	.meta({ id: "RequestAuth", description: "How the request authenticates. Default `{type: none}`." });
export type RequestAuth = z.infer<typeof RequestAuth>;

const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const ApiRequestConfig = z
	.strictObject({
		type: typeOf("api_request"),
		url: z.string().min(1).max(2048).meta({
			description:
				"An https address, at most 2048 characters. Path segments and query values may contain {{argument}} and the vault variable {{$NAME}}. Both are percent-encoded.",
			example: "https://crm.example/customers/{{customer_id}}?region={{$REGION}}",
		}),
		http_method: z.enum(HTTP_METHODS).default("POST").meta({
			description:
				"HTTP method. Default POST. GET and DELETE send the arguments that the URL does not use as query values.",
		}),
		auth: RequestAuth.default({ type: "none" }),
		headers: OutgoingHeaders.default([]),
		parameters: ArgumentSchema.default({ type: "object", properties: {} }).meta({
			description: "JSON Schema of the tool's arguments: an object. Default no arguments.",
		}),
		strict: z.boolean().default(true).meta({
			description:
				"Whether to refuse arguments that `parameters` does not declare. Default true. `additionalProperties` in `parameters` takes precedence.",
		}),
		body_format: z.enum(["raw", "envelope"]).default("raw").meta({
			description:
				"Body of POST, PUT and PATCH. raw sends the arguments object; envelope sends {arguments, tool_name, run_id, sent_at}. Default raw.",
		}),
		timeout_seconds: z.int().min(1).max(60).default(10).meta(text("timeout_seconds", "10")),
		retries: z.int().min(0).max(3).default(0).meta(text("retries", "0")),
		output_schema: OutputSchema,
		response: z
			.strictObject({
				show_to_llm: z.boolean().default(true).meta(text("show_to_llm", "true")),
				instructions: z.string().max(2000).nullable().default(null).meta(text("instructions", "null")),
			})
			.default({ show_to_llm: true, instructions: null })
			.meta({ description: CONFIG_TEXTS.response }),
	})
	.meta({ id: "ApiRequestConfig" });
export type ApiRequestConfig = z.infer<typeof ApiRequestConfig>;

export const EndCallConfig = z
	.strictObject({
		type: typeOf("end_call"),
		wait_for_completion: z.boolean().default(true).meta(text("wait_for_completion", "true")),
		prompt: Prompt,
	})
	.meta({ id: "EndCallConfig" });

export const CurrentDatetimeConfig = z
	.strictObject({
		type: typeOf("current_datetime"),
		timezone: z
			.string()
			.max(64)
			.refine(isTimezone, "Not an IANA timezone name")
			.default("UTC")
			.meta({ ...text("timezone", "UTC"), example: "Europe/Paris" }),
		prompt: Prompt,
	})
	.meta({ id: "CurrentDatetimeConfig" });

export const VoicemailDetectionConfig = z
	.strictObject({
		type: typeOf("voicemail_detection"),
		prompt: Prompt,
		voicemail_message: z.string().max(2000).nullable().default(null).meta(text("voicemail_message", "null")),
		beep_detection: z.boolean().default(true).meta(text("beep_detection", "true")),
		max_wait_seconds: z.int().min(1).max(60).default(30).meta(text("max_wait_seconds", "30")),
	})
	.meta({ id: "VoicemailDetectionConfig" });

export const TransferCallConfig = z
	.strictObject({
		type: typeOf("transfer_call"),
		mode: z.enum(["cold", "warm"]).default("cold").meta(text("mode", "cold")),
		phone_number: templateOr(/^\+[1-9]\d{1,14}$/, "Must be an E.164 number or a template", 255)
			.nullable()
			.default(null)
			.meta(text("phone_number", "null")),
		sip_uri: templateOr(/^sips?:[^\s@]+(@[^\s@]+)?$/i, "Must be a sip: or sips: address or a template", 255)
			.nullable()
			.default(null)
			.meta(text("sip_uri", "null")),
		announcement: z.string().max(500).nullable().default(null).meta(text("announcement", "null")),
		ring_timeout_seconds: z.int().min(1).max(600).default(30).meta(text("ring_timeout_seconds", "30")),
	})
	.meta({ id: "TransferCallConfig" });

/** Configuration of `send_sms`. Recipient, text and sender come from the attachment, not from the tool. */
export const SendSmsConfig = z.strictObject({ type: typeOf("send_sms") }).meta({ id: "SendSmsConfig" });

export const UserPhoneNumberConfig = z
	.strictObject({ type: typeOf("user_phone_number"), prompt: Prompt })
	.meta({ id: "UserPhoneNumberConfig" });

/** Configuration schema of each type. */
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

/** Configuration of a tool, selected by its `type`, which equals the tool's type. */
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
	.meta({ id: "ToolConfig", description: "Configuration of the tool. Its `type` equals the tool's type." });
export type ToolConfig = z.infer<typeof ToolConfig>;

function isTimezone(name: string): boolean {
	// Intl also accepts offsets such as +02:00, which are not timezone names.
	if (!/^[A-Za-z]/.test(name)) return false;
	try {
		return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
	} catch {
		return false;
	}
}
