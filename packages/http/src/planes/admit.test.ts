import { createKey, hashKey, keyDisplay } from "@parley/auth/api-key";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { apiKeys } from "@parley/db/platform/api-keys";
import { expect, test } from "vitest";
import { callWorker, createClient, testEnv } from "../../test/client.ts";

/** A database that counts the statements it is asked for. */
function countStatements() {
	const counted = { statements: 0 };
	const DB = new Proxy(testEnv.DB, {
		get(target, name) {
			if (name === "prepare") counted.statements += 1;
			const value = Reflect.get(target, name) as unknown;
			return typeof value === "function" ? value.bind(target) : value;
		},
	});
	return { counted, settings: { DB } };
}

const as = (key: string) => ({ authorization: `Bearer ${key}` });

test("a key whose checksum is wrong touches no storage", async () => {
	const { counted, settings } = countStatements();
	const key = createKey("consumer");
	const wrong = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
	for (const given of [wrong, "parley_cu_short", "", `parley_${"0a".repeat(20)}`]) {
		const response = await callWorker("GET", "/v1/notes/a", { headers: as(given), settings });
		expect(response.status).toBe(401);
	}
	expect(counted.statements).toBe(0);
});

test("a key that nobody has costs one read each time, a key in use one read in all", async () => {
	const stranger = countStatements();
	const { settings } = stranger;
	await callWorker("GET", "/v1/notes/a", { headers: as(createKey("consumer")), settings });
	expect(stranger.counted.statements).toBe(1);

	const { key } = await createClient();
	const known = countStatements();
	for (let call = 0; call < 5; call++) {
		const response = await callWorker("GET", "/v1/notes/a", { headers: as(key), settings: known.settings });
		expect(response.status).toBe(200);
	}
	// The read of the key, and behind the first answer its last use.
	expect(known.counted.statements).toBe(2);
});

test("an open route knows whoever sends a key, and refuses one that is none", async () => {
	const { key } = await createClient();
	const board = async (headers: Record<string, string>) => {
		const response = await callWorker("GET", "/v1/board", { headers });
		return [response.status, ((await response.json()) as { known?: boolean }).known];
	};
	expect(await board({})).toEqual([200, false]);
	expect(await board(as(key))).toEqual([200, true]);
	expect(await board(as("parley_cu_nobody"))).toEqual([401, undefined]);
});

test("a key of the legacy family counts until the date of the setting", async () => {
	const { id } = await createClient();
	const key = `parley_${"0123456789abcdef".repeat(3).slice(0, 40)}`;
	await openDatabase(testEnv.DB)
		.insert(apiKeys)
		.values({
			...{ id: newId(), organisationId: id, family: "legacy", label: "old", ...keyDisplay(key) },
			...{ hash: await hashKey(key), scopes: ["tools:read"], createdBy: "import" },
			createdAt: "2020-01-01T00:00:00.000Z",
		});
	const status = async (LEGACY_KEYS_UNTIL: string) =>
		(await callWorker("GET", "/v1/notes/a", { headers: as(key), settings: { LEGACY_KEYS_UNTIL } })).status;
	expect(await status("2099-01-01")).toBe(200);
	expect(await status("2020-01-01")).toBe(401);
	expect(await status("")).toBe(401);
});
