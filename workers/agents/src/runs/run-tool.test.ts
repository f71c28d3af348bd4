import { env } from "cloudflare:workers";
import { RunResult, type ToolRun } from "@parley/contracts/agents/tool-runs";
import type { Tool } from "@parley/contracts/agents/tools";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { expect, test } from "vitest";
import { type Client, createClient, withoutId } from "../../test/client.ts";
import { createEndpoint } from "../../test/endpoint.ts";
import { rerunMigration } from "../../test/rerun-migration.ts";
import { createRequest, createTool, getTool, parameters, runTool } from "../../test/tools.ts";
import { CURATED_TOOLS } from "../tools/curated-tools.ts";
import { duplicateTool } from "../tools/duplicate-tool.ts";
import { runTool as run } from "./run-tool.ts";

const TEXT = { type: "string" };
const INPUT = { sample_input: {}, confirm_side_effects: true };

type History = { items: ToolRun[]; meta: { page: number; page_size: number; total: number; pages: number } };

test("a run calls the endpoint with the arguments and proves the content", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await createRequest(client, { url: endpoint.url("echo"), ...parameters({ q: TEXT }) });
	const { status, body } = await runTool(client, tool, { q: "é" });
	expect(status).toBe(200);
	expect(RunResult.parse(body)).toEqual(body);
	expect(body).toMatchObject({
		...{ status: "succeeded", validation: "na", error: null, proven_hash: tool.content_hash },
		gate_status: { green_run: { passed: true, proven_hash: tool.content_hash } },
	});
	const [seen] = await endpoint.seen();
	expect(seen).toMatchObject({
		...{ method: "POST", body: '{"q":"é"}' },
		headers: { "content-type": "application/json", accept: "application/json" },
	});
	expect(body.output_json).toEqual(seen);
	expect(await getTool(client, tool)).toMatchObject({
		...{ last_run_status: "succeeded", is_current_hash_green: true, revision: 1 },
	});
});

test("arguments that violate the schema are named, and no request is sent", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await createRequest(client, {
		url: endpoint.url("echo"),
		...parameters({ id: { type: "integer" }, tags: { type: "array", items: TEXT } }, ["id"]),
	});
	const fields = async (input: object) => {
		const { status, body } = await runTool(client, tool, input);
		expect([status, body.error?.code]).toEqual([422, "VALIDATION_FAILED"]);
		return body.error?.fields?.map(({ path }) => path);
	};
	expect(await fields({})).toEqual(["sample_input.id"]);
	expect(await fields({ id: "1" })).toEqual(["sample_input.id"]);
	expect(await fields({ id: 1, tags: ["a", 2] })).toEqual(["sample_input.tags.1"]);
	expect(await fields({ id: 1, other: true })).toEqual(["sample_input.other"]);
	expect(await endpoint.seen()).toEqual([]);
	expect((await getTool(client, tool)).last_run_status).toBeNull();
});

test("20,000 unique objects are checked at once, and twice as many rows as fit are rejected with a remedy", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const rows = { type: "array", uniqueItems: true };
	const tool = await createRequest(client, { url: endpoint.url("status/204"), ...parameters({ rows }) });
	const objects = Array.from({ length: 20_000 }, (_, id) => ({ id }));
	const startedAt = performance.now();
	expect((await runTool(client, tool, { rows: objects })).body).toMatchObject({ status: "succeeded" });
	expect(performance.now() - startedAt).toBeLessThan(8_000);
	const numbers = Array.from({ length: 150_000 }, (_, n) => n);
	const { status, body } = await runTool(client, tool, { rows: numbers });
	expect([status, body.error?.code]).toEqual([422, "VALIDATION_FAILED"]);
	expect(body.error?.fields).toEqual([
		{
			path: "sample_input.rows",
			message:
				"Takes more than 1000000 steps to check. Send a smaller value, or simplify the tool's argument schema.",
		},
	]);
});

test("arguments are checked as deep as a body may be, through several references at each level", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const config = {
		url: endpoint.url("status/204"),
		parameters: {
			type: "object",
			properties: { tree: { $ref: "#/$defs/a" } },
			$defs: {
				a: { allOf: [{ $ref: "#/$defs/b" }] },
				b: {
					anyOf: [
						{ type: "string" },
						{ oneOf: [{ type: "object", properties: { next: { $ref: "#/$defs/a" } } }] },
					],
				},
			},
		},
	};
	const tool = await createRequest(client, config);
	const tree = (leaf: unknown) => {
		let value = leaf;
		for (let depth = 0; depth < 95; depth++) value = { next: value };
		return { tree: value };
	};
	expect((await runTool(client, tool, tree("leaf"))).body).toMatchObject({ status: "succeeded" });
	const { status, body } = await runTool(client, tool, tree(1));
	expect([status, body.error?.code]).toEqual([422, "VALIDATION_FAILED"]);
	expect(body.error?.fields).toMatchObject([{ message: "Must match one of the allowed schemas" }]);
});

test("a tool that is not strict accepts undeclared arguments", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await createRequest(client, { url: endpoint.url("echo"), strict: false });
	expect((await runTool(client, tool, { other: true })).status).toBe(200);
	expect((await endpoint.seen())[0]?.body).toBe('{"other":true}');
});

test("an unconfirmed run is rejected", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await createRequest(client, { url: endpoint.url("echo") });
	for (const body of [{}, { sample_input: {} }, { confirm_side_effects: false }]) {
		const answer = await client.call<RunResult>("POST", `/v1/agents/tools/${tool.id}/run`, body);
		expect(answer.status).toBe(422);
		expect(answer.body.error?.fields?.[0]?.path).toBe("confirm_side_effects");
	}
	expect(await endpoint.seen()).toEqual([]);
});

test("curated tools, live-call tools and unbuilt code cannot be run", async () => {
	const client = await createClient({ curated_types_creatable: true });
	const refusal = async (tool: { id: string }) => {
		const { status, body } = await runTool(client, tool as Tool);
		return [status, body.error?.code];
	};
	for (const curated of CURATED_TOOLS) expect(await refusal(curated)).toEqual([403, "TOOL_READ_ONLY"]);
	for (const tool_type of [
		"end_call",
		"voicemail_detection",
		"transfer_call",
		"send_sms",
		"user_phone_number",
	])
		expect(await refusal(await createTool(client, { tool_type }))).toEqual([400, "TOOL_CONTEXT_BOUND"]);
	expect(await refusal(await createTool(client, {}))).toEqual([409, "TOOL_NOT_BUILT"]);
	const unknown = await refusal({ id: "01938f5e-7c00-7000-8000-000000000001" });
	expect(unknown).toEqual([404, "RESOURCE_NOT_FOUND"]);
});

test("a duplicate of the curated current_datetime runs without confirmation", async () => {
	const client = await createClient();
	const curated = CURATED_TOOLS.find(({ toolType }) => toolType === "current_datetime")!;
	const clock = await duplicateTool(client.ctx(), curated.id, {});
	const config = { type: "current_datetime", timezone: "Asia/Tokyo" };
	await client.call("PATCH", `/v1/agents/tools/${clock.id}`, { config });
	const { status, body } = await client.call<RunResult>("POST", `/v1/agents/tools/${clock.id}/run`);
	expect(status).toBe(200);
	expect(body).toMatchObject({
		...{ status: "succeeded", validation: "na" },
		output_json: { timezone: "Asia/Tokyo", utc_offset: "+09:00" },
		gate_status: { green_run: { passed: true } },
	});
});

test("an output that violates the schema is a mismatch and proves nothing", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const output_schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
	const config = { url: endpoint.url("json?value={{value}}"), output_schema, ...parameters({ value: TEXT }) };
	const tool = await createRequest(client, config);
	const bad = (await runTool(client, tool, { value: '{"n":"1"}' })).body;
	expect(bad).toMatchObject({ status: "succeeded", validation: "mismatch", proven_hash: null });
	expect(bad.logs.at(-1)).toBe("output n: Must be a whole number");
	expect(bad.gate_status.green_run).toEqual({ passed: false, proven_hash: null });
	const good = (await runTool(client, tool, { value: '{"n":1}' })).body;
	expect(good).toMatchObject({ status: "succeeded", validation: "valid", proven_hash: tool.content_hash });
	// A later failure neither undoes the proof nor counts as one.
	const again = (await runTool(client, tool, { value: "{}" })).body;
	expect(again).toMatchObject({ validation: "mismatch", proven_hash: null });
	expect(again.gate_status.green_run).toEqual({ passed: true, proven_hash: tool.content_hash });
});

test("an output that takes too many steps to check fails the run with OUTPUT_TOO_COMPLEX", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const levels = Array.from({ length: 30 }, (_, n) => {
		const next = { $ref: `#/$defs/d${n + 1}` };
		return [`d${n}`, { allOf: [next, next] }];
	});
	const output_schema = {
		properties: { n: { $ref: "#/$defs/d0" } },
		$defs: { ...Object.fromEntries(levels), d30: {} },
	};
	const config = { url: endpoint.url("json?value={{value}}"), output_schema, ...parameters({ value: TEXT }) };
	const tool = await createRequest(client, config);
	const { status, body } = await runTool(client, tool, { value: '{"n":1}' });
	expect(status).toBe(200);
	expect(body).toMatchObject({
		...{ status: "failed", validation: "na", output_json: null, proven_hash: null },
		error: {
			code: "OUTPUT_TOO_COMPLEX",
			message:
				"output n: Takes more than 1000000 steps to check. Return a smaller value, or simplify the tool's output schema.",
		},
	});
});

test("the migration converts the time-outs of earlier runs to today's spelling", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await createRequest(client, { url: endpoint.url("status/500") });
	await runTool(client, tool);
	const history = async () =>
		(await client.call<{ items: ToolRun[] }>("GET", `/v1/agents/tools/${tool.id}/runs`)).body.items[0]!.error;
	const { message } = (await history())!;
	await env.DB.prepare("update tool_runs set error = json_set(error, '$.code', 'TIMEOUT') where tool_id = ?")
		.bind(tool.id)
		.run();
	await rerunMigration("spell_timed_out");
	expect(await history()).toEqual({ code: "TIMED_OUT", message });
});

test("changing the content voids its proof, and reverting the change restores it", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await createRequest(client, { url: endpoint.url("echo") });
	await runTool(client, tool);
	const path = `/v1/agents/tools/${tool.id}`;
	const changed = await client.call<Tool>("PATCH", path, { description: "other" });
	expect(changed.body.is_current_hash_green).toBe(false);
	expect(changed.body.gate_status.green_run).toEqual({ passed: false, proven_hash: tool.content_hash });
	const back = await client.call<Tool>("PATCH", path, { description: "" });
	expect(back.body).toMatchObject({ is_current_hash_green: true, content_hash: tool.content_hash });
});

test("a run during which the tool changes is rejected but recorded in the history", async () => {
	const client = await createClient();
	const tool = await createRequest(client, { url: "https://api.example/" });
	const answer = runWhile(client, tool, { description: "changed meanwhile" });
	await expect(answer).rejects.toMatchObject({ code: "TOOL_CHANGED" });
	expect(await getTool(client, tool)).toMatchObject({ last_run_status: null, is_current_hash_green: false });
	const { body } = await client.call<History>("GET", `/v1/agents/tools/${tool.id}/runs`);
	expect(body.items.map(({ content_hash }) => content_hash)).toEqual([tool.content_hash]);
});

test("renaming a tool during a run does not affect the run", async () => {
	const client = await createClient();
	const tool = await createRequest(client, { url: "https://api.example/" });
	expect((await runWhile(client, tool, { name: "renamed" })).status).toBe("succeeded");
});

/** Runs a tool and changes it before its endpoint answers. */
function runWhile(client: Client, { id }: Tool, change: object): Promise<RunResult> {
	const fetch = async () => {
		await client.call("PATCH", `/v1/agents/tools/${id}`, change);
		return new Response("{}");
	};
	return run({ ...client.ctx(), fetch }, id, INPUT);
}

test("the history lists each run, newest first, in pages", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await createRequest(client, {
		url: endpoint.url("echo"),
		...parameters({ n: { type: "integer" } }),
	});
	const ids = [];
	for (const n of [1, 2, 3]) ids.unshift((await runTool(client, tool, { n })).body.run_id);
	const path = `/v1/agents/tools/${tool.id}/runs?page_size=2`;
	const first = (await client.call<History>("GET", path)).body;
	const second = (await client.call<History>("GET", `${path}&page=2`)).body;
	expect(first.meta).toEqual({ page: 1, page_size: 2, total: 3, pages: 2 });
	expect([...first.items, ...second.items].map(({ run_id }) => run_id)).toEqual(ids);
	expect(first.items[0]).toMatchObject({
		...{ sample_input: { n: 3 }, content_hash: tool.content_hash, status: "succeeded" },
		actor: expect.stringMatching(/^api_key:/),
	});
});

test("running another organisation's tool is rejected like running an unknown one", async () => {
	const [owner, other] = [await createClient(), await createClient()];
	const endpoint = createEndpoint();
	const tool = await createRequest(owner, { url: endpoint.url("echo") });
	const headers = { "x-request-id": "same-for-both" };
	const ids = [tool.id, "01938f5e-7c00-7000-8000-000000000001"];
	for (const [method, verb, body] of [
		["POST", "run", INPUT],
		["GET", "runs", undefined],
	] as const) {
		const [foreign, unknown] = await Promise.all(
			ids.map(async (id) => {
				const answer = await other.call(method, `/v1/agents/tools/${id}/${verb}`, body, headers);
				return [answer.status, withoutId(answer.body, id)];
			}),
		);
		expect(foreign?.[0]).toBe(404);
		expect(foreign).toEqual(unknown);
	}
	expect(await endpoint.seen()).toEqual([]);
});

test("a run is recorded completely or not at all", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const { id } = await createRequest(client, { url: endpoint.url("echo") });
	expect(await breakEachWrite(env.DB, client.id, (db) => run(client.ctx(db), id, INPUT))).toBe(5);
});
