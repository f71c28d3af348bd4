import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vaultDataKeys } from "@parley/db/agents/vault";
import { openDatabase } from "@parley/db/client";
import { openEntries } from "@parley/vault-entries/entries";
import { beforeEach, expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";
import { putSecret } from "../../test/tools.ts";
import worker from "../worker.ts";
import { rewrapDataKeys } from "./data-keys.ts";

const NEW_KEY = "next:ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
const BOTH = `${NEW_KEY},${env.VAULT_KEK}`;

const db = openDatabase(env.DB);
const rewrap = (setting: string) =>
	rewrapDataKeys({ db, env: { VAULT_KEK: setting }, clock: () => new Date("2026-11-20T00:00:00.000Z") });
const valueWith = async (client: Client, setting: string) => {
	const ctx = client.ctx();
	const opened = await openEntries({ ...ctx, env: { ...ctx.env, VAULT_KEK: setting } }, ["TOKEN"]);
	return opened.get("TOKEN")?.value;
};

// All organisations' keys are wrapped again in one run.
beforeEach(() => db.delete(vaultDataKeys));

test("data keys are wrapped with another key-encryption key, and repeating it changes nothing", async () => {
	const clients = [await createClient(), await createClient(), await createClient()];
	for (const client of clients) await putSecret(client, "TOKEN", `value of ${client.id}`);
	const before = await db.select().from(vaultDataKeys);
	expect(before.map(({ kekId }) => kekId)).toEqual(["test", "test", "test"]);
	for (const client of clients) expect(await valueWith(client, BOTH)).toBe(`value of ${client.id}`);

	const counts = await Promise.all([rewrap(BOTH), rewrap(BOTH)]);
	expect(Math.max(...counts)).toBe(3);
	expect(await rewrap(BOTH)).toBe(0);
	const after = await db.select().from(vaultDataKeys);
	expect(after.map(({ kekId, rewrappedAt }) => [kekId, rewrappedAt])).toEqual(
		before.map(() => ["next", "2026-11-20T00:00:00.000Z"]),
	);
	expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
	for (const client of clients) {
		expect(await valueWith(client, NEW_KEY)).toBe(`value of ${client.id}`);
		await expect(valueWith(client, env.VAULT_KEK)).rejects.toMatchObject({ code: "kek_unknown" });
	}
});

test("a data key wrapped with an unknown key stops the run", async () => {
	const client = await createClient();
	await putSecret(client, "TOKEN", "value-1");
	await expect(rewrap(NEW_KEY)).rejects.toMatchObject({ code: "kek_unknown" });
	expect(await valueWith(client, BOTH)).toBe("value-1");
});

test("the hourly run wraps all keys again", async () => {
	const client = await createClient();
	await putSecret(client, "TOKEN", "value-1");
	await worker.scheduled(createScheduledController(), { ...env, VAULT_KEK: BOTH });
	const rows = await db.select().from(vaultDataKeys);
	expect(rows.map(({ kekId }) => kekId)).toEqual(rows.map(() => "next"));
	expect(await valueWith(client, NEW_KEY)).toBe("value-1");
});
