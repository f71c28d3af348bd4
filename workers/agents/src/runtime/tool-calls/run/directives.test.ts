import { TOOL_CALL_LIMITS } from "@parley/contracts/agents/tool-calls";
import type { ToolType } from "@parley/contracts/agents/tool-config";
import type { RuntimeSession } from "@parley/contracts/internal/agent-runtime-rpc";
import { expect, test } from "vitest";
import { createClient } from "../../../../test/client.ts";
import { inSession, liveAgent, namedTool, toolRef } from "../../../../test/live-agent.ts";
import { putSecret } from "../../../../test/tools.ts";
import { callTool } from "../call-tool.ts";

type Given = {
	config?: Record<string, unknown>;
	overrides?: object;
	session?: Partial<RuntimeSession>;
	vault?: [name: string, value: string, kind: "secret" | "variable"][];
	arguments?: Record<string, unknown>;
};

/** Calls a tool of this type in a session. */
async function call(type: ToolType, given: Given = {}) {
	const client = await createClient();
	for (const entry of given.vault ?? []) await putSecret(client, ...entry);
	const tool = await namedTool(client, type, type, { config: given.config ?? {} });
	const ref = given.overrides ? { config_overrides: { type, ...given.overrides } } : {};
	const { agent } = await liveAgent(client, {
		tool_refs: [toolRef(tool, ref)],
		template_defaults: { company: "Acme", desk: "+15550100" },
	});
	const ctx = inSession(client.ctx(), agent.id, given.session);
	const body = { arguments: given.arguments ?? {}, deadline_ms: TOOL_CALL_LIMITS.defaultDeadlineMs };
	return callTool(ctx, { agentId: agent.id, name: type, body });
}

test("end_call is a directive with the attachment's overrides", async () => {
	expect(await call("end_call", { overrides: { wait_for_completion: false } })).toMatchObject({
		...{ status: "succeeded", output: null, content: "The call is about to end.", error: null },
		directive: { type: "end_call", wait_for_completion: false },
	});
});

test("transfer_call resolves its destination and its announcement", async () => {
	const result = await call("transfer_call", {
		config: { phone_number: "{{desk}}", announcement: "A caller for {{company}}, {{$CITY}}" },
		overrides: { mode: "warm", ring_timeout_seconds: 20 },
		session: { variables: { company: "Initech" } },
		vault: [["CITY", "Oslo", "variable"]],
	});
	expect(result.directive).toEqual({
		...{ type: "transfer_call", mode: "warm", phone_number: "+15550100", sip_uri: null },
		...{ announcement: "A caller for Initech, Oslo", ring_timeout_seconds: 20 },
	});
});

test("a transfer without a usable destination fails", async () => {
	const noNumber = await call("transfer_call", {
		config: { phone_number: "{{desk}}" },
		session: { variables: { desk: "reception" } },
	});
	expect(noNumber).toMatchObject({
		...{ status: "failed", directive: null },
		error: { code: "INVALID_TEMPLATE", message: "phone_number does not make an E.164 number" },
	});
	expect((await call("transfer_call")).error?.message).toBe(
		"The transfer has neither a phone_number nor a sip_uri",
	);
	const sip = await call("transfer_call", { config: { sip_uri: "sip:desk@example.com" } });
	expect(sip.directive).toMatchObject({ phone_number: null, sip_uri: "sip:desk@example.com" });
});

test("send_sms takes recipient, text and sender from the attachment", async () => {
	const result = await call("send_sms", {
		overrides: { to: "{{caller}}", body: "Thank you for calling {{company}}", from_number: "+15550111" },
		session: { variables: { caller: "+15550122" } },
	});
	expect(result.directive).toEqual({
		...{ type: "send_sms", to: "+15550122", body: "Thank you for calling Acme", from_number: "+15550111" },
	});
	expect((await call("send_sms")).error?.message).toBe("The attachment's config_overrides give no to");
});

test("voicemail_detection resolves its message", async () => {
	const result = await call("voicemail_detection", {
		config: { voicemail_message: "This is {{company}}", max_wait_seconds: 12, beep_detection: false },
	});
	expect(result.directive).toEqual({
		...{ type: "voicemail_detection", voicemail_message: "This is Acme" },
		...{ beep_detection: false, max_wait_seconds: 12 },
	});
});

test("a directive never holds a secret", async () => {
	const result = await call("send_sms", {
		overrides: { to: "+15550122", body: "Your code is {{$PIN_SECRET}}" },
		vault: [["PIN_SECRET", "secret-pin-7781", "secret"]],
	});
	expect(result).toMatchObject({ status: "failed", directive: null, error: { code: "INVALID_TEMPLATE" } });
	expect(JSON.stringify(result)).not.toContain("7781");
});

test("user_phone_number returns the session's caller, and fails without one", async () => {
	const caller = { phone_number: "+15550199", sip_address: "sip:anna@example.com" };
	expect((await call("user_phone_number", { session: { caller } })).output).toEqual(caller);
	expect(await call("user_phone_number")).toMatchObject({ status: "failed", error: { code: "NO_CALLER" } });
});

test("arguments for a tool that takes none are rejected", async () => {
	const result = await call("end_call", { arguments: { reason: "bye" } });
	expect([result.status, result.directive]).toEqual(["rejected", null]);
});
