import { env } from "cloudflare:workers";
import { Tool, ToolListItem } from "@parley/contracts/agents/tools";
import { openDatabase } from "@parley/db/client";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Client, createClient, withoutId } from "../../test/client.ts";
import { createRequest, createTool, getTool, parameters, putSecret, refusal } from "../../test/tools.ts";
import { CURATED_TOOLS } from "./curated-tools.ts";
import { selectTool } from "./tool-row.ts";
import { listTools, mergeWindow, getTool as readTool } from "./tools.service.ts";

const PATH = "/v1/agents/tools";
const UNKNOWN = "01938f5e-7c00-7000-8000-000000000001";
const URL = "https://api.example/";

const list = async (client: Client, query = "") =>
	(await client.call<ToolListItem[]>("GET", `${PATH}${query}`)).body;
describe("reading", () => {
	test("the curated tools are visible to every organisation and cannot be changed", async () => {
		const [client, other] = [await createClient(), await createClient()];
		for (const { id, toolType } of CURATED_TOOLS) {
			const { body } = await client.call<Tool>("GET", `${PATH}/${id}`);
			expect(Tool.parse(body)).toEqual(body);
			expect(body).toMatchObject({
				...{ tool_type: toolType, source: "curated", latest_version: 1, is_current_version: true },
				gate_status: { static: null, green_run: null, config_valid: { passed: true } },
			});
			const elsewhere = (await other.call<Tool>("GET", `${PATH}/${id}`)).body;
			expect(elsewhere).toEqual({ ...body, organisation_id: other.id });
			for (const [method, suffix, sent] of [
				["PATCH", "", { description: "mine" }],
				["DELETE", "", undefined],
				["POST", "/publish", undefined],
				["POST", "/introspect", undefined],
			] as const)
				expect(await refusal(client.call(method, `${PATH}/${id}${suffix}`, sent))).toEqual([
					...[403, "TOOL_READ_ONLY"],
				]);
		}
	});

	test("another organisation's tool is answered like an unknown one by every operation", async () => {
		const [owner, other] = [await createClient(), await createClient()];
		const tool = await createTool(owner, {});
		const headers = { "x-request-id": "same-for-both" };
		for (const [method, suffix, body] of [
			["GET", "", undefined],
			["PATCH", "", { name: "mine" }],
			["DELETE", "", undefined],
			["POST", "/duplicate", {}],
			["POST", "/publish", undefined],
			["POST", "/introspect", undefined],
			["GET", "/versions", undefined],
			["GET", "/versions/1", undefined],
			["GET", "/usage", undefined],
		] as const) {
			const [foreign, unknown] = await Promise.all(
				[tool.id, UNKNOWN].map(async (id) => {
					const answer = await other.call(method, `${PATH}/${id}${suffix}`, body, headers);
					return [answer.status, withoutId(answer.body, id)];
				}),
			);
			expect(foreign?.[0]).toBe(404);
			expect(foreign).toEqual(unknown);
		}
		expect(await getTool(owner, tool)).toEqual(tool);
	});

	test("a list orders curated and own tools together by name, page by page", async () => {
		const client = await createClient();
		for (const name of ["zeta", "alpha", "end_call", "m"]) await createTool(client, { name });
		const all = await list(client);
		expect(all.map((item) => ToolListItem.parse(item))).toEqual(all);
		expect(all.map(({ name, source }) => `${name} ${source}`)).toEqual([
			...["alpha org", "current_datetime curated", "end_call curated", "end_call org", "m org"],
			...["send_sms curated", "transfer_call curated", "user_phone_number curated"],
			...["voicemail_detection curated", "zeta org"],
		]);
		for (const limit of [1, 3, 4]) {
			const pages = [];
			for (let offset = 0; offset < 12; offset += limit)
				pages.push(...(await list(client, `?limit=${limit}&offset=${offset}`)));
			expect(pages).toEqual(all);
		}
		expect((await list(client, "?name=end_call&name=zeta&name=none")).map(({ source }) => source)).toEqual([
			...["curated", "org", "org"],
		]);
	});

	test.each([
		"limit=0",
		"limit=201",
		"offset=-1",
		"offset=10001",
		"name=",
		"colour=red",
		`name=${"x".repeat(201)}`,
	])("a list with %s is rejected", async (query) => {
		const client = await createClient();
		expect(await refusal(client.call("GET", `${PATH}?${query}`))).toEqual([422, "VALIDATION_FAILED"]);
	});

	test("a list filters by names of the maximum length", async () => {
		const client = await createClient();
		const name = "x".repeat(200);
		await createTool(client, { name });
		expect((await list(client, `?name=${name}`)).map((item) => item.name)).toEqual([name]);
	});

	test("a list shows the arguments and whether the configuration is valid", async () => {
		const client = await createClient();
		const schema = parameters({ id: { type: "string" } });
		await createRequest(client, { url: `${URL}{{id}}`, ...schema }, { name: "good" });
		await createRequest(client, { url: `${URL}{{other}}`, ...schema }, { name: "bad" });
		await createRequest(client, { url: URL }, { name: "extra", argument_defaults: { id: 1 } });
		const items = await list(client, "?name=good&name=bad&name=extra");
		expect(items.map(({ name, config_valid }) => [name, config_valid])).toEqual([
			["bad", false],
			["extra", false],
			["good", true],
		]);
		expect(items[2]?.arg_schema).toEqual({ ...schema.parameters });
	});

	test("reading one tool reads one row, and reading a hundred takes two statements in one batch", async () => {
		const client = await createClient();
		const tool = await createTool(client, {});
		const { sql, params } = selectTool(client.ctx(), tool.id).toSQL();
		const { meta } = await env.DB.prepare(sql)
			.bind(...params)
			.all();
		expect([meta.rows_read, meta.rows_written]).toEqual([1, 0]);
		let statements = 0;
		const prepare = (text: string) => {
			statements++;
			return env.DB.prepare(text);
		};
		const batch: D1Database["batch"] = (prepared) => env.DB.batch(prepared);
		const ctx = client.ctx(openDatabase({ prepare, batch } as D1Database));
		await readTool(ctx, tool.id);
		expect(statements).toBe(1);
		await listTools(ctx, { limit: 100, offset: 0 });
		expect(statements).toBe(3);
	});
});

test("the gate secrets_exist follows the vault", async () => {
	const client = await createClient();
	const auth = { type: "bearer", secret_name: "TOKEN" };
	const tool = await createRequest(client, { url: URL, auth });
	const gate = async () => (await getTool(client, tool)).gate_status.static?.secrets_exist;
	expect(await gate()).toEqual({ passed: false, detail: "Secret not found: TOKEN" });
	await putSecret(client, "TOKEN", "value-1", "variable");
	expect(await gate()).toEqual({ passed: false, detail: "TOKEN is a variable, not a secret" });
	const other = await createClient();
	await putSecret(other, "TOKEN", "value-1");
	expect(await gate()).toMatchObject({ passed: false });
	const good = await createRequest(other, { url: URL, auth });
	expect(good.gate_status.static?.secrets_exist).toEqual({ passed: true, detail: null });
});

const byNameThenId = (a: { name: string; id: string }, b: { name: string; id: string }) =>
	a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1;

const item = fc.record({ name: fc.constantFrom(..."abcdefgh"), id: fc.uuid() });
const listed = fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 20 });

test("a window of two merged lists equals a slice of the whole merged list", () => {
	fc.assert(
		fc.property(
			listed,
			listed,
			fc.nat(45),
			fc.integer({ min: 1, max: 20 }),
			(first, second, offset, limit) => {
				const all = first.toSorted(byNameThenId);
				const others = second.toSorted(byNameThenId);
				const start = Math.max(0, offset - all.length);
				const part = others.slice(start, offset + limit);
				expect(mergeWindow({ all, part, start, offset, limit })).toEqual(
					[...all, ...others].toSorted(byNameThenId).slice(offset, offset + limit),
				);
			},
		),
	);
});
