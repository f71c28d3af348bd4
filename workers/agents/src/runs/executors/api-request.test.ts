import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { dump } from "@parley/testing/broken-batch";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/client.ts";
import { createEndpoint } from "../../../test/endpoint.ts";
import { createRequest, parameters, putSecret, runTool } from "../../../test/tools.ts";
import { runTool as run } from "../run-tool.ts";

const SECRET = "s3cr3t-canary-9c2e71";
const TEXT = { type: "string" };

async function calling(config: object, input: object = {}, client?: Client, rest: object = {}) {
	const owner = client ?? (await createClient());
	const endpoint = createEndpoint();
	const { behaviour = "echo", ...others } = config as { behaviour?: string };
	const tool = await createRequest(owner, { url: endpoint.url(behaviour), ...others }, rest);
	const { status, body } = await runTool(owner, tool, input);
	return { status, body, seen: await endpoint.seen(), tool };
}

async function withSecret(): Promise<Client> {
	const client = await createClient();
	await putSecret(client, "TOKEN", SECRET);
	return client;
}

describe("the address", () => {
	test("takes arguments and variables in its path and query, percent-encoded", async () => {
		const client = await createClient();
		await putSecret(client, "REGION", "eu/west &1", "variable");
		const config = {
			behaviour: "echo/{{id}}/x?region={{$REGION}}&q={{ q }}",
			...parameters({ id: TEXT, q: TEXT, rest: TEXT }),
		};
		const { seen } = await calling(config, { id: "a/b?c", q: "d&e=f", rest: "g" }, client);
		expect(seen[0]?.path).toMatch(/\/echo\/a%2Fb%3Fc\/x\?region=eu%2Fwest%20%261&q=d%26e%3Df$/);
	});

	test.each(["GET", "DELETE"])(
		"of %s gets arguments that are not in the path as query values",
		async (http_method) => {
			const config = {
				...{ behaviour: "echo/{{id}}?fixed=a%20b", http_method },
				...parameters({ id: TEXT, n: { type: "number" }, list: { type: "array" } }),
			};
			const { seen } = await calling(config, { id: "1", n: 2.5, list: ["é"] });
			expect(seen[0]).toMatchObject({ method: http_method, body: "" });
			expect(seen[0]?.path).toMatch(/\/echo\/1\?fixed=a%20b&n=2\.5&list=%5B%22%C3%A9%22%5D$/);
		},
	);

	test.each([[{}], [{ id: ".." }], [{ id: "" }]])(
		"rejects %j, which would change its path",
		async (input) => {
			const { status, body, seen } = await calling(
				{ behaviour: "echo/{{id}}", ...parameters({ id: TEXT }) },
				input,
			);
			expect(status).toBe(422);
			expect(body.error).toMatchObject({ fields: [{ path: "sample_input.id" }] });
			expect(seen).toEqual([]);
		},
	);

	test("never accepts a secret", async () => {
		const client = await withSecret();
		const { body, seen } = await calling({ behaviour: "echo?key={{$TOKEN}}" }, {}, client);
		expect(body).toMatchObject({ status: "failed", error: { code: "SECRET_IN_URL" } });
		expect(seen).toEqual([]);
	});

	test.each([
		"https://10.0.0.1/",
		"https://169.254.169.254/latest/meta-data/",
		"https://0xa9fea9fe/",
		"https://[::ffff:10.0.0.1]/",
		"https://metadata.google.internal/",
	])("%s is never called", async (url) => {
		const client = await createClient();
		const { body } = await runTool(client, await createRequest(client, { url }));
		expect(body).toMatchObject({ status: "failed", error: { code: "BLOCKED_ADDRESS" } });
	});

	test("is checked again after a redirect", async () => {
		const { body } = await calling({ behaviour: "redirect?to=http%3A%2F%2F10.0.0.1%2F", http_method: "GET" });
		expect(body).toMatchObject({ status: "failed", error: { code: "BLOCKED_ADDRESS" } });
	});
});

describe("the credentials", () => {
	test("sent as bearer appear in no answer and no row", async () => {
		const client = await withSecret();
		const auth = { type: "bearer", secret_name: "TOKEN" };
		const { seen, body } = await calling({ auth }, {}, client);
		expect(seen[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
		expect(body).toMatchObject({
			status: "succeeded",
			output_json: { headers: { authorization: "Bearer [redacted]" } },
		});
		expect(JSON.stringify(body) + (await dump(env.DB, client.id))).not.toContain(SECRET);
	});

	test("sent as header use the configured name", async () => {
		const client = await withSecret();
		const auth = { type: "header", header_name: "X-Api-Key", secret_name: "TOKEN" };
		expect((await calling({ auth }, {}, client)).seen[0]?.headers["x-api-key"]).toBe(SECRET);
	});

	test.each(["raw", "envelope"])("sent as hmac sign the exact body, %s", async (body_format) => {
		const client = await withSecret();
		const auth = { type: "hmac", secret_name: "TOKEN" };
		const { seen } = await calling({ auth, body_format, ...parameters({ q: TEXT }) }, { q: "é" }, client);
		const signature = createHmac("sha256", SECRET).update(seen[0]!.body).digest("hex");
		expect(seen[0]?.headers["x-signature-256"]).toBe(`sha256=${signature}`);
		expect(JSON.stringify(seen[0])).not.toContain(SECRET);
	});

	test("headers hold literal values, templates or secrets", async () => {
		const client = await withSecret();
		const headers = [
			{ name: "X-Plain", value: "plain" },
			{ name: "X-Key", value: "key={{$TOKEN}}" },
			{ name: "X-Secret", secret_name: "TOKEN" },
			{ name: "Accept", value: "application/vnd.x+json" },
		];
		const { seen } = await calling({ headers }, {}, client);
		expect(seen[0]?.headers).toMatchObject({
			...{ "x-plain": "plain", "x-key": `key=${SECRET}`, "x-secret": SECRET },
			accept: "application/vnd.x+json",
		});
	});

	test("do not follow a redirect to another host", async () => {
		const client = await withSecret();
		const target = createEndpoint();
		const to = encodeURIComponent(target.url("echo").replace("127.0.0.1", "localhost"));
		const headers = [{ name: "X-Secret", secret_name: "TOKEN" }];
		const auth = { type: "bearer", secret_name: "TOKEN" };
		const config = { behaviour: `redirect?to=${to}`, http_method: "GET", auth, headers };
		expect((await calling(config, {}, client)).body.status).toBe("succeeded");
		expect((await target.seen())[0]?.headers).not.toMatchObject({ authorization: expect.anything() });
		expect(JSON.stringify(await target.seen())).not.toContain(SECRET);
	});

	test.each([
		["missing", undefined],
		["a variable", "variable"],
	] as const)("that are %s fail the run before anything is sent", async (_, kind) => {
		const client = await createClient();
		if (kind) await putSecret(client, "TOKEN", SECRET, kind);
		const { body, seen } = await calling({ auth: { type: "bearer", secret_name: "TOKEN" } }, {}, client);
		expect(body).toMatchObject({
			status: "failed",
			error: { code: "MISSING_VAULT_ENTRY" },
			proven_hash: null,
		});
		expect(seen).toEqual([]);
	});

	test("fail the run without being quoted if a header cannot contain them", async () => {
		const client = await createClient();
		await putSecret(client, "TOKEN", `${SECRET}\r\nx-injected: 1`);
		const { body, seen } = await calling({ auth: { type: "bearer", secret_name: "TOKEN" } }, {}, client);
		expect(body).toMatchObject({ status: "failed", error: { code: "INVALID_HEADER" } });
		expect(JSON.stringify(body)).not.toContain(SECRET);
		expect(seen).toEqual([]);
	});
});

describe("the arguments", () => {
	test("get their defaults if omitted, literal or from the vault", async () => {
		const client = await withSecret();
		const defaults = { argument_defaults: { n: 3, key: "{{$TOKEN}}", q: "unused" } };
		const config = parameters({ n: { type: "integer" }, key: TEXT, q: TEXT }, ["n", "key"]);
		const { seen, body } = await calling(config, { q: "given" }, client, defaults);
		// Defaults come first, so that no length of a given argument moves a secret.
		expect(Object.entries(JSON.parse(seen[0]!.body))).toEqual(
			Object.entries({ n: 3, key: SECRET, q: "given" }),
		);
		expect(JSON.stringify(body)).not.toContain(SECRET);
	});

	test("arguments with an invalid default are rejected without quoting the secret", async () => {
		const client = await createClient();
		await putSecret(client, "PIN", "918273645");
		const defaults = { argument_defaults: { pin: "{{$PIN}}" } };
		const config = parameters({ pin: { type: "string", maxLength: 3 } });
		const { status, body } = await calling(config, {}, client, defaults);
		expect(status).toBe(422);
		expect(body.error).toMatchObject({ fields: [{ path: "argument_defaults.pin" }] });
		const given = (await calling(config, { pin: "1234" }, client, defaults)).body;
		expect(given.error).toMatchObject({ fields: [{ path: "sample_input.pin" }] });
		expect(JSON.stringify(body)).not.toContain("918273645");
	});

	test("are sent in an envelope if the tool is configured so", async () => {
		const config = { body_format: "envelope", ...parameters({ q: TEXT }) };
		const { seen, body, tool } = await calling(config, { q: "x" });
		expect(JSON.parse(seen[0]!.body)).toEqual({
			arguments: { q: "x" },
			...{ tool_name: tool.name, run_id: body.run_id, sent_at: expect.stringMatching(/Z$/) },
		});
	});
});

describe("the answer", () => {
	test.each([
		["a JSON object", "json", '{"a":1}', { a: 1 }],
		["a JSON array", "json", "[1,2]", [1, 2]],
		["a JSON number", "json", "42", { text: "42" }],
		["text", "text", "hello", { text: "hello" }],
		["nothing", "text", "", { text: "" }],
	])("of %s is output", async (_, behaviour, value, output) => {
		const config = { behaviour: `${behaviour}?value=${encodeURIComponent(value)}` };
		expect((await calling(config)).body.output_json).toEqual(output);
	});

	test("a response with an error status fails the run and is in the log", async () => {
		const { body } = await calling({ behaviour: "status/404" });
		expect(body).toMatchObject({ status: "failed", validation: "na", output_json: null, proven_hash: null });
		expect(body.error).toEqual({ code: "HTTP_ERROR", message: "The endpoint answered with status 404" });
		expect(body.logs.some((line) => line.startsWith('the answer was: {"method":"POST"'))).toBe(true);
	});

	test.each([
		["more than 256 KiB of output", 256 * 1024],
		["more than 1 MiB of response", 1024 * 1024],
	])("of %s is a failure", async (_, bytes) => {
		const { body } = await calling({ behaviour: `big/${bytes}` });
		expect(body).toMatchObject({ status: "failed", error: { code: "OUTPUT_TOO_LARGE" }, output_json: null });
	});

	test.each([
		["nested without measure", `${"[".repeat(101)}${"]".repeat(101)}`],
		["that holds half a surrogate pair", '{"\\ud800":1}'],
		["that holds a number beyond any", '{"a":1e999}'],
	])("of JSON %s is a failure", async (_, value) => {
		const config = {
			behaviour: `json?value=${encodeURIComponent(value)}`,
			output_schema: { type: "object", additionalProperties: false },
		};
		const { status, body } = await calling(config);
		expect(status).toBe(200);
		expect(body).toMatchObject({ status: "failed", error: { code: "INVALID_OUTPUT" }, output_json: null });
	});

	test("arriving too late times the run out", async () => {
		const { body } = await calling({ behaviour: "hang", timeout_seconds: 1 });
		expect(body).toMatchObject({ status: "timed_out", error: { code: "TIMED_OUT" }, proven_hash: null });
		expect(body.latency_ms).toBeGreaterThanOrEqual(900);
	});

	test("missing from an unknown host fails the run", async () => {
		const client = await createClient();
		const tool = await createRequest(client, { url: "http://127.0.0.1:9/", http_method: "GET" });
		expect((await runTool(client, tool)).body).toMatchObject({ status: "failed", output_json: null });
	});

	test("containing a secret in any encoding is redacted in output, log and history", async () => {
		const client = await createClient();
		const secret = 'p@ss "word"/+é-canary';
		await putSecret(client, "TOKEN", secret);
		const forms = [
			secret,
			encodeURIComponent(secret),
			JSON.stringify(secret).slice(1, -1),
			btoa(unescape(encodeURIComponent(`user:${secret}`))),
			Array.from(new TextEncoder().encode(secret), (byte) => byte.toString(16).padStart(2, "0")).join(""),
		];
		const value = encodeURIComponent(JSON.stringify({ forms, [secret]: 1 }));
		const rest = { argument_defaults: { key: "{{$TOKEN}}" } };
		const config = { behaviour: `json?value=${value}`, ...parameters({ key: TEXT }) };
		const { body } = await calling(config, {}, client, rest);
		expect(body.output_json).toEqual({
			forms: ["[redacted]", "[redacted]", "[redacted]", expect.stringContaining("[redacted]"), "[redacted]"],
			"[redacted]": 1,
		});
	});
});

test("a secret in a redirect's host is redacted in the log, even in lower case", async () => {
	const client = await createClient();
	await putSecret(client, "TOKEN", "SeCrEt-Canary-9C2E");
	const to = encodeURIComponent("http://SeCrEt-Canary-9C2E.localhost:1024/");
	const headers = [{ name: "x-token", secret_name: "TOKEN" }];
	const { body } = await calling({ behaviour: `redirect?to=${to}`, http_method: "GET", headers }, {}, client);
	expect(body.logs).toContain("sent GET http://[redacted].localhost:1024/");
	expect(JSON.stringify(body)).not.toMatch(/secret-canary/i);
});

describe("an attempt with a transient failure", () => {
	test.each(["GET", "PUT", "DELETE"])("is retried for %s as often as configured", async (http_method) => {
		const good = await calling({ behaviour: "flaky/2", http_method, retries: 2 });
		expect(good.body).toMatchObject({ status: "succeeded", output_json: { count: 3 } });
		const bad = await calling({ behaviour: "flaky/2", http_method, retries: 1 });
		expect(bad.body).toMatchObject({ status: "failed", error: { code: "HTTP_ERROR" } });
		expect(bad.seen).toHaveLength(2);
	});

	test.each(["POST", "PATCH"])("is not retried for %s", async (http_method) => {
		const { seen, body } = await calling({ behaviour: "flaky/1", http_method, retries: 3 });
		expect(body.status).toBe("failed");
		expect(seen).toHaveLength(1);
	});

	test("is not retried after a permanent failure", async () => {
		const { seen } = await calling({ behaviour: "status/400", http_method: "GET", retries: 3 });
		expect(seen).toHaveLength(1);
	});

	test("is not retried beyond the tool's time limit", async () => {
		const client = await createClient();
		const config = { url: "https://api.example/", http_method: "GET", retries: 3, timeout_seconds: 2 };
		const { id } = await createRequest(client, config);
		let calls = 0;
		const fetch = async () => {
			calls++;
			return new Response("busy", { status: 503, headers: { "retry-after": "60" } });
		};
		const body = { sample_input: {}, confirm_side_effects: true };
		const result = await run({ ...client.ctx(), fetch }, id, body);
		expect([result.status, result.error?.code, calls]).toEqual(["failed", "HTTP_ERROR", 1]);
	});
});
