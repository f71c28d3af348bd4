import { env } from "cloudflare:workers";
import { SCOPES } from "@parley/contracts/shared/scopes";
import type { RouteSpec } from "@parley/http/route";
import { issueKey } from "@parley/testing/organisation";
import { describe, expect, test } from "vitest";
import { callPlatform, createClient } from "../test/client.ts";
import { app } from "./app.ts";

const client = await createClient();
const other = await createClient();
const VALUES: Record<string, string> = {
	model: "parley/local",
	model_code: "parley/local",
	key_id: crypto.randomUUID(),
	user_id: crypto.randomUUID(),
	session_id: crypto.randomUUID(),
};

const pathOf = (spec: RouteSpec, values = VALUES): string =>
	spec.path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => values[name] ?? "x");

const exampleOf = (spec: RouteSpec): unknown =>
	app.describe().paths[spec.path.replace("+}", "}")]?.[spec.method]?.requestBody?.content?.[
		"application/json"
	]?.example;

const operations = app.specs.map((spec) => [`${spec.method.toUpperCase()} ${spec.path}`, spec] as const);

describe.each(operations)("%s", (_, spec) => {
	const call = (key: string | null, path = pathOf(spec), body = exampleOf(spec)) =>
		callPlatform(spec.method.toUpperCase(), path, body, { key });

	test("takes nobody with a key that is none", async () => {
		for (const key of ["parley_cu_nobody", ...(spec.access === "open" ? [] : [null])])
			expect(await call(key)).toMatchObject({ status: 401, body: { error: { code: "AUTH_REQUIRED" } } });
	});

	test("answers its own example without a fault, and tells region, request and limits", async () => {
		const { status, headers } = await call(client.key);
		expect([status, status < 500 || status === 502]).toEqual([status, true]);
		for (const name of ["x-request-id", "x-region", "ratelimit", "ratelimit-policy"])
			expect(headers.has(name), name).toBe(true);
	});

	if (spec.access !== "any-key" && spec.access !== "open") {
		test("names the scope that a key lacks, and takes no batch key", async () => {
			const scopes = SCOPES.filter((scope) => scope !== spec.access);
			const { key } = await issueKey(env.DB, client.id, { scopes });
			const message = `This API key lacks the scope ${spec.access}`;
			expect(await call(key)).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN", message } } });
			expect(await call(client.batchKey)).toMatchObject({
				status: 403,
				body: { error: { code: "FORBIDDEN" } },
			});
		});
	}

	// Identity providers add parameters of their own to their answers.
	if (spec.operationId !== "finishOidcSignIn")
		test("refuses an unknown query parameter by its name", async () => {
			expect(await call(client.key, `${pathOf(spec)}?colour=red`)).toMatchObject({
				status: 422,
				body: { error: { code: "VALIDATION_FAILED", fields: [{ path: "query.colour" }] } },
			});
		});

	if (spec.body)
		test("refuses an unknown property, no object, no JSON, and too much", async () => {
			const refusal = async (body: unknown) => {
				const { status, body: answer } = await call(client.key, pathOf(spec), body);
				return [status, answer.error.code];
			};
			if (!spec.operationId.startsWith("createSpeech"))
				expect(await refusal({ ...(exampleOf(spec) as object), colour: "red" })).toEqual([
					422,
					"VALIDATION_FAILED",
				]);
			for (const body of [[], "{", '"text"', "null"])
				expect(await refusal(body)).toEqual([422, "VALIDATION_FAILED"]);
			expect(await refusal("x".repeat(1024 * 1024 + 1))).toEqual([413, "BODY_TOO_LARGE"]);
		});
});

test("a key of another organisation is as absent as one that never was", async () => {
	const { id } = await issueKey(env.DB, other.id);
	const headers = { "x-request-id": "the-same-request" };
	const foreign = await client.call("DELETE", `/v1/keys/${id}`, undefined, { headers });
	const absent = crypto.randomUUID();
	const none = await client.call("DELETE", `/v1/keys/${absent}`, undefined, { headers });
	expect([foreign.status, foreign.body]).toEqual([
		none.status,
		JSON.parse(JSON.stringify(none.body).replaceAll(absent, id)),
	]);
});
