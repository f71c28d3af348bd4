import type { RunResult, ToolRun } from "@parley/contracts/agents/tool-runs";
import { type Tool, ToolVersion } from "@parley/contracts/agents/tools";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";
import { builtTool } from "../../test/code-tools.ts";
import { createEndpoint } from "../../test/endpoint.ts";
import {
	createRequest,
	createTool,
	getTool,
	parameters,
	putSecret,
	refusal,
	runTool,
} from "../../test/tools.ts";
import { CURATED_TOOLS } from "../tools/curated-tools.ts";

const PATH = "/v1/agents/tools";

const publish = async (client: Client, { id }: { id: string }) => {
	const { status } = await client.call("POST", `${PATH}/${id}/publish`);
	expect(status).toBe(200);
};
const runVersion = (
	client: Client,
	{ id }: { id: string },
	version: number | string,
	sample_input: object = {},
) =>
	client.call<RunResult>("POST", `${PATH}/${id}/versions/${version}/run`, {
		...{ sample_input, confirm_side_effects: true },
	});

/** Creates a code tool whose version 1 differs from its draft in every member. */
async function published(client: Client): Promise<Tool> {
	await putSecret(client, "TOKEN", "s3cr3t-canary-7f21");
	const arg_schema = { type: "object", properties: { a: {} }, additionalProperties: false };
	const rest = {
		...{ declared_secrets: ["TOKEN"], dependencies: ["attrs==25.3.0"], argument_defaults: { a: 1 } },
	};
	const tool = await builtTool(client, { build: { arg_schema, output_schema: { type: "object" } } }, rest);
	await runTool(client, tool);
	await publish(client, tool);
	const { body } = await client.call<Tool>("PATCH", `${PATH}/${tool.id}`, {
		...{ code_src: "{} ", declared_secrets: [], dependencies: [], argument_defaults: {} },
	});
	return body;
}

test("a version runs as published, independently of the draft", async () => {
	const client = await createClient();
	const draft = await published(client);
	const { status, body } = await runVersion(client, draft, 1, { a: 2 });
	expect(status).toBe(200);
	expect(body.output_json).toMatchObject({
		...{ arguments: { a: 2 }, secrets: { TOKEN: "[redacted]" }, output_schema: { type: "object" } },
		...{ frozen_deps: [{ name: "attrs" }], arg_schema: { properties: { a: {} } } },
	});
	expect((await runVersion(client, draft, 1)).body.output_json).toMatchObject({ arguments: { a: 1 } });
});

test("a version shows the source, secrets and pinned packages of its publication", async () => {
	const client = await createClient();
	const draft = await published(client);
	const { body } = await client.call<ToolVersion>("GET", `${PATH}/${draft.id}/versions/1`);
	expect(ToolVersion.parse(body)).toEqual(body);
	expect(body).toMatchObject({ declared_secrets: ["TOKEN"], dependencies: ["attrs==25.3.0"] });
	expect(body.code_src).toContain("output_schema");
	const curated = await client.call<ToolVersion>("GET", `${PATH}/${CURATED_TOOLS[0]!.id}/versions/1`);
	expect(curated.body).toMatchObject({ code_src: null, declared_secrets: [], dependencies: [] });
});

test("a version's runs are in the tool's history and do not affect the draft", async () => {
	const client = await createClient();
	const draft = await published(client);
	const before = await getTool(client, draft);
	await runVersion(client, draft, 1);
	expect(await getTool(client, draft)).toEqual(before);
	const { items } = (await client.call<{ items: ToolRun[] }>("GET", `${PATH}/${draft.id}/runs`)).body;
	expect(items.map(({ version_number }) => version_number)).toEqual([1, null]);
	expect(items[0]?.content_hash).toBe(items[1]?.content_hash);
});

test("a version's run returns the version's gates, independently of the draft and the vault", async () => {
	const client = await createClient();
	const draft = await published(client);
	expect(draft.gate_status.content_current?.passed).toBe(false);
	const { items } = (await client.call<{ items: ToolRun[] }>("GET", `${PATH}/${draft.id}/runs`)).body;
	const { body } = await runVersion(client, draft, 1);
	const passed = { passed: true, detail: null };
	const proven_hash = items[0]?.content_hash;
	expect(body.proven_hash).toBe(proven_hash);
	const others = { config_valid: passed, name_unique: passed, parse: passed, schema: passed };
	expect(body.gate_status).toEqual({
		static: { ...others, secrets_exist: passed },
		green_run: { passed: true, proven_hash },
		...{ config_valid: passed, code_environment: passed, content_current: passed },
	});
	await client.call("DELETE", "/v1/agents/secrets/TOKEN");
	const without = (await runVersion(client, draft, 1)).body;
	expect(without).toMatchObject({
		status: "failed",
		proven_hash: null,
		gate_status: { green_run: { proven_hash } },
	});
	expect(without.gate_status.static?.secrets_exist).toEqual({
		passed: false,
		detail: "Secret not found: TOKEN",
	});
});

test("a version of an API request is sent as it was published", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const config = { url: endpoint.url("echo"), ...parameters({ city: { type: "string" } }, ["city"]) };
	const tool = await createRequest(client, config);
	await runTool(client, tool, { city: "Oslo" });
	await publish(client, tool);
	await client.call("PATCH", `${PATH}/${tool.id}`, {
		config: { type: "api_request", url: "https://x.example/" },
	});
	expect((await runVersion(client, tool, 1, { city: "Bergen" })).body.status).toBe("succeeded");
	expect((await endpoint.seen()).map(({ body }) => body)).toEqual(['{"city":"Oslo"}', '{"city":"Bergen"}']);
	expect(await refusal(runVersion(client, tool, 1))).toEqual([422, "VALIDATION_FAILED"]);
});

test("a tool that cannot be run cannot be run as a version either", async () => {
	const client = await createClient();
	const tool = await createTool(client, { tool_type: "end_call" });
	await publish(client, tool);
	expect(await refusal(runVersion(client, tool, 1))).toEqual([400, "TOOL_CONTEXT_BOUND"]);
	for (const curated of CURATED_TOOLS)
		expect(await refusal(runVersion(client, curated, 1))).toEqual([403, "TOOL_READ_ONLY"]);
	expect(await refusal(runVersion(client, tool, 2))).toEqual([404, "RESOURCE_NOT_FOUND"]);
	expect(await refusal(runVersion(client, tool, "none"))).toEqual([422, "VALIDATION_FAILED"]);
	await client.call("DELETE", `${PATH}/${tool.id}`);
	expect(await refusal(runVersion(client, tool, 1))).toEqual([404, "RESOURCE_NOT_FOUND"]);
	const [other, code] = [await createClient(), await published(client)];
	expect(await refusal(runVersion(other, code, 1))).toEqual([404, "RESOURCE_NOT_FOUND"]);
});
