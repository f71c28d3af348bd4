import { TOOL_CONFIGS } from "@parley/contracts/agents/tool-config";
import { CreateTool, Tool, type ToolListItem } from "@parley/contracts/agents/tools";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";
import { createTool, getTool, refusal } from "../../test/tools.ts";
import { createTool as create } from "./create-tool.ts";

const PATH = "/v1/agents/tools";

const post = (client: Client, body: object) => client.call<Tool>("POST", PATH, body);
const list = async (client: Client, query = "") =>
	(await client.call<ToolListItem[]>("GET", `${PATH}${query}`)).body;
describe("creating", () => {
	test("a tool returns every documented field, as reading it does", async () => {
		const client = await createClient();
		const { status, body } = await post(client, {
			...{ name: "sum", description: "Adds", code_src: "def main(a: int): ...", declared_secrets: ["KEY"] },
			...{ dependencies: ["numpy==2.1.0"], argument_defaults: { a: 1 } },
		});
		expect(status).toBe(201);
		expect(Tool.parse(body)).toEqual(body);
		const missing = { passed: false, detail: "Secret not found: KEY" };
		const unread = { passed: false, detail: "Not built since the last change" };
		expect(body).toMatchObject({
			...{ organisation_id: client.id, name: "sum", tool_type: "code", source: "org", revision: 1 },
			config: { type: "code", output_schema: null },
			...{ code_src: "def main(a: int): ...", declared_secrets: ["KEY"], dependencies: ["numpy==2.1.0"] },
			...{ last_run_status: null, latest_version: null, arg_schema: null, schema_stale: false },
			...{ is_current_hash_green: false, is_current_version: false },
			build: { state: "not_built", detail: null, built_at: null },
			gate_status: {
				static: {
					config_valid: { passed: true, detail: null },
					secrets_exist: missing,
					name_unique: { passed: true, detail: null },
					...{ parse: unread, schema: unread },
				},
				green_run: { passed: false, proven_hash: null },
				config_valid: { passed: true, detail: null },
				code_environment: { passed: false, detail: "The code is not built" },
				content_current: { passed: false, detail: "The code is not built" },
			},
		});
		expect(await getTool(client, body)).toEqual(body);
	});

	test("an invalid configuration is rejected at its field, before its type is checked", async () => {
		const client = await createClient();
		const config = { type: "current_datetime", timezone: "Nowhere" };
		const bad = await post(client, { name: "t", tool_type: "current_datetime", config });
		expect(bad.body.error.fields).toMatchObject([{ path: "config.timezone" }]);
		expect(await refusal(post(client, { name: "t", tool_type: "current_datetime" }))).toEqual([
			...[403, "TOOL_TYPE_NOT_CREATABLE"],
		]);
	});

	test("an address without TLS is rejected unless the deployment allows loopback", async () => {
		const client = await createClient();
		const ctx = client.ctx();
		const config = TOOL_CONFIGS.api_request.parse({ type: "api_request", url: "http://127.0.0.1/" });
		const body = {
			name: "t",
			tool_type: "api_request",
			description: "",
			argument_defaults: {},
			config,
		} as const;
		const strict = { ...ctx, env: { ...ctx.env, EGRESS_ALLOW_LOOPBACK: "false" } };
		await expect(create(strict, body)).rejects.toMatchObject({
			...{
				code: "VALIDATION_FAILED",
				fields: [{ path: "config.url", message: "Only https URLs are allowed" }],
			},
		});
		expect((await create(ctx, body)).config).toEqual(config);
		await expect(
			create(ctx, { ...body, config: { ...config, url: "http://api.example/" } }),
		).rejects.toMatchObject({
			code: "VALIDATION_FAILED",
			fields: [{ path: "config.url", message: "Only https URLs are allowed, except on loopback addresses" }],
		});
	});

	test.each([
		"ftp://api.example/",
		"https://user:pass@api.example/",
		"https://{{host}}/",
		"https://{{$HOST}}/",
		"https://api.example/?{{name}}=1",
		"https://api.example/#{{part}}",
		"https://api.example/{{broken",
		"not a url",
	])("the address %s is rejected", async (url) => {
		const client = await createClient();
		const { status, body } = await post(client, {
			...{ name: "t", tool_type: "api_request", config: { type: "api_request", url } },
		});
		expect(status).toBe(422);
		expect(body.error.fields?.map(({ path }) => path)).toContain("config.url");
		expect(await list(client, "?name=t")).toEqual([]);
	});

	test.each(["voicemail_detection", "current_datetime", "user_phone_number"])(
		"%s requires the organisation's feature",
		async (tool_type) => {
			const without = await createClient();
			expect(await refusal(post(without, { name: "t", tool_type }))).toEqual([
				...[403, "TOOL_TYPE_NOT_CREATABLE"],
			]);
			const client = await createClient({ curated_types_creatable: true });
			expect((await post(client, { name: "t", tool_type })).status).toBe(201);
		},
	);

	test("code requires the organisation's feature, also as a duplicate", async () => {
		const client = await createClient({ code_tools: false });
		expect(await refusal(post(client, { name: "t" }))).toEqual([403, "FEATURE_DISABLED"]);
		expect((await post(client, { name: "a b" })).status).toBe(422);
		const ctx = client.ctx();
		const organisation = { ...ctx.actor.organisation, features: {} };
		const { id } = await create(
			{ ...ctx, actor: { ...ctx.actor, organisation } },
			CreateTool.parse({ name: "t" }),
		);
		const duplicate = client.call("POST", `${PATH}/${id}/duplicate`);
		expect(await refusal(duplicate)).toEqual([403, "FEATURE_DISABLED"]);
	});

	test.each(["send_sms", "transfer_call", "end_call"])(
		"repeated creation of %s returns its only instance",
		async (tool_type) => {
			const client = await createClient();
			const answers = await Promise.all(
				Array.from({ length: 10 }, (_, i) => post(client, { name: `t${i}`, tool_type })),
			);
			expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
			expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
			const again = await post(client, { name: "other", tool_type, description: "other" });
			expect(again.body).toEqual(answers[0]?.body);
			await client.call("DELETE", `${PATH}/${again.body.id}`);
			const next = await post(client, { name: "other", tool_type });
			expect([next.status, next.body.name, next.body.id === again.body.id]).toEqual([201, "other", false]);
		},
	);

	test("a singleton with a name that another tool has is rejected", async () => {
		const client = await createClient();
		await createTool(client, { name: "taken" });
		expect(await refusal(post(client, { name: "taken", tool_type: "end_call" }))).toEqual([
			...[409, "TOOL_NAME_CONFLICT"],
		]);
	});

	test("one of two concurrent creations of the same name succeeds", async () => {
		const client = await createClient();
		for (let round = 0; round < 20; round++) {
			const body = { name: `t${round}` };
			const answers = await Promise.all([post(client, body), post(client, body)]);
			expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
			const lost = answers.find(({ status }) => status === 409);
			expect(lost?.body.error.code).toBe("TOOL_NAME_CONFLICT");
		}
	});

	test("a name of a curated tool, another organisation's tool or a deleted tool is accepted", async () => {
		const [client, other] = [await createClient(), await createClient()];
		const tool = await createTool(client, { name: "end_call" });
		await createTool(other, { name: "end_call" });
		await client.call("DELETE", `${PATH}/${tool.id}`);
		expect((await post(client, { name: "end_call" })).status).toBe(201);
	});
});
