import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createClient } from "../../../test/client.ts";
import { createEndpoint } from "../../../test/endpoint.ts";
import { liveAgent, namedTool, toolRef } from "../../../test/live-agent.ts";
import { putSecret } from "../../../test/tools.ts";
import { app } from "../../app.ts";

/** Returns a database that notes each round trip with its statements. */
function watchedDatabase() {
	const trips: string[][] = [];
	const texts = new WeakMap<object, string>();
	const watch = (statement: D1PreparedStatement, text: string): D1PreparedStatement => {
		texts.set(statement, text);
		return new Proxy(statement, {
			get(target, name) {
				if (name === "inner") return target;
				const member = Reflect.get(target, name) as (...args: unknown[]) => unknown;
				if (name === "bind") return (...values: unknown[]) => watch(target.bind(...values), text);
				if (typeof member !== "function") return member;
				return (...args: unknown[]) => {
					trips.push([text]);
					return member.apply(target, args);
				};
			},
		});
	};
	const innerOf = (statement: D1PreparedStatement) =>
		(statement as unknown as { inner: D1PreparedStatement }).inner;
	const database = {
		prepare: (text: string) => watch(env.DB.prepare(text), text),
		batch: (statements: D1PreparedStatement[]) => {
			const inner = statements.map(innerOf);
			trips.push(inner.map((statement) => texts.get(statement) ?? ""));
			return env.DB.batch(inner);
		},
	};
	return { database: database as unknown as D1Database, trips };
}

const isWrite = (text: string): boolean => /^(insert|update|delete)/.test(text);

/** Makes a call through the worker. Returns its reads of D1, by round trip, and all that it writes. */
async function tripsOfCall(key: string, path: string) {
	const { database, trips } = watchedDatabase();
	const written: string[] = [];
	const ctx = createExecutionContext();
	const request = new Request(`https://agents.parley.example${path}`, {
		method: "POST",
		headers: { authorization: `Bearer ${key}` },
		body: JSON.stringify({ arguments: {} }),
	});
	const response = await app.fetch(request, { ...env, DB: database } as Env, ctx);
	const body = await response.json<{ status: string }>();
	expect([response.status, body.status]).toEqual([200, "succeeded"]);
	written.push(...trips.flat().filter(isWrite));
	const reads = trips.splice(0).filter((texts) => !texts.every(isWrite));
	await waitOnExecutionContext(ctx);
	written.push(...trips.flat().filter(isWrite));
	return { reads, writes: written };
}

async function agentWith(config: object) {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	await putSecret(client, "API_TOKEN", "token-value-31");
	const tool = await namedTool(client, "forecast", "api_request", {
		config: { url: endpoint.url("json"), http_method: "POST", ...config },
	});
	const { path } = await liveAgent(client, { tool_refs: [toolRef(tool)] });
	return { key: client.key, path: `${path}/tools/forecast/call` };
}

test("with warm caches a call reads D1 once for its secrets, and not at all without any", async () => {
	const plain = await agentWith({});
	const secret = await agentWith({ auth: { type: "bearer", secret_name: "API_TOKEN" } });
	for (const { key, path } of [plain, secret]) await tripsOfCall(key, path);
	expect((await tripsOfCall(plain.key, plain.path)).reads).toEqual([]);
	const { reads, writes } = await tripsOfCall(secret.key, secret.path);
	expect(reads).toEqual([[expect.stringMatching(/^select .* from "vault_entries"/)]]);
	expect(writes.filter((text) => /"tool_calls"/.test(text))).toEqual([
		expect.stringMatching(/^insert into "tool_calls"/),
	]);
});

test("a call with a cold cache reads its agent in one round trip", async () => {
	const { key, path } = await agentWith({});
	const { reads } = await tripsOfCall(key, path);
	expect(reads.filter((texts) => texts.some((text) => /"agent_versions"/.test(text)))).toHaveLength(1);
});
