import { env } from "cloudflare:workers";
import { type RotateSecret, VaultEntry, type VaultReference } from "@parley/contracts/agents/secrets";
import { vaultEntries } from "@parley/db/agents/vault";
import { openDatabase } from "@parley/db/client";
import { breakEachWrite, dump } from "@parley/testing/broken-batch";
import { issueKey } from "@parley/testing/organisation";
import { openEntries } from "@parley/vault-entries/entries";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Client, createClient, request } from "../../test/client.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { createSecret, deleteSecret, describeSecret } from "./secrets.service.ts";

const PATH = "/v1/agents/secrets";
const VALUE = "s3cr3t-canary-4f1b";

const create = (client: Client, body: object) => client.call<VaultEntry>("POST", PATH, body);
const rotate = (client: Client, name: string, body: RotateSecret, headers?: Record<string, string>) =>
	client.call<VaultEntry>("PATCH", `${PATH}/${name}`, body, headers);

test("a secret is sealed, and no answer and no row contains its value", async () => {
	const client = await createClient();
	const { status, body } = await create(client, { name: "TOKEN", value: VALUE, description: "the CRM" });
	expect(status).toBe(201);
	expect(VaultEntry.parse(body)).toEqual(body);
	expect(body).toMatchObject({
		organisation_id: client.id,
		...{ name: "TOKEN", kind: "secret", description: "the CRM" },
		...{ value: null, has_value: true, is_managed: false, revision: 1 },
	});
	expect(body.created_by).toMatch(/^api_key:/);
	expect((await client.call("GET", `${PATH}/TOKEN`)).body).toEqual(body);
	expect((await client.call("GET", PATH)).body).toEqual([body]);
	expect(await dump(env.DB, client.id)).not.toContain(VALUE);
	expect((await openEntries(client.ctx(), ["TOKEN"])).get("TOKEN")).toEqual({ value: VALUE, kind: "secret" });
});

test("a variable is sealed too, and only returned to keys with vault:read", async () => {
	const client = await createClient();
	expect((await create(client, { name: "REGION", kind: "variable", value: VALUE })).body.value).toBe(VALUE);
	expect((await client.call<VaultEntry>("GET", `${PATH}/REGION`)).body.value).toBe(VALUE);
	expect(await dump(env.DB, client.id)).not.toContain(VALUE);
	const { key } = await issueKey(env.DB, client.id, { scopes: ["vault:write"] });
	expect((await request<VaultEntry>(key, "GET", `${PATH}/REGION`)).body.value).toBeNull();
	expect((await request<VaultEntry[]>(key, "GET", PATH)).body[0]?.value).toBeNull();
	expect((await request<VaultEntry>(key, "PATCH", `${PATH}/REGION`, { value: "eu" })).body).toMatchObject({
		...{ value: null, revision: 2 },
	});
});

test("a key without a vault scope cannot read the vault", async () => {
	const client = await createClient();
	await create(client, { name: "A", value: "1" });
	const { key } = await issueKey(env.DB, client.id, { scopes: ["tools:read", "agents:write"] });
	for (const path of [PATH, `${PATH}/A`, `${PATH}/A/references`, `${PATH}/NEVER`]) {
		const { status, body } = await request(key, "GET", path);
		expect([status, body.error.message]).toEqual([403, "This API key lacks the scope vault:read"]);
	}
});

test("writing needs vault:write", async () => {
	const client = await createClient();
	await create(client, { name: "A", value: "1" });
	const { key } = await issueKey(env.DB, client.id, { scopes: ["vault:read"] });
	for (const [method, path, body] of [
		["POST", PATH, { name: "B", value: "1" }],
		["PATCH", `${PATH}/A`, { value: "2" }],
		["PATCH", `${PATH}/A/description`, { description: "x" }],
		["DELETE", `${PATH}/A`, undefined],
	] as const) {
		const answer = await request(key, method, path, body);
		expect(answer.status).toBe(403);
		expect(answer.body.error.message).toContain("vault:write");
	}
});

test.each([
	["a name in small letters", { name: "token", value: "1" }, "name"],
	["a name that begins with a digit", { name: "1A", value: "1" }, "name"],
	["a name of 65 characters", { name: "A".repeat(65), value: "1" }, "name"],
	["an empty value", { name: "A", value: "" }, "value"],
	["a value of 10001 characters", { name: "A", value: "x".repeat(10_001) }, "value"],
	["another kind", { name: "A", value: "1", kind: "file" }, "kind"],
	["an unknown property", { name: "A", value: "1", revision: 3 }, "revision"],
	["no value", { name: "A" }, "value"],
])("an entry is rejected for %s without repeating the value", async (_, body, path) => {
	const client = await createClient();
	const { status, body: answer } = await create(client, body);
	expect(status).toBe(422);
	expect(answer.error.code).toBe("VALIDATION_FAILED");
	expect(answer.error.fields?.map((field) => field.path)).toEqual([path]);
	expect((await client.call<VaultEntry[]>("GET", PATH)).body).toEqual([]);
});

test("a value of 10000 characters of any script is returned unchanged", async () => {
	const client = await createClient();
	const value = "é漢\u{1f600}\n".repeat(2000).slice(0, 10_000);
	expect((await create(client, { name: "A", kind: "variable", value })).body.value).toBe(value);
});

test("one of twenty concurrent creations of the same name succeeds in a new vault", async () => {
	const client = await createClient();
	const answers = await Promise.all(
		Array.from({ length: 20 }, (_, i) => create(client, { name: "A", kind: "variable", value: `v${i}` })),
	);
	expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
	const others = answers.filter(({ status }) => status !== 201);
	for (const { status, body } of others) {
		expect(status).toBe(409);
		expect(body.error.code).toBe("SECRET_NAME_CONFLICT");
	}
});

test("twenty concurrent first entries share one data key and can all be opened", async () => {
	const client = await createClient();
	const names = Array.from({ length: 20 }, (_, i) => `NAME_${i}`);
	const answers = await Promise.all(
		names.map((name) => create(client, { name, kind: "variable", value: name.toLowerCase() })),
	);
	expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
	const opened = await openEntries(client.ctx(), names);
	expect(names.map((name) => opened.get(name)?.value)).toEqual(names.map((name) => name.toLowerCase()));
});

test("a rotation changes value, revision, actor and time, and returns no secret", async () => {
	const client = await createClient();
	const { body: before } = await create(client, { name: "A", value: "old-value-1" });
	const { status, body } = await rotate(client, "A", { value: VALUE });
	expect(status).toBe(200);
	expect(body).toEqual({
		...before,
		revision: 2,
		last_rotated_by: before.created_by,
		last_rotated_at: body.updated_at,
		updated_at: body.updated_at,
	});
	expect((await openEntries(client.ctx(), ["A"])).get("A")?.value).toBe(VALUE);
	expect(await dump(env.DB, client.id)).not.toContain(VALUE);
});

test("a rotation that expects a different revision changes nothing", async () => {
	const client = await createClient();
	await create(client, { name: "A", value: "1" });
	const { status, body } = await rotate(client, "A", { value: "2", expected_revision: 2 });
	expect(status).toBe(409);
	expect(body.error.code).toBe("REVISION_CONFLICT");
	expect(body.error.fields?.[0]?.path).toBe("expected_revision");
	expect((await rotate(client, "A", { value: "2", expected_revision: 1 })).body.revision).toBe(2);
});

test("concurrent rotations all succeed, one after the other", async () => {
	const client = await createClient();
	await create(client, { name: "A", kind: "variable", value: "v0" });
	const values = ["v1", "v2", "v3", "v4"];
	const answers = await Promise.all(values.map((value) => rotate(client, "A", { value })));
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
	expect(answers.map(({ body }) => body.revision).toSorted()).toEqual([2, 3, 4, 5]);
	const last = answers.find(({ body }) => body.revision === 5);
	expect((await client.call<VaultEntry>("GET", `${PATH}/A`)).body.value).toBe(last?.body.value);
});

test("one of two concurrent rotations that expect the same revision succeeds", async () => {
	const client = await createClient();
	for (let round = 0; round < 10; round++) {
		const name = `A${round}`;
		await create(client, { name, value: "1" });
		const body = { value: "2", expected_revision: 1 };
		const answers = await Promise.all([rotate(client, name, body), rotate(client, name, body)]);
		expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
	}
});

test("a rotation with an outdated If-Match is rejected", async () => {
	const client = await createClient();
	await create(client, { name: "A", value: "1" });
	const { headers } = await client.call("GET", `${PATH}/A`);
	const tag = headers.get("etag") ?? "";
	expect((await rotate(client, "A", { value: "2" }, { "if-match": tag })).status).toBe(200);
	const stale = await rotate(client, "A", { value: "3" }, { "if-match": tag });
	expect([stale.status, stale.body.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
});

test("changing the description does not change the revision", async () => {
	const client = await createClient();
	const { body: before } = await create(client, { name: "A", value: "1" });
	const path = `${PATH}/A/description`;
	const { status, body } = await client.call<VaultEntry>("PATCH", path, { description: "new" });
	expect(status).toBe(200);
	expect(body).toEqual({ ...before, description: "new", updated_at: body.updated_at });
	expect((await client.call("PATCH", path, { value: "2", description: "x" })).status).toBe(422);
	expect((await client.call("PATCH", path, { description: "x".repeat(2001) })).status).toBe(422);
});

test("a deleted entry is not found, and its name is free", async () => {
	const client = await createClient();
	await create(client, { name: "A", value: "1" });
	expect((await client.call("DELETE", `${PATH}/A`)).status).toBe(204);
	expect((await client.call("GET", `${PATH}/A`)).status).toBe(404);
	expect((await client.call("DELETE", `${PATH}/A`)).status).toBe(404);
	expect((await create(client, { name: "A", value: "2" })).status).toBe(201);
});

test("an entry that the service manages cannot be deleted", async () => {
	const client = await createClient();
	await create(client, { name: "A", value: "1" });
	await openDatabase(env.DB)
		.update(vaultEntries)
		.set({ isManaged: true })
		.where(and(eq(vaultEntries.organisationId, client.id), eq(vaultEntries.name, "A")));
	const { status, body } = await client.call("DELETE", `${PATH}/A`);
	expect([status, body.error.code]).toEqual([403, "FORBIDDEN"]);
});

test("another organisation's entry is indistinguishable from an unknown one", async () => {
	const [owner, other] = [await createClient(), await createClient()];
	await create(owner, { name: "A", value: "1" });
	for (const [method, suffix, body] of [
		["GET", "", undefined],
		["PATCH", "", { value: "2" }],
		["PATCH", "/description", { description: "x" }],
		["DELETE", "", undefined],
		["GET", "/references", undefined],
	] as const) {
		const [foreign, unknown] = await Promise.all(
			["A", "NEVER"].map((name) =>
				other.call(method, `${PATH}/${name}${suffix}`, body, { "x-request-id": "same-for-both" }),
			),
		);
		expect(foreign?.status).toBe(404);
		// The answers differ only in the requested name.
		expect(JSON.stringify(foreign?.body)).toBe(JSON.stringify(unknown?.body).replaceAll("NEVER", "A"));
	}
	expect((await owner.call<VaultEntry>("GET", `${PATH}/A`)).body.revision).toBe(1);
});

test("a sealed value copied to another entry does not open", async () => {
	const client = await createClient();
	await create(client, { name: "A", kind: "variable", value: "of-a" });
	await create(client, { name: "B", kind: "variable", value: "of-b" });
	const of = (name: string) => and(eq(vaultEntries.organisationId, client.id), eq(vaultEntries.name, name));
	const db = openDatabase(env.DB);
	const [a] = await db.select().from(vaultEntries).where(of("A"));
	await db.update(vaultEntries).set({ sealedValue: a!.sealedValue }).where(of("B"));
	await expect(openEntries(client.ctx(), ["B"])).rejects.toMatchObject({ code: "value_unreadable" });
});

test("every write to the vault is complete or not done at all", async () => {
	const client = await createClient();
	const body = { name: "A", kind: "secret", value: "1", description: "" } as const;
	expect(await breakEachWrite(env.DB, client.id, (db) => createSecret(client.ctx(db), body))).toBe(4);
	const rotated = (db: Parameters<typeof client.ctx>[0]) => rotateSecret(client.ctx(db), "A", { value: "2" });
	expect(await breakEachWrite(env.DB, client.id, rotated)).toBe(5);
	const described = { description: "d" };
	await breakEachWrite(env.DB, client.id, (db) => describeSecret(client.ctx(db), "A", described));
	await breakEachWrite(env.DB, client.id, (db) => deleteSecret(client.ctx(db), "A"));
	expect((await client.call<VaultReference[]>("GET", PATH)).body).toEqual([]);
});

test("the list is filtered by exact names", async () => {
	const client = await createClient();
	for (const name of ["A", "B", "C"]) await client.call("POST", PATH, { name, value: "value" });
	const { headers, body } = await client.call<VaultEntry[]>("GET", `${PATH}?name=C&name=A&name=D`);
	expect(body.map(({ name }) => name)).toEqual(["A", "C"]);
	expect(headers.get("x-total-count")).toBe("2");
});
