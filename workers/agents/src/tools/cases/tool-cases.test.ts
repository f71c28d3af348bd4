import type { AuditEntry } from "@parley/contracts/agents/audit-log";
import {
	type CreateToolCase,
	MAX_CASES_PER_TOOL,
	type RunToolCases,
	type ToolCase,
	type ToolCasesResult,
} from "@parley/contracts/agents/tool-cases";
import type { ToolRun } from "@parley/contracts/agents/tool-runs";
import type { PublishResult, Tool } from "@parley/contracts/agents/tools";
import { toolCases } from "@parley/db/agents/tool-cases";
import type { Database } from "@parley/db/client";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../../test/client.ts";
import { builtTool } from "../../../test/code-tools.ts";
import { createEndpoint } from "../../../test/endpoint.ts";
import { createRequest, createTool, parameters, putSecret, refusal, runTool } from "../../../test/tools.ts";
import { CURATED_TOOLS } from "../curated-tools.ts";
import { publishTool } from "../versions/publish-tool.ts";
import { findMock } from "./mocked-endpoint.ts";

const TOOLS = "/v1/agents/tools";
const CANARY = "s3cr3t-canary-91ab";

type NewCase = { [Field in keyof CreateToolCase]?: unknown };

const post = (client: Client, { id }: Tool, body: NewCase) =>
	client.call<ToolCase>("POST", `${TOOLS}/${id}/cases`, { name: crypto.randomUUID(), ...body });

async function addCase(client: Client, tool: Tool, body: NewCase = {}): Promise<ToolCase> {
	const { status, body: made } = await post(client, tool, body);
	expect(status).toBe(201);
	return made;
}

async function runCases(client: Client, { id }: Tool, body: Partial<RunToolCases>): Promise<ToolCasesResult> {
	const answer = await client.call<ToolCasesResult>("POST", `${TOOLS}/${id}/cases/run`, body);
	expect([answer.status, answer.body]).toEqual([200, answer.body]);
	return answer.body;
}

const weather = (client: Client, url: string, rest: object = {}): Promise<Tool> =>
	createRequest(client, { url, ...parameters({ city: { type: "string" } }, ["city"]), ...rest });

const OSLO: NewCase = {
	...{ name: "clear sky", arguments: { city: "Oslo" } },
	expect: { output_contains: { forecast: "clear" } },
	mock: { body: { forecast: "clear" } },
};

test("a case is created, listed, read, changed and deleted, and the audit log says so", async () => {
	const client = await createClient();
	const tool = await weather(client, "https://weather.example/");
	const made = await addCase(client, tool, OSLO);
	expect(made).toMatchObject({
		...{ tool_id: tool.id, name: "clear sky", arguments: { city: "Oslo" }, last_result: null },
		expect: { status: "succeeded", output_contains: { forecast: "clear" } },
		mock: { status: 200, body: { forecast: "clear" } },
	});
	const second = await addCase(client, tool, { expect: { status: "rejected" } });
	expect((await client.call("GET", `${TOOLS}/${tool.id}/cases`)).body).toEqual([made, second]);
	const path = `${TOOLS}/${tool.id}/cases/${made.id}`;
	const { body: changed } = await client.call<ToolCase>("PATCH", path, { mock: null });
	expect(changed).toEqual({ ...made, mock: null, updated_at: changed.updated_at });
	expect((await client.call("GET", path)).body).toEqual(changed);
	expect((await client.call("DELETE", path)).status).toBe(204);
	for (const method of ["GET", "PATCH", "DELETE"])
		expect(await refusal(client.call(method, path, method === "PATCH" ? {} : undefined))).toEqual([
			404,
			"RESOURCE_NOT_FOUND",
		]);
	const log = await client.call<{ items: AuditEntry[] }>("GET", "/v1/agents/audit-log");
	const actions = log.body.items.map(({ action }) => action).filter((action) => action.includes("case"));
	expect(actions).toEqual(["tool.case_delete", "tool.case_update", "tool.case_create", "tool.case_create"]);
});

test("a case that cannot be meant is rejected with the field's name", async () => {
	const client = await createClient();
	const tool = await weather(client, "https://weather.example/");
	const rejected: [NewCase, string][] = [
		[{ name: "" }, "name"],
		[{ arguments: [] }, "arguments"],
		[{ arguments: { city: "x".repeat(33_000) } }, "arguments"],
		[{ expect: { status: "ok" } }, "expect.status"],
		[{ expect: { output_equals: 1, output_contains: 1 } }, "expect.output_contains"],
		[{ expect: { status: "failed", output_equals: null } }, "expect.output_equals"],
		[{ expect: { output_schema: { type: "nothing" } } }, "expect.output_schema.type"],
		[{ expect: { output_equals: "x".repeat(66_000) } }, "expect"],
		[{ expect: { outputs: 1 } }, "expect.outputs"],
		[{ mock: { status: 302 } }, "mock.status"],
		[{ mock: { status: 199 } }, "mock.status"],
		[{ mock: { body: "x".repeat(66_000) } }, "mock"],
		[{ mock: { headers: {} } }, "mock.headers"],
	];
	for (const [body, field] of rejected) {
		const { status, body: answer } = await post(client, tool, body);
		expect([field, status, answer.error?.fields?.map(({ path }) => path)]).toEqual([field, 422, [field]]);
	}
	const deep = `{"name":"deep","arguments":{"a":${"[".repeat(1000)}${"]".repeat(1000)}}}`;
	expect(await refusal(client.call("POST", `${TOOLS}/${tool.id}/cases`, deep))).toEqual([
		422,
		"VALIDATION_FAILED",
	]);
	expect((await client.call<ToolCase[]>("GET", `${TOOLS}/${tool.id}/cases`)).body).toEqual([]);
});

test("a name is unique among the cases of one tool, and a tool has 50 cases at most", async () => {
	const client = await createClient();
	const [tool, other] = [
		await weather(client, "https://weather.example/"),
		await weather(client, "https://weather.example/"),
	];
	const { id } = await addCase(client, tool, { name: "twin" });
	await addCase(client, other, { name: "twin" });
	expect(await refusal(post(client, tool, { name: "twin" }))).toEqual([409, "TOOL_NAME_CONFLICT"]);
	const { id: second } = await addCase(client, tool);
	const rename = client.call("PATCH", `${TOOLS}/${tool.id}/cases/${second}`, { name: "twin" });
	expect(await refusal(rename)).toEqual([409, "TOOL_NAME_CONFLICT"]);
	const rows = Array.from({ length: MAX_CASES_PER_TOOL - 3 }, (_, index) => ({
		...{ organisationId: client.id, toolId: tool.id, id: `case-${index}`, name: `case-${index}` },
		...{ arguments: {}, expect: { status: "succeeded" as const }, createdBy: "test" },
		...{ createdAt: "2026-11-22T00:00:00.000Z", updatedAt: "2026-11-22T00:00:00.000Z" },
	}));
	for (const row of rows) await client.ctx().db.insert(toolCases).values(row);
	const answers = await Promise.all([post(client, tool, {}), post(client, tool, {})]);
	expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
	await client.call("DELETE", `${TOOLS}/${tool.id}/cases/${id}`);
	await addCase(client, tool);
});

test("a tool that cannot run by itself has no cases, and only a tool that sends requests has mocks", async () => {
	const client = await createClient();
	const curated = { id: CURATED_TOOLS[0]?.id } as Tool;
	expect(await refusal(post(client, curated, {}))).toEqual([403, "TOOL_READ_ONLY"]);
	const bound = await createTool(client, { tool_type: "end_call" });
	expect(await refusal(post(client, bound, {}))).toEqual([400, "TOOL_CONTEXT_BOUND"]);
	const code = await builtTool(client);
	const { body } = await post(client, code, { mock: {} });
	expect(body.error.fields?.map(({ path }) => path)).toEqual(["mock"]);
});

test("real cases call the endpoint, appear in the history and show where they differ", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	await putSecret(client, "TOKEN", CANARY);
	const tool = await weather(client, endpoint.url("echo"), {
		auth: { type: "bearer", secret_name: "TOKEN" },
	});
	await addCase(client, tool, { name: "right", arguments: { city: "Oslo" } });
	await addCase(client, tool, { name: "rejected", arguments: { town: 1 }, expect: { status: "rejected" } });
	await addCase(client, tool, {
		...{ name: "wrong", arguments: { city: "Bergen" } },
		expect: { output_contains: { method: "PUT", headers: { authorization: `Bearer ${CANARY}` } } },
	});
	const confirmed = { confirm_side_effects: true };
	expect(await refusal(client.call("POST", `${TOOLS}/${tool.id}/cases/run`, {}))).toEqual([
		422,
		"VALIDATION_FAILED",
	]);
	const result = await runCases(client, tool, confirmed);
	expect(result).toMatchObject({ passed: false, version_number: null, mocks: false });
	expect(result.cases.map(({ name, passed, status }) => [name, passed, status])).toEqual([
		["right", true, "succeeded"],
		["rejected", true, "rejected"],
		["wrong", false, "succeeded"],
	]);
	expect(result.cases[1]?.error?.message).toMatch(/^arguments/);
	expect(result.cases[2]?.diff).toEqual([
		{ path: "output.method", message: "Differs", expected: '"PUT"', actual: '"POST"' },
		{
			...{ path: "output.headers.authorization", message: "Differs" },
			...{ expected: '"Bearer [redacted]"', actual: '"Bearer [redacted]"' },
		},
	]);
	expect(JSON.stringify(result)).not.toContain(CANARY);
	const { items } = (await client.call<{ items: ToolRun[] }>("GET", `${TOOLS}/${tool.id}/runs`)).body;
	const runIds = result.cases.flatMap(({ run_id }) => run_id ?? []);
	expect(items.map(({ run_id }) => run_id).toSorted()).toEqual(runIds.toSorted());
	expect(await endpoint.seen()).toHaveLength(2);
	const { body: cases } = await client.call<ToolCase[]>("GET", `${TOOLS}/${tool.id}/cases`);
	expect(cases.map(({ last_result }) => last_result?.passed)).toEqual([true, true, false]);
});

test("mocked cases reach no endpoint, prove nothing and fail where a mock is missing", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await weather(client, endpoint.url("echo"));
	await addCase(client, tool, OSLO);
	await addCase(client, tool, {
		...{ name: "down", arguments: { city: "Oslo" }, mock: { status: 503, body: "down" } },
		expect: { status: "failed" },
	});
	await addCase(client, tool, {
		...{ name: "text", arguments: { city: "Oslo" }, mock: { body: "a clear sky" } },
		expect: { output_contains: "clear" },
	});
	await addCase(client, tool, { name: "bare", arguments: { city: "Oslo" } });
	const { cases, passed } = await runCases(client, tool, { mocks: true });
	expect(passed).toBe(false);
	expect(cases.map(({ name, passed, status, run_id }) => [name, passed, status, run_id])).toEqual([
		["clear sky", true, "succeeded", null],
		["down", true, "failed", null],
		["text", true, "succeeded", null],
		["bare", false, "not_run", null],
	]);
	expect(cases[3]?.error?.code).toBe("MOCK_MISSING");
	expect(await endpoint.seen()).toEqual([]);
	const after = (await client.call<Tool>("GET", `${TOOLS}/${tool.id}`)).body;
	expect([after.last_run_status, after.is_current_hash_green]).toEqual([null, false]);
	const { body } = await client.call<{ items: ToolRun[] }>("GET", `${TOOLS}/${tool.id}/runs`);
	expect(body.items).toEqual([]);
});

test("the most specific mock whose arguments all match answers a call", () => {
	const known = (args: object, body: string | null) => ({
		arguments: { ...args },
		mock: body === null ? null : { status: 200, body },
	});
	const cases = [
		known({}, "any"),
		known({ city: "Oslo" }, "Oslo"),
		known({ city: "Oslo", at: { day: 1, hour: 2 } }, "exact"),
		known({ city: "Oslo", days: 2 }, null),
	];
	const bodyFor = (args: object) => findMock(cases, { ...args })?.body;
	expect(bodyFor({ city: "Oslo", at: { hour: 2, day: 1 } })).toBe("exact");
	expect(bodyFor({ city: "Oslo", at: { hour: 3, day: 1 } })).toBe("Oslo");
	expect(bodyFor({ city: "Bergen" })).toBe("any");
	expect(findMock(cases.slice(1), { city: "Bergen" })).toBeUndefined();
	expect(findMock([], {})).toBeUndefined();
});

test("a version runs its cases as it was published, and the draft's results stay", async () => {
	const client = await createClient();
	const tool = await builtTool(client, { run: { output: { day: "first" } } });
	await addCase(client, tool, { expect: { output_equals: { day: "first" } } });
	const confirmed = { confirm_side_effects: true };
	expect((await runCases(client, tool, confirmed)).passed).toBe(true);
	await client.call("POST", `${TOOLS}/${tool.id}/publish`);
	const changed = JSON.stringify({ run: { output: { day: "second" } } });
	await client.call("PATCH", `${TOOLS}/${tool.id}`, { code_src: changed });
	await client.call("POST", `${TOOLS}/${tool.id}/introspect`);
	const draft = await runCases(client, tool, { mocks: true });
	expect(draft.cases[0]).toMatchObject({ passed: false, diff: [{ path: "output.day" }] });
	const version = await runCases(client, tool, { version_number: 1, ...confirmed });
	expect(version).toMatchObject({ passed: true, version_number: 1 });
	const { body: cases } = await client.call<ToolCase[]>("GET", `${TOOLS}/${tool.id}/cases`);
	expect(cases[0]?.last_result).toMatchObject({ passed: false, content_hash: draft.content_hash });
	expect(await refusal(client.call("POST", `${TOOLS}/${tool.id}/cases/run`, { version_number: 9 }))).toEqual([
		404,
		"RESOURCE_NOT_FOUND",
	]);
});

test("publishing with require_cases needs cases that have all passed on the current content", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await weather(client, endpoint.url("json?value=%7B%22forecast%22%3A%22clear%22%7D"));
	await runTool(client, tool, { city: "Oslo" });
	const publish = async () => {
		const path = `${TOOLS}/${tool.id}/publish`;
		const { status, body } = await client.call<PublishResult>("POST", path, { require_cases: true });
		return [status, body.version_number, body.checks.cases?.detail];
	};
	expect(await publish()).toEqual([409, null, "The tool has no cases"]);
	const { id } = await addCase(client, tool, OSLO);
	const open = "1 of 1 cases have not passed on the current content: clear sky";
	expect(await publish()).toEqual([409, null, open]);
	await runCases(client, tool, { mocks: true });
	await client.call("PATCH", `${TOOLS}/${tool.id}/cases/${id}`, { name: "clear sky" });
	expect(await publish()).toEqual([409, null, open]);
	await runCases(client, tool, { mocks: true });
	expect(await publish()).toEqual([200, 1, null]);
	await client.call("PATCH", `${TOOLS}/${tool.id}`, { description: "Another content" });
	await runTool(client, tool, { city: "Oslo" });
	expect(await publish()).toEqual([409, null, open]);
});

test("a case that fails while its tool is published stops the publication", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await weather(client, endpoint.url("echo"));
	await runTool(client, tool, { city: "Oslo" });
	const { id } = await addCase(client, tool, OSLO);
	await runCases(client, tool, { mocks: true });
	const db = client.ctx().db;
	// The case loses its result after the gate was checkOutput and before the version is written.
	const forget = db
		.update(toolCases)
		.set({ lastResult: null })
		.where(and(eq(toolCases.organisationId, client.id), eq(toolCases.id, id)));
	const ctx = client.ctx(runningFirst(db, () => forget));
	const result = await publishTool(ctx, tool.id, { require_cases: true });
	expect(result).toMatchObject({ published: false, checks: { cases: { passed: false } } });
});

test("another organisation neither sees nor runs a tool's cases", async () => {
	const [client, stranger] = [await createClient(), await createClient()];
	const tool = await weather(client, "https://weather.example/");
	const { id } = await addCase(client, tool, OSLO);
	const own = await weather(stranger, "https://weather.example/");
	const paths: [string, string][] = [
		["GET", `${TOOLS}/${tool.id}/cases`],
		["GET", `${TOOLS}/${tool.id}/cases/${id}`],
		["GET", `${TOOLS}/${own.id}/cases/${id}`],
		["DELETE", `${TOOLS}/${own.id}/cases/${id}`],
		["POST", `${TOOLS}/${tool.id}/cases/run`],
	];
	for (const [method, path] of paths)
		expect(await refusal(stranger.call(method, path))).toEqual([404, "RESOURCE_NOT_FOUND"]);
	expect((await client.call("GET", `${TOOLS}/${tool.id}/cases/${id}`)).status).toBe(200);
});

/** The database with work that is done before the first batch. */
const runningFirst = (db: Database, work: () => PromiseLike<unknown>): Database =>
	new Proxy(db, {
		get: (target, key) =>
			key === "batch"
				? async (...args: Parameters<Database["batch"]>) => {
						await work();
						return target.batch(...args);
					}
				: Reflect.get(target, key, target),
	});
