import type { Directive } from "@parley/contracts/agents/tool-calls";
import type { ToolConfig } from "@parley/contracts/agents/tool-config";
import type { RuntimeCaller } from "@parley/contracts/internal/agent-runtime-rpc";
import { collectVaultReferences } from "@parley/templates/references";
import type { TemplateValues } from "@parley/templates/values";
import type { OpenedVault } from "../../../runs/attempt-run.ts";
import type { ToolAttachment } from "../../in-force/runtime-attachment.ts";
import { CallFailure } from "./call-failure.ts";
import { renderTextOrFail } from "./call-values.ts";

/** Types whose call is a directive for the voice runtime. */
export type DirectiveType = Directive["type"];

/** Texts of an attachment that a directive renders. */
export type DirectiveTexts = Record<string, string | null>;

/** Returns the templates of a directive, by field; undefined for a tool that makes none. */
export function directiveTexts({ runnable, configOverrides }: ToolAttachment): DirectiveTexts | undefined {
	const config = runnable?.config;
	switch (config?.type) {
		case "end_call":
			return {};
		case "transfer_call":
			return pick(config, ["phone_number", "sip_uri", "announcement"]);
		case "voicemail_detection":
			return pick(config, ["voicemail_message"]);
		case "send_sms": {
			const own = configOverrides?.type === "send_sms" ? configOverrides : {};
			return { to: null, body: null, from_number: null, ...pick(own, ["to", "body", "from_number"]) };
		}
		default:
			return undefined;
	}
}

/**
 * Returns what the voice runtime must do, with all templates resolved.
 * @throws CallFailure MISSING_VARIABLE, MISSING_VAULT_ENTRY; INVALID_TEMPLATE for a secret, or a destination that is none
 */
export function directiveOf(
	config: ToolConfig,
	texts: DirectiveTexts,
	{ values, vault }: { values: TemplateValues; vault: OpenedVault },
): Directive {
	assertNoSecrets(texts, vault);
	const text = (name: string): string | null => {
		const template = texts[name] ?? null;
		return template === null ? null : renderTextOrFail(template, values);
	};
	switch (config.type) {
		case "end_call":
			return { type: "end_call", wait_for_completion: config.wait_for_completion };
		case "transfer_call":
			return {
				type: "transfer_call",
				mode: config.mode,
				...destinationOf(text("phone_number"), text("sip_uri")),
				announcement: text("announcement"),
				ring_timeout_seconds: config.ring_timeout_seconds,
			};
		case "voicemail_detection":
			return {
				type: "voicemail_detection",
				voicemail_message: text("voicemail_message"),
				beep_detection: config.beep_detection,
				max_wait_seconds: config.max_wait_seconds,
			};
		case "send_sms":
			return {
				type: "send_sms",
				to: required(text("to"), "to"),
				body: required(text("body"), "body"),
				from_number: text("from_number"),
			};
		default:
			throw new Error(`A tool of type ${config.type} makes no directive`);
	}
}

/** Returns the caller as the output of `user_phone_number`. @throws CallFailure NO_CALLER */
export function callerOutput(caller: RuntimeCaller | undefined): unknown {
	const { phone_number = null, sip_address = null } = caller ?? {};
	if (phone_number === null && sip_address === null)
		throw new CallFailure("NO_CALLER", "The session has no caller: open it with caller.phone_number");
	return { phone_number, ...(sip_address !== null && { sip_address }) };
}

/** A directive leaves Parley in plain text, and a secret never does. */
function assertNoSecrets(texts: DirectiveTexts, { entries }: OpenedVault): void {
	const secret = collectVaultReferences(texts).find(({ name }) => entries.get(name)?.kind === "secret");
	if (secret)
		throw new CallFailure(
			"INVALID_TEMPLATE",
			`${secret.location} uses ${secret.name}, which is a secret, not a variable`,
		);
}

function destinationOf(phone: string | null, sip: string | null) {
	if (phone !== null && /^\+[1-9]\d{1,14}$/.test(phone)) return { phone_number: phone, sip_uri: null };
	if (phone !== null) throw new CallFailure("INVALID_TEMPLATE", "phone_number does not make an E.164 number");
	if (sip !== null && /^sips?:[^\s@]+(@[^\s@]+)?$/i.test(sip)) return { phone_number: null, sip_uri: sip };
	throw new CallFailure(
		"INVALID_TEMPLATE",
		sip === null
			? "The transfer has neither a phone_number nor a sip_uri"
			: "sip_uri does not make a SIP address",
	);
}

function required(text: string | null, field: string): string {
	if (text !== null && text !== "") return text;
	throw new CallFailure("INVALID_TEMPLATE", `The attachment's config_overrides give no ${field}`);
}

const pick = (source: object, names: readonly string[]): DirectiveTexts =>
	Object.fromEntries(
		names.flatMap((name) => {
			const value = (source as Record<string, unknown>)[name];
			return typeof value === "string" || value === null ? [[name, value]] : [];
		}),
	);
