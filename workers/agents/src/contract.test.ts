import { env } from "cloudflare:workers";
import { SCOPES } from "@parley/contracts/shared/scopes";
import { issueKey } from "@parley/testing/organisation";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient, request, withoutId } from "../test/client.ts";
import { exampleBody, identitiesOf, paramsOf, pathOf } from "../test/operation-input.ts";
import { resourcesOf } from "../test/resources.ts";
import { app } from "./app.ts";

/** Creates an organisation with one resource of each kind. */
async function settle() {
	const client = await createClient();
	return { client, own: await resourcesOf(client) };
}

/** Created on first use and shared, because none of the rejected requests below changes anything. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return () => {
		made ??= make();
		return made;
	};
}

const organisation = once(settle);
const anotherOrganisation = once(settle);

const operations = app.specs.map((spec) => [`${spec.method.toUpperCase()} ${spec.path}`, spec] as const);

describe.each(operations)("%s", (_, spec) => {
	const method = spec.method.toUpperCase();
	const body = exampleBody(spec);

	test("rejects requests without a key and with a batch key", async () => {
		const { client, own } = await organisation();
		const refusal = async (key?: string) => {
			const { status, body: answer } = await request(key, method, pathOf(spec, own), body);
			return [status, answer.error.code];
		};
		expect(await refusal()).toEqual([401, "AUTH_REQUIRED"]);
		expect(await refusal("parley_cu_nobody")).toEqual([401, "AUTH_REQUIRED"]);
		expect(await refusal(client.batchKey)).toEqual([403, "FORBIDDEN"]);
	});

	if (spec.access !== "any-key")
		test("names the scope that a key lacks", async () => {
			const { client, own } = await organisation();
			const scopes = SCOPES.filter((scope) => scope !== spec.access);
			const { key } = await issueKey(env.DB, client.id, { scopes });
			const { status, body: answer } = await request(key, method, pathOf(spec, own), body);
			expect([status, answer.error.code]).toEqual([403, "FORBIDDEN"]);
			expect(answer.error.message).toBe(`This API key lacks the scope ${spec.access}`);
		});

	test("accepts its own documented example", async () => {
		const { client, own } = await settle();
		const { status } = await client.call(method, pathOf(spec, own), body);
		expect(status).toBeLessThan(500);
	});

	if (identitiesOf(spec).length > 0)
		test("hides another organisation's resource behind a 404", async () => {
			const { client, own } = await organisation();
			const { own: foreign } = await anotherOrganisation();
			for (const name of identitiesOf(spec)) {
				const ask = async (value: string) => {
					const path = pathOf(spec, { ...own, [name]: value });
					const answer = await client.call(method, path, body, { "x-request-id": "the-same-request" });
					return [answer.status, withoutId(answer.body, value)];
				};
				const none = await ask(name === "name" ? "NO_SUCH_ENTRY" : crypto.randomUUID());
				expect([name, none[0]]).toEqual([name, 404]);
				expect(await ask(foreign[name] ?? "")).toEqual(none);
			}
		});

	const formed = paramsOf(spec).filter((name) => name !== "name");
	if (formed.length > 0)
		test("rejects a malformed path parameter by name", async () => {
			const { client, own } = await organisation();
			for (const name of formed) {
				const path = pathOf(spec, { ...own, [name]: "no-such-form" });
				const { status, body: answer } = await client.call(method, path, body);
				expect([status, answer.error.code]).toEqual([422, "VALIDATION_FAILED"]);
				expect(answer.error.fields?.map((field) => field.path)).toEqual([`path.${name}`]);
			}
		});

	test("rejects an unknown query parameter by name and lists the known ones", async () => {
		const { client, own } = await organisation();
		const { status, body: answer } = await client.call(method, pathOf(spec, own, { colour: "red" }), body);
		expect([status, answer.error.code]).toEqual([422, "VALIDATION_FAILED"]);
		const known = Object.keys(spec.query?.shape ?? {}).join(", ");
		const message = `Unknown parameter; ${known ? `known: ${known}` : "none is taken"}`;
		expect(answer.error.fields).toEqual([{ path: "query.colour", message }]);
	});

	if (spec.body)
		test("rejects a body with an unknown key, invalid JSON or too many bytes", async () => {
			const { client, own } = await organisation();
			const refusal = async (sent: unknown) => {
				const { status, body: answer } = await client.call(method, pathOf(spec, own), sent);
				return [status, answer.error.code, answer.error.fields?.map(({ path }) => path)];
			};
			const invalid = (path: string) => [422, "VALIDATION_FAILED", [path]];
			expect(await refusal({ ...body, colour: "red" })).toEqual(invalid("colour"));
			expect(await refusal([])).toEqual(invalid(""));
			expect(await refusal("{")).toEqual(invalid(""));
			const large = { ...body, colour: "x".repeat(1024 * 1024) };
			expect(await refusal(large)).toEqual([413, "BODY_TOO_LARGE", undefined]);
		});
});

test("the document names the access and the errors of every operation", () => {
	for (const spec of app.specs) {
		const operation = app.describe().paths[spec.path]?.[spec.method];
		const scope = spec.access === "any-key" ? {} : { "x-required-scope": spec.access };
		expect(operation).toMatchObject({ operationId: spec.operationId, ...scope });
		const refusals = ["401", "403", "422", "429", "500"];
		expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(refusals));
	}
	expect(new Set(app.specs.map(({ operationId }) => operationId)).size).toBe(app.specs.length);
});

test("every operation that creates something accepts an Idempotency-Key", () => {
	const making = app.specs.filter(({ method, status }) => method === "post" && status === 201);
	expect(making.filter(({ idempotent }) => !idempotent)).toEqual([]);
	expect(making.map(({ operationId }) => operationId)).toContain("createAgent");
});

/** Returns the fields of one answer that another has too. */
const commonFields = (answer: object, other: object): object =>
	Object.fromEntries(Object.entries(answer).filter(([name]) => name in other));

test("every created resource is named in Location", async () => {
	const making = app.specs.filter(({ status }) => status === 201);
	for (const spec of making) {
		const { client, own } = await settle();
		const { headers, body } = await client.call<object>("POST", pathOf(spec, own), exampleBody(spec));
		const location = headers.get("location") ?? "";
		expect([spec.operationId, location]).toEqual([
			spec.operationId,
			expect.stringMatching(/^\/v1\/agents\//),
		]);
		const read = (await client.call<Record<string, unknown>>("GET", location)).body;
		// The answer that opens a session holds its token and its resolved texts, which no later answer repeats.
		const isSession = spec.operationId === "openRuntimeSession";
		expect(isSession ? commonFields(body, read) : body).toEqual(isSession ? commonFields(read, body) : read);
		const documented = app.describe().paths[spec.path]?.[spec.method]?.responses?.[201];
		expect(documented).toHaveProperty("headers.Location");
	}
	expect(making.length).toBeGreaterThan(5);
});

test("a list reports its total, and a page links to the next one", async () => {
	const { client, own } = await settle();
	const arrays = app.specs.filter(({ response }) => response instanceof z.ZodArray);
	for (const spec of arrays) {
		const first = await client.call<object[]>("GET", pathOf(spec, own));
		const total = Number(first.headers.get("x-total-count"));
		expect([spec.operationId, total]).toEqual([spec.operationId, first.body.length]);
		expect(first.headers.get("link")).toBeNull();
		if (!("limit" in (spec.query?.shape ?? {})) || total < 2) continue;
		const { body, headers } = await client.call<object[]>("GET", pathOf(spec, own, { limit: "1" }));
		expect([body, headers.get("x-total-count")]).toEqual([first.body.slice(0, 1), String(total)]);
		const [, next = ""] = /^<(.*)>; rel="next"$/.exec(headers.get("link") ?? "") ?? [];
		expect((await client.call<object[]>("GET", next)).body).toEqual(first.body.slice(1, 2));
	}
	expect(arrays.length).toBeGreaterThan(5);
});

test("an unknown path is not found", async () => {
	const { client } = await organisation();
	for (const path of ["/v1/agent", "/v1/agents/tools/x/y/z/w", "/"]) {
		const { status, body } = await client.call<unknown>("GET", path);
		expect([status, body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"]);
	}
});

test("a known path with another method names the allowed methods", async () => {
	const { client } = await organisation();
	const paths = { "/v1/agents/tools": "GET, HEAD, POST", "/v1/agents/audit-log": "GET, HEAD" };
	for (const [path, allow] of Object.entries(paths)) {
		const { status, headers, body } = await client.call<unknown>("DELETE", path);
		expect([status, headers.get("allow"), body.error.code]).toEqual([405, allow, "METHOD_NOT_ALLOWED"]);
		expect(body.detail).toBe(`${path} does not support DELETE. Use ${allow}.`);
	}
});
