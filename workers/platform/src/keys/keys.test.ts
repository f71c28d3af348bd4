import { env } from "cloudflare:workers";
import type { CreatedKey, Key } from "@parley/contracts/platform/keys";
import { DEFAULT_SCOPES } from "@parley/contracts/shared/scopes";
import { auditLog } from "@parley/db/agents/audit-log";
import { openDatabase } from "@parley/db/client";
import { apiKeys } from "@parley/db/platform/api-keys";
import { issueKey } from "@parley/testing/organisation";
import { and, asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";

const db = openDatabase(env.DB);

test("a created key is shown once and works", async () => {
	const { id, call } = await createClient();
	const { status, body } = await call<CreatedKey>("POST", "/v1/keys", { label: " CI ", family: "consumer" });
	expect(status).toBe(201);
	expect(body).toMatchObject({ organisation_id: id, label: "CI", prefix: "parley_cu_", last_used_at: null });
	expect(body.key).toMatch(/^parley_cu_[0-9A-Za-z]{38}$/);
	expect(body.last_four).toBe(body.key?.slice(-4));
	expect(new Set(body.scopes)).toEqual(new Set(DEFAULT_SCOPES));
	const me = await call("GET", "/v1/me", undefined, { key: body.key! });
	expect(me).toMatchObject({ status: 200, body: { api_key_label: "CI", org_id: id } });
	const list = await call<Key[]>("GET", "/v1/keys");
	expect(JSON.stringify(list.body)).not.toContain(body.key);
	expect(list.body.find((key) => key.id === body.id)).toMatchObject({ label: "CI", family: "consumer" });
});

test("keys are listed by label, only the organisation's own and live ones, in pages", async () => {
	const { call } = await createClient();
	await createClient();
	for (const label of ["b", "a"]) await call("POST", "/v1/keys", { label, family: "batch" });
	const labels = async (query: string) =>
		(await call<Key[]>("GET", `/v1/keys${query}`)).body.map(({ label }) => label);
	expect(await labels("")).toEqual(["a", "b", "test", "test"]);
	expect(await labels("?limit=2&offset=1")).toEqual(["b", "test"]);
	expect(await call("GET", "/v1/keys?page=1")).toMatchObject({ status: 422 });
});

test("a created key is found at its location", async () => {
	const { call } = await createClient();
	const { headers, body } = await call<CreatedKey>("POST", "/v1/keys", { label: "one", family: "batch" });
	expect(headers.get("location")).toBe(`/v1/keys/${body.id}`);
	const found = await call<Key>("GET", headers.get("location") ?? "");
	expect(found).toMatchObject({ status: 200, body: { id: body.id, label: "one" } });
	expect(JSON.stringify(found.body)).not.toContain(body.key);
	await call("DELETE", `/v1/keys/${body.id}`);
	expect(await call("GET", `/v1/keys/${body.id}`)).toMatchObject({
		status: 404,
		body: { error: { message: `API key not found: ${body.id}` } },
	});
});

test("a revoked key stops working and is listed no more", async () => {
	const { call } = await createClient();
	const { body } = await call<CreatedKey>("POST", "/v1/keys", { label: "old", family: "consumer" });
	expect((await call("GET", "/v1/me", undefined, { key: body.key! })).status).toBe(200);
	expect((await call("DELETE", `/v1/keys/${body.id}`)).status).toBe(204);
	expect((await call("GET", "/v1/me", undefined, { key: body.key! })).status).toBe(401);
	expect(JSON.stringify((await call("GET", "/v1/keys")).body)).not.toContain(body.id);
	expect((await call("DELETE", `/v1/keys/${body.id}`)).status).toBe(404);
});

test("a key of another organisation is as absent as one that never was", async () => {
	const { call } = await createClient();
	const other = await createClient();
	const { id } = await issueKey(env.DB, other.id);
	const foreign = await call("DELETE", `/v1/keys/${id}`);
	const random = await call("DELETE", `/v1/keys/${crypto.randomUUID()}`);
	expect(foreign.status).toBe(404);
	expect(foreign.body.detail).toBe(`API key not found: ${id}`);
	expect(random.body.detail).toMatch(/^API key not found: /);
});

test("a key gives no scope that it lacks, by name or by default", async () => {
	const { id, call } = await createClient();
	const { key } = await issueKey(env.DB, id, { scopes: ["keys:manage", "batch:read"] });
	const create = (scopes?: string[]) =>
		call("POST", "/v1/keys", { label: "x", family: "consumer", ...(scopes && { scopes }) }, { key });
	expect(await create(["batch:read", "vault:read"])).toMatchObject({
		status: 403,
		body: { error: { code: "FORBIDDEN", message: expect.stringContaining("vault:read") } },
	});
	expect((await create()).status).toBe(403);
	expect(await create(["batch:read", "batch:read"])).toMatchObject({
		status: 201,
		body: { scopes: ["batch:read"] },
	});
});

test("an expiry is kept in UTC, must lie ahead, and ends the key", async () => {
	const { call } = await createClient();
	const create = (expires_at: string) =>
		call<CreatedKey>("POST", "/v1/keys", { label: "x", family: "batch", expires_at });
	expect((await create("2099-01-01T02:00:00+02:00")).body.expires_at).toBe("2099-01-01T00:00:00.000Z");
	expect(await create("2020-01-01T00:00:00Z")).toMatchObject({
		status: 422,
		body: { error: { code: "VALIDATION_FAILED", fields: [{ path: "expires_at" }] } },
	});
	expect((await create("tomorrow")).status).toBe(422);
	const { id, call: caller } = await createClient();
	const soon = new Date(Date.now() + 300).toISOString();
	const { key } = await issueKey(env.DB, id, { expiresAt: soon });
	expect((await caller("GET", "/v1/me", undefined, { key })).status).toBe(200);
	await new Promise((elapsed) => setTimeout(elapsed, 350));
	expect(await caller("GET", "/v1/me", undefined, { key })).toMatchObject({
		status: 401,
		body: { error: { code: "AUTH_REQUIRED", message: `This API key expired on ${soon}. Create a new one.` } },
	});
	const wrongChecksum = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
	expect(await caller("GET", "/v1/me", undefined, { key: wrongChecksum })).toMatchObject({
		body: { error: { message: "Invalid API key" } },
	});
});

test("a repeated creation makes one key and does not show it again", async () => {
	const { id, call } = await createClient();
	const headers = { "idempotency-key": "make-one" };
	const input = { label: "once", family: "consumer" };
	const first = await call<CreatedKey>("POST", "/v1/keys", input, { headers });
	const second = await call<CreatedKey>("POST", "/v1/keys", input, { headers });
	expect(first.body.key).not.toBeNull();
	expect(second).toMatchObject({ status: 201, body: { id: first.body.id, key: null } });
	const isOnce = and(eq(apiKeys.organisationId, id), eq(apiKeys.label, "once"));
	expect(await db.select().from(apiKeys).where(isOnce)).toHaveLength(1);
});

test("making and revoking are in the audit log", async () => {
	const { id, call } = await createClient();
	const { body } = await call<CreatedKey>("POST", "/v1/keys", { label: "audited", family: "batch" });
	await call("DELETE", `/v1/keys/${body.id}`);
	const rows = await db
		.select()
		.from(auditLog)
		.where(eq(auditLog.organisationId, id))
		.orderBy(asc(auditLog.id));
	expect(rows.map(({ action, resourceId }) => [action, resourceId])).toEqual([
		["api_key.create", body.id],
		["api_key.delete", body.id],
	]);
	expect(JSON.stringify(rows)).not.toContain(body.key);
});

test("a batch key reaches its account and nothing else here", async () => {
	const { batchKey, call } = await createClient();
	expect((await call("GET", "/v1/me", undefined, { key: batchKey })).status).toBe(200);
	expect(await call("GET", "/v1/keys", undefined, { key: batchKey })).toMatchObject({ status: 403 });
});
