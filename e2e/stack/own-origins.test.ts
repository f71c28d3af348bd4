// What a tenant's URL must never reach: the stack's own ports, and the paths where the local simulator answers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startLoopback } from "@parley/testing/loopback";
import { afterAll, describe, expect, inject, test } from "vitest";
import { call, finished } from "../batch/batch-client.ts";

const EXPLORER = "/cdn-cgi/local/explorer/api/d1/database";
const { port: front } = new URL(inject("baseUrl"));
const ownPorts = settingsOf("agents").EGRESS_OWN_PORTS?.split(",") ?? [];

/** Redirects to the URL in its query, and counts what else arrives. */
const strangers: string[] = [];
const redirector = await startLoopback((request, response) => {
	const to = new URL(request.url ?? "", "http://redirector").searchParams.get("to");
	if (to === null) strangers.push(request.url ?? "");
	response.writeHead(to === null ? 200 : 307, to === null ? {} : { location: to }).end("{}");
});
afterAll(() => redirector.stop());
const redirected = (to: string) => `${redirector.url}/?to=${encodeURIComponent(to)}`;

/** Aliases of loopback, spellings of the path, and every port that the stack listens on. */
const TARGETS: [name: string, url: string][] = [
	...["127.0.0.1", "localhost", "127.0.0.2", "[::1]", "2130706433", "a.localhost"].map(
		(host): [string, string] => [`the explorer at ${host}`, `http://${host}:${front}${EXPLORER}`],
	),
	["its API", `http://127.0.0.1:${front}/v1/me`],
	...[
		...[EXPLORER, "/CDN-cgi/local/explorer", "/%63dn-cgi%2Flocal/explorer", "/a/..%2fcdn-cgi/local/explorer"],
		...["/cdn-cgi/local/r2/public/parley-media/x", "/cdn-cgi/local/scheduled", "/cdn-cgi/explorer"],
	].map((path): [string, string] => [`the path ${path}`, redirector.url + path]),
	...ownPorts.map((port, index): [string, string] => [`port ${index + 1}`, `http://localhost:${port}/`]),
];

function settingsOf(worker: string): Record<string, string> {
	return JSON.parse(readFileSync(join(inject("state"), `config/${worker}/wrangler.json`), "utf8")).vars;
}

const agents = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
	call<T>(method, `/v1/agents${path}`, body, {
		headers: { authorization: `Bearer ${inject("keys").api_key}` },
	});

async function runTool(url: string, headers: object[] = []) {
	const { body: tool } = await agents<{ id: string }>("POST", "/tools", {
		name: `own_${crypto.randomUUID().replaceAll("-", "")}`,
		tool_type: "api_request",
		config: { type: "api_request", url, headers, parameters: { type: "object", properties: {} } },
	});
	const { body } = await agents<{ status: string; error: { code: string; message: string } }>(
		"POST",
		`/tools/${tool.id}/run`,
		{ sample_input: {}, confirm_side_effects: true },
	);
	return body;
}

async function connect(url_template: string) {
	const { body: server } = await agents<{ id: string }>("POST", "/mcp-servers", {
		name: crypto.randomUUID(),
		url_template,
	});
	const { body } = await agents<{ error: object }>("POST", `/mcp-servers/${server.id}/connect`);
	return body;
}

test("the ports of every process are known to every worker that sends requests", () => {
	const [engine] = JSON.parse(settingsOf("batch").SPEECH_ENGINES ?? "[]");
	expect(ownPorts).toEqual(expect.arrayContaining([front, new URL(engine.base_url).port]));
	expect(ownPorts).toHaveLength(3);
	for (const worker of ["platform", "batch", "transcriber", "python"])
		expect(settingsOf(worker).EGRESS_OWN_PORTS, worker).toBe(ownPorts.join(","));
});

test.each([EXPLORER, "/cdn-cgi/explorer/api/d1/database"])(
	"the simulator's explorer is off at %s",
	async (path) => {
		expect((await fetch(inject("baseUrl") + path)).status).toBe(404);
	},
);

/** Two ways to a target: at once, and by a redirect. */
const waysTo = (target: string) => [target, redirected(target)];

describe("tenants and the stack itself", () => {
	test.each(TARGETS)("a tool does not reach %s", async (_, target) => {
		for (const url of waysTo(target))
			expect(await runTool(url), url).toMatchObject({ status: "failed", error: { code: "BLOCKED_ADDRESS" } });
	});

	test.each(TARGETS)("an MCP connection does not reach %s", async (_, target) => {
		const { status, body } = await agents("POST", "/mcp-servers", {
			...{ name: crypto.randomUUID(), url_template: target },
		});
		expect([status, body]).toMatchObject([422, { error: { fields: [{ path: "url_template" }] } }]);
		expect(await connect(redirected(target))).toMatchObject({ error: { code: "blocked_address" } });
	});

	test("the input of a job reaches none of them", async () => {
		const ends = TARGETS.map(async ([, target]) => {
			const refused = await call("POST", "/v1/batch/jobs", { input_url: target });
			expect(refused, target).toMatchObject({
				...{ status: 400, body: { error: expect.stringMatching(/^input_url: /) } },
			});
			const { body } = await call<{ job_id: string }>("POST", "/v1/batch/jobs", {
				input_url: redirected(target),
			});
			expect(await finished(body.job_id), target).toMatchObject({
				...{ status: "FAILED", error: { code: "input_blocked_address" } },
			});
		});
		await Promise.all(ends);
	}, 240_000);

	test.each(TARGETS)("a webhook does not reach %s", async (_, target) => {
		const refused = await call("POST", "/v1/batch/jobs", {
			input_url: "https://host.example/a.wav",
			notification_config: [{ url: target }],
		});
		expect(refused).toMatchObject({
			...{ status: 400, body: { error: expect.stringMatching(/^notification_config.0.url: /) } },
		});
	});

	test.each(TARGETS)("a recording that is transcribed at once does not come from %s", async (_, target) => {
		const headers = { authorization: `Bearer ${inject("keys").api_key}` };
		for (const url of waysTo(target))
			expect(await call("POST", "/v1/stt/parley/pocketsphinx-en-us", { url }, { headers })).toMatchObject({
				...{ status: 422, body: { error: { fields: [{ path: "url" }] } } },
			});
	});
});

test("a header that names the simulator another URL is not sent", async () => {
	const headers = [{ name: "MF-Original-URL", value: `http://localhost${EXPLORER}` }];
	expect(await runTool(`${redirector.url}/x`, headers)).toMatchObject({ status: "failed" });
});

test("nothing of all this arrived at a server beside the stack, which tools still reach", async () => {
	expect(strangers).toEqual([]);
	expect(await runTool(`${redirector.url}/legitimate`)).toMatchObject({ status: "succeeded" });
	expect(strangers).toEqual(["/legitimate"]);
});
