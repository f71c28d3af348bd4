import type { PublishResult, Tool, ToolListItem } from "@parley/contracts/agents/tools";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../../test/client.ts";
import { createRequest, createTool, getTool, putSecret } from "../../../test/tools.ts";

const URL = "https://api.example/";
const PASSED = { passed: true, detail: null };
const failed = (detail: string) => ({ passed: false, detail });

/** Returns the gate `config_valid` of a tool, which the list and a publication must agree with. */
async function configValid(client: Client, made: Tool) {
	const tool = await getTool(client, made);
	const gate = tool.gate_status.config_valid ?? tool.gate_status.static?.config_valid;
	const { body: items } = await client.call<ToolListItem[]>("GET", `/v1/agents/tools?name=${tool.name}`);
	expect(items.map(({ config_valid }) => config_valid)).toEqual([gate?.passed]);
	const { body } = await client.call<PublishResult>("POST", `/v1/agents/tools/${tool.id}/publish`);
	expect(body.checks.config_valid).toEqual(gate);
	return gate;
}

test.each([
	["https://10.0.0.1/", "The address is not a public one"],
	["https://169.254.169.254/latest/meta-data/", "The address is not a public one"],
	["https://[::ffff:10.0.0.1]/{{id}}", "The address is not a public one"],
	["https://metadata.google.internal/", "The address is not a public one"],
	["https://api.example:25/", "The port belongs to another protocol"],
])("config_valid fails for the blocked address %s", async (url, message) => {
	const client = await createClient();
	const tool = await createRequest(client, { url, parameters: { type: "object", properties: { id: {} } } });
	expect(await configValid(client, tool)).toEqual(failed(`config.url: ${message}`));
});

test("config_valid fails for a secret in a URL, and passes for a variable", async () => {
	const client = await createClient();
	const tool = await createRequest(client, { url: `${URL}{{$REGION}}` });
	expect(await configValid(client, tool)).toEqual(PASSED);
	await putSecret(client, "REGION", "value-1");
	expect(await configValid(client, tool)).toEqual(
		failed("config.url: REGION is a secret; a URL takes variables only"),
	);
	await client.call("DELETE", `/v1/agents/tools/${tool.id}`);
	await client.call("DELETE", "/v1/agents/secrets/REGION");
	await putSecret(client, "REGION", "value-1", "variable");
	expect(await configValid(client, await createRequest(client, { url: `${URL}{{$REGION}}` }))).toEqual(
		PASSED,
	);
});

test.each([
	[
		{
			tool_type: "api_request",
			config: { type: "api_request", url: URL, headers: [header("a {{$token}}")] },
		},
		"config.headers.0.value: {{$token}} is not a valid placeholder",
	],
	[
		{ tool_type: "api_request", config: { type: "api_request", url: URL, headers: [header("{{id}}")] } },
		"config.headers.0.value: {{id}} is not a vault reference, the only placeholder allowed here",
	],
	[
		{ tool_type: "code", argument_defaults: { city: "{{$Town}}" } },
		"argument_defaults.city: {{$Town}} is not a valid placeholder",
	],
	[
		{ tool_type: "code", argument_defaults: { city: "{{town}}" } },
		"argument_defaults.city: {{town}} is not a vault reference, the only placeholder allowed here",
	],
	[
		{ tool_type: "end_call", config: { type: "end_call", prompt: "Say {{" } },
		"config.prompt: {{ is not a valid placeholder",
	],
	[
		{ tool_type: "transfer_call", config: { type: "transfer_call", phone_number: "{{$desk}}" } },
		"config.phone_number: {{$desk}} is not a valid placeholder",
	],
])("config_valid fails for a token without a value: %j", async (body, detail) => {
	const client = await createClient();
	expect(await configValid(client, await createTool(client, body))).toEqual(failed(detail));
});

function header(value: string) {
	return { name: "X-Key", value };
}

test("secrets_exist fails for every vault name that does not exist", async () => {
	const client = await createClient();
	const config = { url: `${URL}{{$REGION}}`, headers: [header("{{$TOKEN}}")], auth: bearer("KEY") };
	const tool = await createRequest(client, config);
	const gate = async () => (await getTool(client, tool)).gate_status.static?.secrets_exist;
	expect(await gate()).toEqual(failed("Secret not found: KEY; Vault entry not found: REGION, TOKEN"));
	await putSecret(client, "REGION", "value-1", "variable");
	await putSecret(client, "KEY", "value-2");
	expect(await gate()).toEqual(failed("Vault entry not found: TOKEN"));
	await putSecret(client, "TOKEN", "value-3");
	expect(await gate()).toEqual(PASSED);
});

function bearer(secret_name: string) {
	return { type: "bearer", secret_name };
}

test("config_valid fails for a missing vault name where no gate secrets_exist is reported", async () => {
	const client = await createClient();
	const config = { type: "transfer_call", phone_number: "{{$DESK}}", announcement: "{{$HELLO}} {{caller}}" };
	const tool = await createTool(client, { tool_type: "transfer_call", config });
	expect(await configValid(client, tool)).toEqual(failed("Vault entry not found: DESK, HELLO"));
	for (const name of ["DESK", "HELLO"]) await putSecret(client, name, "value-1", "variable");
	expect(await configValid(client, tool)).toEqual(PASSED);
	// The two secrets of an SMS are checked by secrets_exist, which its publication requires.
	expect(await configValid(client, await createTool(client, { tool_type: "send_sms" }))).toEqual(PASSED);
});

test("every problem of a configuration is reported at once", async () => {
	const client = await createClient();
	const tool = await createRequest(
		client,
		{ url: "https://10.0.0.1/{{id}}", headers: [header("{{")] },
		{ argument_defaults: { day: 1 } },
	);
	expect((await configValid(client, tool))?.detail?.split("; ")).toEqual([
		"config.url: The address is not a public one",
		"config.headers.0.value: {{ is not a valid placeholder",
		"config.url: parameters has no property id",
		"argument_defaults.day: the tool has no such argument",
	]);
});
