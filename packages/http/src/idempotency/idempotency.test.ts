import { openDatabase } from "@parley/db/client";
import { idempotencyKeys } from "@parley/db/platform/idempotency-keys";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient, testEnv } from "../../test/client.ts";
import { gate, writes } from "../../test/worker.ts";

const { call } = await createClient();
const db = openDatabase(testEnv.DB);
async function create(text: string, key: string, caller = call) {
	const response = await caller("POST", "/v1/notes", {
		body: JSON.stringify({ text }),
		headers: { "idempotency-key": key },
	});
	const body = (await response.json()) as { error?: { code: string }; count?: number };
	return { status: response.status, replayed: response.headers.get("idempotent-replayed"), body, response };
}

test("a repeated request is answered as the first was and runs once", async () => {
	const first = await create("once", "k-once");
	const second = await create("once", "k-once");
	expect(first).toMatchObject({ status: 201, replayed: null, body: { text: "once", count: 1 } });
	expect(second).toMatchObject({ status: 201, replayed: "true", body: { text: "once", count: 1 } });
	expect(second.response.headers.get("content-type")).toBe(first.response.headers.get("content-type"));
	expect(writes.get("once")).toBe(1);
});

test("what an answer shows once, its repetition does not show", async () => {
	expect((await create("shown", "k-shown")).body).toMatchObject({ token: "shown once" });
	expect((await create("shown", "k-shown")).body).toMatchObject({ token: null });
});

test("another body under the same key is refused, and the first answer stays", async () => {
	await create("body-a", "k-body");
	expect(await create("body-b", "k-body")).toMatchObject({
		status: 422,
		body: { error: { code: "IDEMPOTENCY_KEY_REUSED" } },
	});
	expect(writes.has("body-b")).toBe(false);
	expect(await create("body-a", "k-body")).toMatchObject({ status: 201, replayed: "true" });
});

test("while the first runs its repetition is told so, and runs nothing", async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	gate.opened = promise;
	const first = create("slow", "k-slow");
	await expect.poll(() => writes.get("slow")).toBe(1);
	const second = await create("slow", "k-slow");
	resolve();
	expect(second).toMatchObject({
		status: 409,
		body: { error: { code: "IDEMPOTENCY_IN_PROGRESS", retryable: true } },
	});
	expect(second.response.headers.get("retry-after")).toBe("1");
	expect((await first).status).toBe(201);
	expect(writes.get("slow")).toBe(1);
});

test("one of many concurrent requests runs", async () => {
	const answers = await Promise.all(Array.from({ length: 20 }, () => create("race", "k-race")));
	expect(writes.get("race")).toBe(1);
	expect(answers.filter(({ status, replayed }) => status === 201 && !replayed)).toHaveLength(1);
	expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2);
});

test("a refusal that would be repeated is kept; one that asks for another try is not", async () => {
	expect((await create("taken", "k-taken")).status).toBe(409);
	expect(await create("taken", "k-taken")).toMatchObject({ status: 409, replayed: "true" });
	expect(writes.get("taken")).toBe(1);

	expect((await create("locked", "k-locked")).status).toBe(409);
	expect(await create("locked", "k-locked")).toMatchObject({
		status: 201,
		replayed: null,
		body: { count: 2 },
	});
});

test("a fault of ours is not kept", async () => {
	expect((await create("broken", "k-broken")).status).toBe(500);
	expect(await create("broken", "k-broken")).toMatchObject({
		status: 201,
		replayed: null,
		body: { count: 2 },
	});
});

test("a key whose execution died is free for the same request when its lease ends", async () => {
	const { id, call: caller } = await createClient();
	await create("dead", "k-dead", caller);
	await db
		.update(idempotencyKeys)
		.set({ answer: null, leaseUntil: new Date(Date.now() - 1).toISOString(), owner: "a dead one" })
		.where(eq(idempotencyKeys.organisationId, id));
	expect(await create("other", "k-dead", caller)).toMatchObject({ status: 422 });
	expect(await create("dead", "k-dead", caller)).toMatchObject({ status: 201, replayed: null });
	expect(writes.get("dead")).toBe(2);
});

test("a key is forgotten after its day, and its row goes", async () => {
	const { id, call: caller } = await createClient();
	await create("day", "k-day", caller);
	await create("day", "k-other", caller);
	const isOwn = eq(idempotencyKeys.organisationId, id);
	const past = new Date(Date.now() - 1).toISOString();
	await db.update(idempotencyKeys).set({ expiresAt: past }).where(isOwn);
	expect(await create("day", "k-day", caller)).toMatchObject({ status: 201, replayed: null });
	expect(await db.select().from(idempotencyKeys).where(isOwn)).toHaveLength(1);
});

test("the same key of another organisation is another key", async () => {
	const other = await createClient();
	await create("mine", "k-shared");
	expect(await create("theirs", "k-shared", other.call)).toMatchObject({ status: 201, replayed: null });
});

test("a malformed key is refused by name", async () => {
	for (const key of ["", "two words", "x".repeat(256)])
		expect(await create("malformed", key)).toMatchObject({
			status: 422,
			body: { error: { fields: [{ path: "header.Idempotency-Key" }] } },
		});
	expect(writes.has("malformed")).toBe(false);
});

test("neither key, request nor answer can be read in the table", async () => {
	await create("canary-text", "k-canary");
	const dump = JSON.stringify(
		await testEnv.DB.prepare("select *, hex(answer) as answer from idempotency_keys").all(),
	);
	const hex = (text: string) => Buffer.from(text).toString("hex").toUpperCase();
	for (const text of ["canary-text", "k-canary", "shown once"]) {
		expect(dump).not.toContain(text);
		expect(dump).not.toContain(hex(text));
	}
});
