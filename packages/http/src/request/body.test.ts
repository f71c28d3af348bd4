import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";

const { call } = await createClient();

async function post(body: BodyInit | undefined) {
	const response = await call("POST", "/v1/notes/echo", { ...(body !== undefined && { body }) });
	return { status: response.status, body: (await response.json()) as { error?: { fields?: unknown[] } } };
}

test("a body of the right shape comes through as it was sent", async () => {
	const note = { text: "Grüße 👋", extra: { list: [1, null, 1.5e300] } };
	expect(await post(JSON.stringify(note))).toEqual({ status: 200, body: note });
});

test.each([
	["no body", undefined, ""],
	["white space", " ", ""],
	["half an object", '{"text":', ""],
	["two values", "{}{}", ""],
	["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), ""],
	["a bare string", '"text"', ""],
	["a __proto__ member", '{"text":"a","__proto__":{}}', "__proto__"],
	["a number beyond a double", '{"text":"a","extra":{"n":-1e999}}', "extra.n"],
	["half of a surrogate pair", '{"text":"\\udc00"}', "text"],
	["an unknown property", '{"text":"a","more":1}', "more"],
])("%s is refused with the field's path", async (_name, body, path) => {
	const { status, body: answer } = await post(body);
	expect(status).toBe(422);
	expect(answer).toMatchObject({ error: { code: "VALIDATION_FAILED", fields: [{ path }] } });
});

test("a hundred thousand open brackets are refused like any bad body", async () => {
	const deep = `{"text":"a","extra":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
	const { status, body } = await post(deep);
	expect(status).toBe(422);
	expect(body.error?.fields).toHaveLength(1);
});

test("a body over the cap is refused before it is read as JSON, with its length known or not", async () => {
	const tooLarge = "x".repeat(1024 * 1024 + 1);
	const stream = new Response(tooLarge).body as ReadableStream;
	expect(await post(tooLarge)).toMatchObject({ status: 413, body: { error: { code: "BODY_TOO_LARGE" } } });
	expect(await post(stream)).toMatchObject({ status: 413, body: { error: { code: "BODY_TOO_LARGE" } } });
});

test("a hundred of many unknown properties are named by the beginnings of their paths", async () => {
	const unknown = Array.from({ length: 300 }, (_, i) => [`${"k".repeat(2000)}${i}`, i]);
	const { status, body } = await post(JSON.stringify(Object.fromEntries([["text", "a"], ...unknown])));
	expect(status).toBe(422);
	expect(body.error?.fields).toHaveLength(100);
	expect(body.error?.fields?.[0]).toEqual({ path: "k".repeat(1000), message: "Unknown property" });
});

test("a query parameter is unknown whatever its name", async () => {
	for (const name of ["more", "__proto__", "constructor"]) {
		const response = await call("GET", `/v1/notes/a?${name}=1`);
		expect(response.status).toBe(422);
		expect(await response.json()).toMatchObject({ error: { fields: [{ path: `query.${name}` }] } });
	}
});
