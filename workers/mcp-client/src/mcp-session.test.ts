import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ConnectResult, McpServer } from "@parley/contracts/agents/mcp-servers";
import { createPeer, type Plan } from "@parley/testing/mcp-peers/create-peer";
import { makeOlder } from "@parley/testing/older-catalog";
import { expect, test } from "vitest";
import {
	attachTool,
	changeServer,
	connect,
	detachTools,
	newOrganisation,
	putSecret,
	readChanges,
	readServer,
	registerServer,
	useTool,
} from "../test/servers.ts";
import type { McpSession } from "./mcp-session.ts";
import { type Breaker, CLOSED, FIRST_COOLDOWN_MS } from "./refresh/breaker.ts";

const MINUTE = 60_000;
const DEAD = "http://127.0.0.1:1024/mcp";

const tool = (name: string, description = name) => ({
	name,
	description,
	inputSchema: { type: "object" as const },
});
const sessionOf = ({ organisation_id, id }: McpServer) =>
	env.MCP_SESSION.getByName(`${organisation_id}/${id}`);
const alarmOf = (server: McpServer) =>
	runInDurableObject(sessionOf(server), (_, state) => state.storage.getAlarm());
const refresh = (server: McpServer) => runDurableObjectAlarm(sessionOf(server));

/** Creates a healthy server and an agent that uses its first tool. */
async function inUse(organisation: { id: string }, plan: Plan) {
	const peer = createPeer();
	await peer.plan(plan);
	const server = await registerServer(organisation, peer.official("stateless"));
	const { capabilities } = await connect(organisation, server);
	const agent = await useTool(organisation, server, capabilities.tools[0]!);
	return { peer, server, agent };
}

/** Waits until a check passes, for work that the service does after it has answered. */
async function eventually(check: () => Promise<unknown>): Promise<void> {
	await expect.poll(check, { timeout: 5_000 }).toBeTruthy();
}

async function changeBreaker(server: McpServer, change: (breaker: Breaker) => Breaker): Promise<void> {
	await runInDurableObject(sessionOf(server), (_, { storage }) => {
		const state = storage.kv.get<{ breaker: Breaker }>("state")!;
		storage.kv.put("state", { ...state, breaker: change(state.breaker) });
	});
}

test("a server that nothing references is not refreshed", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	await peer.plan({ tools: [tool("a")] });
	const server = await registerServer(organisation, peer.official("stateless"));
	await connect(organisation, server);
	expect(await alarmOf(server)).toBeNull();
	expect((await readServer(organisation, server)).next_refresh_at).toBeNull();
});

test("a server in use is refreshed at 80 to 90 % of its window, with a single request", async () => {
	const organisation = await newOrganisation();
	const { peer, server } = await inUse(organisation, { tools: [tool("a")], ttlMs: 20 * MINUTE });
	await eventually(() => alarmOf(server));
	const sent = (await peer.seen()).length;
	expect(await refresh(server)).toBe(true);
	const after = await readServer(organisation, server);
	const window = Date.parse(after.next_refresh_at!) - Date.parse(after.capability_attempted_at!);
	expect(window / MINUTE).toBeGreaterThanOrEqual(16);
	expect(window / MINUTE).toBeLessThan(18.1);
	expect(await alarmOf(server)).toBe(Date.parse(after.next_refresh_at!));
	expect(after).toMatchObject({
		capability_status: "healthy",
		capability_revision: 1,
		capability_error: null,
	});
	// The server's era is known now, so one request for the tools is enough.
	expect((await peer.seen()).slice(sent).map(({ headers }) => headers["mcp-method"])).toEqual(["tools/list"]);
});

test("refreshes stop when the last agent detaches the server's tools", async () => {
	const organisation = await newOrganisation();
	const { peer, server, agent } = await inUse(organisation, { tools: [tool("a")] });
	await eventually(() => alarmOf(server));
	await detachTools(organisation, agent);
	const sent = (await peer.seen()).length;
	await refresh(server);
	expect((await peer.seen()).length).toBe(sent);
	expect(await alarmOf(server)).toBeNull();
	expect((await readServer(organisation, server)).next_refresh_at).toBeNull();
});

test("a failed refresh keeps the last good list and its timestamp", async () => {
	const organisation = await newOrganisation();
	const { peer, server } = await inUse(organisation, { tools: [tool("a"), tool("b")] });
	const before = await readServer(organisation, server);
	await peer.plan({ headers: { authorization: "Bearer another" } });
	await eventually(() => alarmOf(server));
	await refresh(server);
	const after = await readServer(organisation, server);
	expect(after).toMatchObject({
		...{ capability_status: "unavailable", capability_error: { code: "unauthorized", http_status: 401 } },
		...{ capabilities: before.capabilities, capability_tool_count: 2, capability_revision: 1 },
		capability_observed_at: before.capability_observed_at,
	});
	expect(after.capability_attempted_at! > before.capability_attempted_at!).toBe(true);
	expect(after.next_refresh_at).not.toBeNull();
});

test("changes that a refresh finds are stored, newest first", async () => {
	const organisation = await newOrganisation();
	const { peer, server } = await inUse(organisation, { tools: [tool("a"), tool("b"), tool("c")] });
	await peer.plan({ tools: [tool("b", "other"), tool("c"), tool("d")] });
	const { changes } = await connect(organisation, server);
	expect(changes).toEqual({ added: ["d"], removed: ["a"], changed: ["b"] });
	expect((await connect(organisation, server)).changes).toEqual({ added: [], removed: [], changed: [] });
	const items = await readChanges(organisation, server);
	const difference = { op: "changed", path: "/description", from: "b", to: "other", truncated: false };
	expect(items).toEqual([
		{
			...{ capability_revision: 2, ...changes },
			diffs: [{ name: "b", differences: [difference], truncated: false }],
		},
		{
			...{ capability_revision: 1 },
			...{ added: ["a", "b", "c"], removed: [], changed: [], diffs: [] },
		},
	]);
	expect((await readServer(organisation, server)).capability_revision).toBe(2);
});

test("a tool keeps its title and annotations, and a change of them is a change of the tool", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const harmless = { ...tool("a"), title: "Delete", annotations: { destructiveHint: false } };
	const server = await registerServer(organisation, peer.official("session"));
	await peer.plan({ tools: [harmless, tool("b")] });
	const { capabilities } = await connect(organisation, server);
	expect(capabilities.tools).toMatchObject([
		{ title: "Delete", annotations: { destructiveHint: false } },
		{ title: null, annotations: null },
	]);
	expect((await readServer(organisation, server)).capabilities).toEqual(capabilities);
	await peer.plan({
		tools: [
			{ ...harmless, annotations: { destructiveHint: true } },
			{ ...tool("b"), title: "B" },
		],
	});
	const { changes } = await connect(organisation, server);
	expect(changes.changed).toEqual(["a", "b"]);
	const [latest] = await readChanges(organisation, server);
	expect(latest?.diffs?.map(({ differences }) => differences)).toMatchObject([
		[{ op: "changed", path: "/annotations/destructiveHint", from: false, to: true }],
		[{ op: "changed", path: "/title", from: null, to: "B" }],
	]);
});

test("a list that was stored without title and annotations gets them without counting as changed", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const server = await registerServer(organisation, peer.official("stateless"));
	const titled = { ...tool("a"), title: "A", annotations: { readOnlyHint: true } };
	await peer.plan({ tools: [titled, tool("b")] });
	const { capabilities } = await connect(organisation, server);
	await makeOlder(env.DB, server.id, capabilities.tools);
	const older = await readServer(organisation, server);
	expect(older.capabilities.tools[0]).toMatchObject({ title: null, annotations: null });

	expect((await connect(organisation, server)).changes).toEqual({ added: [], removed: [], changed: [] });
	expect(await readServer(organisation, server)).toMatchObject({ capabilities, capability_revision: 1 });

	await makeOlder(env.DB, server.id, capabilities.tools);
	await peer.plan({ tools: [{ ...titled, description: "other" }, tool("b")] });
	expect((await connect(organisation, server)).changes).toEqual({ added: [], removed: [], changed: ["a"] });
	const [latest] = await readChanges(organisation, server);
	expect(latest?.diffs?.[0]?.differences.map(({ path }) => path)).toEqual(["/description"]);
});

test("a list that changes each time leaves a short history", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const server = await registerServer(organisation, peer.official("stateless"));
	for (let round = 1; round <= 7; round++) {
		const tools = Array.from({ length: 500 }, (_, i) => tool(`${round}-${i}-`.padEnd(250, "€"), ""));
		await peer.plan({ tools });
		expect((await connect(organisation, server)).changes.added).toHaveLength(500);
	}
	const items = await readChanges(organisation, server);
	const revisions = items.map(({ capability_revision }) => capability_revision);
	expect(revisions[0]).toBe(7);
	expect(revisions.length).toBeLessThan(6);
	expect(revisions).toEqual(revisions.map((_, index) => 7 - index));
});

test("five transport failures in a row open the circuit, and a failed probe doubles its cooldown", async () => {
	const organisation = await newOrganisation();
	const server = await registerServer(organisation, DEAD);
	for (let failure = 1; failure <= 5; failure++) {
		expect((await connect(organisation, server)).error?.code).toBe("connect_failed");
		const { capability_status } = await readServer(organisation, server);
		expect(capability_status).toBe(failure < 5 ? "unavailable" : "circuit_open");
	}
	const openBreaker = await readServer(organisation, server);
	expect(
		Date.parse(openBreaker.next_refresh_at!) - Date.parse(openBreaker.capability_attempted_at!),
	).toBeGreaterThanOrEqual(FIRST_COOLDOWN_MS - 1_000);

	await changeBreaker(server, () => ({
		state: "open",
		until: Date.now() - 1,
		cooldownMs: FIRST_COOLDOWN_MS,
	}));
	expect(await refresh(server)).toBe(true);
	const reopened = await readServer(organisation, server);
	expect(reopened.capability_status).toBe("circuit_open");
	expect(Date.parse(reopened.next_refresh_at!) - Date.now()).toBeGreaterThan(1.5 * FIRST_COOLDOWN_MS);
});

test("a server that comes back is found by the probe that follows the cooldown", async () => {
	const organisation = await newOrganisation();
	const { server, peer } = await inUse(organisation, { tools: [tool("a")] });
	await changeBreaker(server, () => ({
		state: "open",
		until: Date.now() - 1,
		cooldownMs: FIRST_COOLDOWN_MS,
	}));
	const sent = (await peer.seen()).length;
	const results = await Promise.all(Array.from({ length: 4 }, () => connect(organisation, server)));
	expect(results.map(({ status }) => status)).toEqual(Array(4).fill("connected"));
	// Callers that connect during the probe share it.
	const requests = (await peer.seen()).slice(sent).map(({ headers }) => headers["mcp-method"]);
	expect(requests).toEqual(["server/discover", "tools/list"]);
	expect((await connect(organisation, server)).status).toBe("connected");
});

test("a manual connect bypasses an open circuit once in five seconds, and its failure does not extend the cooldown", async () => {
	const organisation = await newOrganisation();
	const server = await registerServer(organisation, DEAD);
	for (let failure = 1; failure <= 5; failure++) await connect(organisation, server);
	const openBreaker = await readServer(organisation, server);
	const forced = await connect(organisation, server);
	expect(forced.error).toMatchObject({ code: "connect_failed", stage: "connect" });
	const tried = await readServer(organisation, server);
	expect(tried).toMatchObject({ capability_status: "circuit_open", capability_error: forced.error });
	expect(tried.capability_attempted_at! > openBreaker.capability_attempted_at!).toBe(true);
	expect(Date.parse(tried.next_refresh_at!) - Date.parse(openBreaker.next_refresh_at!)).toBeLessThan(10_000);

	const refused = await connect(organisation, server);
	expect(refused.error).toMatchObject({ code: "circuit_open", stage: "connect", retryable: true });
	expect(refused.error?.message).toMatch(
		/^The circuit is open .*refused the connection.* Connect again in [1-5] seconds?\.$/,
	);
	expect(refused.events).toEqual([]);
	expect(await readServer(organisation, server)).toEqual(tried);
});

test("a successful manual connect closes an open circuit", async () => {
	const organisation = await newOrganisation();
	const { server } = await inUse(organisation, { tools: [tool("a")] });
	const cooldownMs = 10 * MINUTE;
	await changeBreaker(server, () => ({ state: "open", until: Date.now() + cooldownMs, cooldownMs }));
	expect((await connect(organisation, server)).status).toBe("connected");
	expect(await readServer(organisation, server)).toMatchObject({
		capability_status: "healthy",
		capability_error: null,
	});
	await changeBreaker(server, (breaker) => {
		expect(breaker).toEqual(CLOSED);
		return breaker;
	});
});

test("a refresh does not bypass an open circuit", async () => {
	const organisation = await newOrganisation();
	const { peer, server } = await inUse(organisation, { tools: [tool("a")] });
	await eventually(() => alarmOf(server));
	const until = Date.now() + FIRST_COOLDOWN_MS;
	await changeBreaker(server, () => ({ state: "open", until, cooldownMs: FIRST_COOLDOWN_MS }));
	const sent = (await peer.seen()).length;
	await refresh(server);
	expect((await peer.seen()).length).toBe(sent);
	expect(await alarmOf(server)).toBe(until);
});

test("a probe that never reports does not block the breaker", async () => {
	const organisation = await newOrganisation();
	const { server } = await inUse(organisation, { tools: [tool("a")] });
	await changeBreaker(server, () => ({
		state: "probing",
		since: Date.now() - 31_000,
		cooldownMs: FIRST_COOLDOWN_MS,
	}));
	expect((await connect(organisation, server)).status).toBe("connected");
});

test.for(["status/401", "status/429", "error/-32603", "html"])(
	"%s opens no circuit however often",
	async (behaviour) => {
		const [organisation, peer] = [await newOrganisation(), createPeer()];
		const server = await registerServer(organisation, peer.hostile(behaviour));
		for (let attempt = 0; attempt < 7; attempt++)
			expect((await connect(organisation, server)).error?.code).not.toBe("circuit_open");
	},
);

test("another configuration starts with a closed breaker", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	await peer.plan({ tools: [tool("a")] });
	const server = await registerServer(organisation, DEAD);
	for (let failure = 0; failure < 5; failure++) await connect(organisation, server);
	await changeServer(organisation, server, { urlTemplate: peer.official("stateless") });
	expect((await connect(organisation, server)).status).toBe("connected");
});

test("changing only the description allows a new attempt at once", async () => {
	const organisation = await newOrganisation();
	const server = await registerServer(organisation, DEAD);
	for (let attempt = 1; attempt <= 6; attempt++) await connect(organisation, server);
	expect((await connect(organisation, server)).error?.code).toBe("circuit_open");
	await changeServer(organisation, server, { description: "repaired" });
	expect((await connect(organisation, server)).error?.code).toBe("connect_failed");
});

test("the error names a missing vault entry, and nothing is sent", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const url = peer.official("stateless");
	const servers = await Promise.all([
		registerServer(organisation, url, { auth: { type: "bearer", secret_name: "GONE" } }),
		registerServer(organisation, url, { headers: [{ name: "A", value: "{{$GONE}}" }] }),
		registerServer(organisation, `${url}?k={{$GONE}}`),
	]);
	for (const server of servers) {
		const { error, events } = await connect(organisation, server);
		expect(error).toMatchObject({ code: "missing_vault_entry", stage: "resolve", retryable: false });
		expect(error?.message).toContain("GONE");
		expect(events).toEqual([]);
	}
	expect(await peer.seen()).toEqual([]);
});

test("the error distinguishes a variable used as a secret from a missing entry", async () => {
	const organisation = await newOrganisation();
	await putSecret(organisation, "PLAIN", "v-a-l-u-e", "variable");
	const auth = { type: "bearer", secret_name: "PLAIN" } as const;
	const { error } = await connect(organisation, await registerServer(organisation, DEAD, { auth }));
	expect(error).toMatchObject({ code: "missing_vault_entry", stage: "resolve" });
	expect(error?.message).toMatch(/^PLAIN is a variable, not a secret\. Store the value as a secret/);
});

test.for([{ value: "{{$LINES}}" }, { secret_name: "LINES" }])(
	"a value that no header can carry is a fault of the vault entry (%j)",
	async (member) => {
		const [organisation, peer] = [await newOrganisation(), createPeer()];
		await putSecret(organisation, "LINES", "first\r\nX-Second: line");
		const headers = [{ name: "X-Lines", ...member }];
		const server = await registerServer(organisation, peer.official("stateless"), { headers });
		const { error, events } = await connect(organisation, server);
		expect(error).toMatchObject({ code: "missing_vault_entry", stage: "resolve" });
		expect(error?.message).not.toContain("X-Second");
		expect(events).toEqual([]);
	},
);

test("a refresh of a deleted server forgets it", async () => {
	const organisation = await newOrganisation();
	const { peer, server } = await inUse(organisation, { tools: [tool("a")] });
	await eventually(() => alarmOf(server));
	await env.DB.prepare("update mcp_servers set deleted_at = 'now' where id = ?").bind(server.id).run();
	const sent = (await peer.seen()).length;
	await refresh(server);
	expect((await peer.seen()).length).toBe(sent);
	expect(await runInDurableObject(sessionOf(server), (_, { storage }) => [...storage.kv.list()])).toEqual([]);
});

test("a configuration change during a connect keeps its result out of the record", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const server = await registerServer(organisation, peer.hostile("stalls"));
	const connecting = connect(organisation, server);
	await eventually(async () => (await peer.seen()).length >= 3);
	const changed = await changeServer(organisation, server, { urlTemplate: peer.official("stateless") });
	expect((await connecting).error?.code).toBe("timeout");
	expect(await readServer(organisation, server)).toEqual(changed);
});

test("an attempt superseded by a newer configuration ends and does not change the newer breaker", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const server = await registerServer(organisation, peer.hostile("stalls"));
	const connecting = connect(organisation, server);
	await eventually(async () => (await peer.seen()).length >= 3);
	await changeServer(organisation, server, { urlTemplate: DEAD });
	for (let attempt = 1; attempt <= 6; attempt++) await connect(organisation, server);
	const overtaken = await connecting;
	expect(overtaken.error).toMatchObject({ code: "timeout", message: expect.stringContaining("was changed") });
	expect(overtaken.latency_ms).toBeLessThan(9_000);
	expect((await connect(organisation, server)).error?.code).toBe("circuit_open");
	expect((await readServer(organisation, server)).capability_status).toBe("circuit_open");
});

test("a server that becomes used just after an attempt found it unused is refreshed", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	await peer.plan({ tools: [tool("a")] });
	const server = await registerServer(organisation, peer.official("stateless"));
	const ref = { organisationId: organisation.id, serverId: server.id };
	const [offered] = (await connect(organisation, server)).capabilities.tools;
	await runInDurableObject(sessionOf(server), async (session: McpSession, { storage }) => {
		let watching: Promise<void> | undefined;
		const deleteAlarm = storage.deleteAlarm.bind(storage);
		storage.deleteAlarm = async () => {
			await attachTool(organisation, server, offered!);
			watching = session.watch(ref);
			await Promise.race([watching, new Promise((resolve) => setTimeout(resolve, 500))]);
			await deleteAlarm();
		};
		await session.connectNow(ref);
		storage.deleteAlarm = deleteAlarm;
		await watching;
		expect(await storage.getAlarm()).not.toBeNull();
	});
	expect((await readServer(organisation, server)).next_refresh_at).not.toBeNull();
});

test("a large list is stored in the bucket, and its predecessor is deleted", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const large = (text: string) =>
		Array.from({ length: 300 }, (_, i) => tool(`tool_${i}`, text.repeat(1_000)));
	const server = await registerServer(organisation, peer.official("stateless"));
	const objects = async () => {
		const { objects } = await env.MEDIA.list({ prefix: `catalogs/${organisation.id}/${server.id}/` });
		return objects.map(({ key }) => key);
	};
	await peer.plan({ tools: large("a") });
	const first: ConnectResult = await connect(organisation, server);
	expect((await readServer(organisation, server)).capabilities).toEqual(first.capabilities);
	const [before] = await objects();
	expect(before).toBeDefined();
	await peer.plan({ tools: large("b") });
	const second = await connect(organisation, server);
	expect((await readServer(organisation, server)).capabilities).toEqual(second.capabilities);
	expect(await objects()).toHaveLength(1);
	expect(await objects()).not.toEqual([before]);
	await peer.plan({ tools: [tool("small")] });
	await connect(organisation, server);
	expect(await objects()).toEqual([]);
	expect((await readServer(organisation, server)).capability_tool_count).toBe(1);
});
