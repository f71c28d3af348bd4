import { env } from "cloudflare:workers";
import { ApiError } from "@parley/contracts/shared/api-error";
import { expect, test } from "vitest";
import { createClient } from "../../../test/client.ts";
import { createEndpoint } from "../../../test/endpoint.ts";
import { liveAgent, namedTool, toolRef } from "../../../test/live-agent.ts";
import type { Ctx } from "../../context.ts";
import { withCallSlot } from "./call-slots.ts";

async function contextWith(limit: number): Promise<Ctx> {
	const client = await createClient();
	const ctx = client.ctx();
	return { ...ctx, env: { ...ctx.env, RUNTIME_CALLS_AT_ONCE: String(limit) } };
}

const refusalOf = (error: unknown) =>
	error instanceof ApiError ? [error.code, error.headers["retry-after"]] : error;

test("of a thousand calls at once as many run as the limit allows, and the others are refused with Retry-After", async () => {
	const ctx = await contextWith(32);
	const agentId = crypto.randomUUID();
	const gate = Promise.withResolvers<void>();
	let [running, most] = [0, 0];
	const call = async () => {
		running++;
		most = Math.max(most, running);
		await gate.promise;
		running--;
	};
	const all = Array.from({ length: 1_000 }, () =>
		withCallSlot(ctx, agentId, call).then(() => "ran", refusalOf),
	);
	await expect.poll(() => running).toBe(32);
	gate.resolve();
	const ended = await Promise.all(all);
	expect(most).toBe(32);
	expect(ended.filter((end) => end === "ran")).toHaveLength(32);
	expect(ended.find((end) => end !== "ran")).toEqual(["RATE_LIMITED", "1"]);
	expect(await withCallSlot(ctx, agentId, async () => "ran")).toBe("ran");
});

test("a call that fails gives its slot back", async () => {
	const ctx = await contextWith(1);
	const agentId = crypto.randomUUID();
	for (let i = 0; i < 3; i++)
		await expect(withCallSlot(ctx, agentId, () => Promise.reject(new Error("broken")))).rejects.toThrow(
			"broken",
		);
});

test("agents do not share slots", async () => {
	const ctx = await contextWith(1);
	const gate = Promise.withResolvers<void>();
	const first = withCallSlot(ctx, crypto.randomUUID(), () => gate.promise);
	expect(await withCallSlot(ctx, crypto.randomUUID(), async () => "ran")).toBe("ran");
	gate.resolve();
	await first;
});

test("a limiter that cannot be reached refuses nobody", async () => {
	const ctx = await contextWith(1);
	const away = {
		getByName: () => ({ lease: () => Promise.reject(new Error("object away")) }),
	};
	const broken: Ctx = { ...ctx, env: { ...ctx.env, CALL_LIMITER: away as never } };
	expect(await withCallSlot(broken, crypto.randomUUID(), async () => "ran")).toBe("ran");
});

test("a thousand calls of one agent at once are each answered with 200 or 429, and nothing stays running", async () => {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await namedTool(client, "forecast", "api_request", {
		config: { url: endpoint.url("slow/50"), http_method: "POST" },
	});
	const { call, agent } = await liveAgent(client, { tool_refs: [toolRef(tool)] });
	const answers = await Promise.all(Array.from({ length: 1_000 }, () => call("forecast")));
	const statuses = new Set(answers.map(({ status }) => status));
	expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([]);
	const ran = answers.filter(({ status }) => status === 200).length;
	const refused = answers.find(({ status }) => status === 429);
	expect([refused?.body.error?.code, refused?.headers.get("retry-after")]).toEqual(["RATE_LIMITED", "1"]);
	const count = (where: string) =>
		env.DB.prepare(
			`select count(*) as n from tool_calls where organisation_id = ? and agent_id = ? and ${where}`,
		)
			.bind(client.id, agent.id)
			.first<number>("n");
	await expect.poll(() => count("status = 'succeeded'"), { timeout: 10_000 }).toBe(ran);
	expect(await count("status = 'running'")).toBe(0);
});
