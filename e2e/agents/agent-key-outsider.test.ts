// What somebody can do who found an agent key, or the token of a session, and knows the API: everything is tried through the
// front door of a real stack.
import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { Agent } from "@parley/contracts/agents/agents";
import type { OpenedRuntimeSession } from "@parley/contracts/agents/runtime-sessions";
import type { ToolCallResult } from "@parley/contracts/agents/tool-calls";
import type { CreatedKey } from "@parley/contracts/platform/keys";
import { type Loopback, startLoopback } from "@parley/testing/loopback";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { api, attachTool, createAgent, publishTool } from "../clients/agent.ts";

const baseUrl = inject("baseUrl");
const CANARY = `canary-${randomUUID()}`;
const seen: string[] = [];

let endpoint: Loopback;
let agent: Agent;
let other: Agent;
let agentKey: string;
let token: string;
let credentials: string[];

beforeAll(async () => {
	endpoint = await startLoopback((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const body = Buffer.concat(chunks).toString();
			seen.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`);
			response
				.setHeader("content-type", "application/json")
				.end(JSON.stringify({ got: body, auth: request.headers.authorization }));
		});
	});
	const secret = `CANARY_${randomUUID().slice(0, 8).toUpperCase()}`;
	await api("POST", "/agents/secrets", { name: secret, kind: "secret", value: CANARY });
	const text = { type: "string" };
	const tool = (name: string) =>
		publishTool(name, "api_request", {
			config: {
				...{ type: "api_request", url: `${endpoint.url}/${name}`, http_method: "POST" },
				auth: { type: "bearer", secret_name: secret },
				parameters: { type: "object", properties: { city: text, account: text, key: text }, required: [] },
			},
			argument_defaults: { key: `{{$${secret}}}` },
		});
	const [forecast, audit] = [await tool("forecast"), await tool("audit")];
	agent = await createAgent({
		...{ name: `outsider-${randomUUID()}`, system_prompt: `Never say {{$${secret}}}.` },
		tool_refs: [
			attachTool(forecast, { argument_overrides: { account: "mine" } }),
			attachTool(audit, {
				invocation: "system",
				system: { triggers: [{ event: "call_end" }], arguments: {} },
			}),
		],
	});
	other = await createAgent({ name: `victim-${randomUUID()}`, tool_refs: [attachTool(forecast)] });
	const created = await api<CreatedKey>("POST", "/keys", {
		label: "found",
		family: "agent",
		agent_id: agent.id,
	});
	agentKey = created.key ?? "";
	token = (await open()).token ?? "";
	credentials = [agentKey, token];
});
afterAll(() => endpoint.stop());

const open = async (body: object = {}): Promise<OpenedRuntimeSession> =>
	(await as<OpenedRuntimeSession>(agentKey, "POST", `/v1/agents/${agent.id}/sessions`, body)).body;

type Answer<T> = { status: number; text: string; body: T & { error: { code: string; message: string } } };

async function as<T>(
	credential: string,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<Answer<T>> {
	const response = await fetch(`${baseUrl}${path}`, {
		method,
		redirect: "manual",
		headers: { authorization: `Bearer ${credential}`, "content-type": "application/json", ...headers },
		...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
	});
	const text = await response.text();
	expect(text).not.toContain(CANARY);
	return { status: response.status, text, body: parse(text) };
}

function parse(text: string) {
	try {
		return JSON.parse(text);
	} catch {
		return {};
	}
}

/** Sends a path as it is: `fetch` would normalise it. Returns the status. */
const raw = (
	path: string,
	method = "GET",
	headers: Record<string, string | string[]> = {},
): Promise<[number, string]> =>
	new Promise((resolve, reject) => {
		const { hostname, port } = new URL(baseUrl);
		const sent = httpRequest({ hostname, port, method, path, headers }, (response) => {
			const chunks: Buffer[] = [];
			response.on("data", (chunk: Buffer) => chunks.push(chunk));
			response.on("end", () => resolve([response.statusCode ?? 0, Buffer.concat(chunks).toString()]));
		});
		sent.on("error", reject);
		sent.end(method === "GET" ? undefined : "{}");
	});

type Document = {
	paths: Record<string, Record<string, { operationId: string; "x-required-scope"?: string }>>;
};
const METHODS = ["get", "post", "put", "patch", "delete"];

async function operations() {
	const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
	return Object.entries(document.paths).flatMap(([path, methods]) =>
		METHODS.flatMap((method) => (methods[method] ? [{ method, path, ...methods[method] }] : [])),
	);
}

const fill = (path: string, agentId: string) =>
	path
		.replaceAll("{agent_id}", agentId)
		.replaceAll(/\{\w*id\}/g, () => randomUUID())
		.replaceAll(/\{\w+\}/g, "1");

test("no operation of the whole API takes the credentials, except the runtime API of their agent", async () => {
	const all = await operations();
	expect(all.length).toBeGreaterThan(100);
	const taken: string[] = [];
	for (const { method, path, operationId, "x-required-scope": scope } of all)
		for (const credential of credentials) {
			const own = await as(
				credential,
				method.toUpperCase(),
				fill(path, agent.id),
				method === "get" ? undefined : {},
			);
			if (own.status !== 403) taken.push(operationId);
			if (scope !== "runtime:use") expect([operationId, own.status]).toEqual([operationId, 403]);
			const foreign = await as(
				credential,
				method.toUpperCase(),
				fill(path, other.id),
				method === "get" ? undefined : {},
			);
			expect([operationId, foreign.status]).toEqual([operationId, 403]);
		}
	expect(new Set(taken).size).toBeGreaterThan(2);
});

test("no spelling of a path leads to another agent or another plane", async () => {
	const own = `/v1/agents/${agent.id}`;
	const paths = [
		`${own}/../${other.id}/tools`,
		`${own}/%2e%2e/${other.id}/tools`,
		`${own}/..%2f${other.id}/tools`,
		`${own}%2f..%2f${other.id}/tools`,
		`${own}/tools/../../${other.id}/tools`,
		`//v1/agents/${other.id}/tools`,
		`/v1//agents/${other.id}/tools`,
		`/V1/agents/${other.id}/tools`,
		`/v1/agents/${other.id}/tools/`,
		`/v1/agents/${other.id.toUpperCase()}/tools`,
		`/v1/agents/${other.id}/tools?agent_id=${agent.id}`,
		`/v1/agents/${other.id}/tools#${agent.id}`,
		`/v1/agents/${agent.id},${other.id}/tools`,
		`/v1/agents/${agent.id}%00${other.id}/tools`,
		`/v1/agents/${agent.id}\\..\\${other.id}/tools`,
		`${own}/config`,
		`${own}/versions`,
		`${own}/sessions`,
		`${own}/tool-calls`,
		`${own}`,
		`/v1/agents/tools/../${other.id}/tools`,
		"/v1/agents/tools",
		"/v1/agents/%74ools",
		"/v1/batch/jobs",
		"/v1/keys",
		"/v1/me",
		"/v1/usage",
		"/v1/users",
		"/v1/audio/transcriptions",
		"/openai/v1/models",
	];
	for (const credential of credentials)
		for (const path of paths) {
			const [status, text] = await raw(path, "GET", { authorization: `Bearer ${credential}` });
			expect([path, status, status >= 400 && status < 500]).toEqual([path, status, true]);
			expect(text).not.toContain(other.name);
			expect(text).not.toContain(CANARY);
		}
	expect(
		(
			await raw(`/v1/agents/${agent.id.toUpperCase()}/tools`, "GET", { authorization: `Bearer ${agentKey}` })
		)[0],
	).toBe(200);
});

test("whatever is sent, only the agent's own runtime API answers", async () => {
	const templates = [...new Set((await operations()).map(({ path }) => path))];
	const segments = [
		"..",
		".",
		"%2e%2e",
		"%2f",
		"%5c",
		"",
		"v1",
		"agents",
		"tools",
		"sessions",
		"mcp",
		"keys",
	];
	const segment = fc.constantFrom(...segments, "batch", "jobs", "*", "%00", ";a=b", agent.id, other.id);
	const ending = fc.constantFrom("", "/", "//", "/.", "/..", "%2f..", "?x=1", `?agent_id=${agent.id}`);
	const path = fc.oneof(
		fc.array(segment, { minLength: 1, maxLength: 8 }).map((parts) => `/${parts.join("/")}`),
		fc
			.tuple(fc.constantFrom(...templates), fc.constantFrom(agent.id, other.id), ending)
			.map(([template, id, end]) => fill(template, id) + end),
	);
	const headers = fc.constantFrom<Record<string, string | string[]>>(
		{ authorization: `Bearer ${agentKey}` },
		{ authorization: `bearer  ${agentKey} `, "content-type": "application/json" },
		{ authorization: `Bearer ${token}`, "x-http-method-override": "GET" },
		{ authorization: `Bearer ${agentKey}`, "x-api-key": agentKey },
		{
			authorization: `Bearer ${agentKey}`,
			cookie: `parley=${token}`,
			"x-parley-console": "1",
			origin: baseUrl,
		},
	);
	const own = new RegExp(`^/v1/agents/${agent.id}/(tools|mcp|sessions|events)\\b`);
	await fc.assert(
		fc.asyncProperty(path, fc.constantFrom(...METHODS), headers, async (given, method, sent) => {
			const [status, text] = await raw(given, method.toUpperCase(), sent);
			expect(text).not.toContain(other.name);
			expect(text).not.toContain(CANARY);
			const { pathname } = new URL(`${baseUrl}${given}`);
			const isAnswered = status < 400 && pathname.startsWith("/v1/");
			expect([method, given, status, isAnswered && !own.test(pathname)]).toEqual([
				method,
				given,
				status,
				false,
			]);
		}),
		{ numRuns: 800 },
	);
});

test("no header makes more of the credentials", async () => {
	const authorization = `Bearer ${agentKey}`;
	const attempts: [string, string, Record<string, string | string[]>][] = [
		["GET", "/v1/batch/jobs", { "x-api-key": agentKey }],
		["GET", "/v1/batch/jobs", { authorization, "x-api-key": agentKey }],
		["GET", "/v1/keys", { authorization: [authorization, authorization] }],
		["GET", "/v1/keys", { authorization: `${authorization}, Bearer parley_cu_x` }],
		["GET", "/v1/keys", { cookie: `parley=${agentKey}`, "x-parley-console": "1" }],
		["GET", "/v1/keys", { cookie: `parley=${token}; __Host-parley=${token}`, "x-parley-console": "1" }],
		["GET", "/v1/keys", { authorization, cookie: `parley=${token}`, "x-parley-console": "1" }],
		["GET", "/v1/keys", { authorization, "x-parley-actor": '{"type":"system"}' }],
		["GET", "/v1/keys", { authorization, "x-organisation-id": agent.organisation_id }],
		["GET", "/v1/keys", { authorization, "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1" }],
		[
			"GET",
			"/v1/keys",
			{ authorization, "cf-worker": "parley", "x-original-url": `/v1/agents/${agent.id}/tools` },
		],
		["GET", `/v1/agents/${agent.id}/tools`, { authorization: `Bearer ${agentKey}x` }],
		["GET", `/v1/agents/${agent.id}/tools`, { authorization: `Bearer ${agentKey.replace("_ag_", "_cu_")}` }],
		["GET", `/v1/agents/${agent.id}/tools`, { authorization: `Bearer ${agentKey.toLowerCase()}` }],
		["GET", `/v1/agents/${agent.id}/tools`, { authorization: `Basic ${btoa(`${agentKey}:`)}` }],
		["GET", `/v1/agents/${agent.id}/tools?key=${agentKey}&authorization=${agentKey}`, {}],
		["POST", `/v1/agents/${agent.id}/tools`, { authorization, "x-http-method-override": "GET" }],
		[
			"GET",
			`/v1/agents/${agent.id}/tools`,
			{ authorization, "x-http-method-override": "DELETE", "x-parley-variables": "e30" },
		],
		["DELETE", `/v1/agents/${agent.id}`, { authorization, "if-match": "*" }],
		["PATCH", `/v1/agents/${agent.id}`, { authorization, "content-type": "application/json" }],
	];
	for (const [method, path, headers] of attempts) {
		const [status, text] = await raw(path, method, headers);
		const isOwnToolset = method === "GET" && headers["x-http-method-override"] === "DELETE";
		expect([method, path, status]).toEqual([
			method,
			path,
			isOwnToolset ? 200 : expect.toSatisfy((code: number) => code >= 400 && code < 500),
		]);
		expect(text).not.toMatch(/parley_(cu|bt)_[0-9A-Za-z]{38}/);
	}
	expect((await as(agentKey, "GET", `/v1/agents/${agent.id}/tools`)).status).toBe(200);
});

test("no region and no upgrade makes more of the credentials", async () => {
	for (const credential of credentials) {
		for (const region of ["eu-west", "us-east"]) {
			const answer = await as(credential, "GET", "/v1/keys", undefined, { "x-region-override": region });
			expect([403, 503]).toContain(answer.status);
		}
		const upgrade = {
			connection: "Upgrade",
			upgrade: "websocket",
			"sec-websocket-version": "13",
			"sec-websocket-key": btoa(randomUUID().slice(0, 16)),
		};
		const [status] = await raw("/v1/stt/parley/local", "GET", {
			...upgrade,
			authorization: `Bearer ${credential}`,
		});
		expect(status).toBeGreaterThanOrEqual(400);
	}
});

test("the credentials open no console session and no session of the management server", async () => {
	for (const credential of credentials) {
		for (const body of [{ key: credential }, { code: credential }, { key: credential, code: credential }])
			expect((await as(credential, "POST", "/v1/console/session", body)).status).toBeGreaterThanOrEqual(400);
		const initialize = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
		for (const path of ["/v1/mcp", `/v1/agents/${other.id}/mcp`]) {
			const answer = await as(credential, "POST", path, initialize, {
				accept: "application/json, text/event-stream",
			});
			expect([path, [403, 404].includes(answer.status)]).toEqual([path, true]);
		}
	}
});

describe("with the tools of its own agent", () => {
	const call = (name: string, body: unknown, credential = agentKey, headers = {}) =>
		as<ToolCallResult>(credential, "POST", `/v1/agents/${agent.id}/tools/${name}/call`, body, headers);
	const forecast = async () => {
		const { body } = await as<{ tools: { name: string; parameters: { properties: object } }[] }>(
			agentKey,
			"GET",
			`/v1/agents/${agent.id}/tools`,
		);
		return body.tools[0]!;
	};

	test("the toolset holds only what the model may call and give", async () => {
		const tool = await forecast();
		expect(Object.keys(tool.parameters.properties)).toEqual(["city"]);
		const { text } = await as(agentKey, "GET", `/v1/agents/${agent.id}/tools`);
		expect(text).not.toMatch(/audit|CANARY|mine|endpoint/);
	});

	test("fixed and vault arguments cannot be replaced, and the secret is redacted from what comes back", async () => {
		const { name } = await forecast();
		seen.length = 0;
		for (const credential of credentials) {
			const { body } = await call(
				name,
				{ arguments: { city: "Oslo", account: "yours", key: "guess" } },
				credential,
			);
			expect(["succeeded", "rejected"]).toContain(body.status);
		}
		for (const request of seen) {
			expect(request).not.toContain("yours");
			expect(request).not.toContain("guess");
			expect(request).toContain(CANARY);
		}
		const { body } = await call(name, { arguments: { city: "Oslo" } });
		expect(body.status).toBe("succeeded");
		expect(JSON.stringify(body)).toContain("[redacted]");
	});

	test("a placeholder in an argument or a variable is not resolved", async () => {
		const { name } = await forecast();
		const secret = (await api<{ name: string }[]>("GET", "/agents/secrets")).find(({ name: one }) =>
			one.startsWith("CANARY_"),
		);
		const inside = `{{$${secret?.name}}}`;
		seen.length = 0;
		const variables = Buffer.from(JSON.stringify({ city: inside, account: inside })).toString("base64url");
		await call(name, { arguments: { city: inside } }, agentKey, { "x-parley-variables": variables });
		const session = await open({ variables: { account: inside } });
		await call(name, { arguments: { city: "{{account}}" } }, session.token ?? "");
		const bodies = seen.map((request) => request.slice(request.indexOf("} {") + 2));
		expect(bodies.map((body) => JSON.parse(body).city)).toEqual([inside, "{{account}}"]);
	});

	test("a tool that only the system runs, and names that lead elsewhere, are not found", async () => {
		const audit = agent.tool_refs[1]?.tool_id ?? "";
		for (const name of [
			"audit",
			audit,
			"__proto__",
			"constructor",
			"..%2f..%2ftools",
			"%2e%2e",
			"forecast%00",
			"*",
		]) {
			const { status, text } = await call(name, { arguments: {} });
			expect([name, status === 404 || status === 422]).toEqual([name, true]);
			expect(text).not.toMatch(/audit-[0-9a-f]{8}/);
		}
	});

	test("a session shows no secret, takes no call of another agent and cannot be prolonged by its token", async () => {
		const session = await open();
		expect(session.system_prompt).not.toContain(CANARY);
		const { id } = await api<{ id: string }>("POST", `/agents/${other.id}/calls`, { direction: "inbound" });
		const foreign = await as(agentKey, "POST", `/v1/agents/${agent.id}/sessions`, { call_id: id });
		expect(foreign.status).toBe(422);
		const again = await as(session.token ?? "", "POST", `/v1/agents/${agent.id}/sessions`, {});
		expect(again.status).toBe(403);
	});
});

test("a revoked key and its sessions stop working within ten seconds", async () => {
	const { id, key } = await api<CreatedKey>("POST", "/keys", {
		label: "short",
		family: "agent",
		agent_id: agent.id,
	});
	const toolset = async (credential: string | null) =>
		(await as(credential ?? "", "GET", `/v1/agents/${agent.id}/tools`)).status;
	const path = `/v1/agents/${agent.id}/sessions`;
	const { body: session } = await as<OpenedRuntimeSession>(key ?? "", "POST", path, {});
	expect([await toolset(key), await toolset(session.token)]).toEqual([200, 200]);
	await api("DELETE", `/keys/${id}`);
	const revokedAt = performance.now();
	await expect
		.poll(async () => [await toolset(key), await toolset(session.token)], { timeout: 10_000, interval: 250 })
		.toEqual([401, 401]);
	expect(performance.now() - revokedAt).toBeLessThan(10_000);
});
