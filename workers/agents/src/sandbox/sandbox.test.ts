import type { CodeRunResult } from "@parley/contracts/internal/python-rpc";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import {
	builtTool,
	codeTool,
	GOOD_RUN,
	introspect,
	later,
	refused,
	withSandbox,
} from "../../test/code-tools.ts";
import { getTool } from "../../test/tools.ts";
import type { Ctx } from "../context.ts";
import { runTool as run } from "../runs/run-tool.ts";
import { introspectTool } from "../tools/builds/build-tool.ts";
import { prepareSlot } from "./sandbox.ts";

const INPUT = { sample_input: {}, confirm_side_effects: true };

const limited = (ctx: Ctx, limit = 2): Ctx => ({
	...ctx,
	env: { ...ctx.env, CODE_RUNS_AT_ONCE: String(limit) },
});

/** Creates a sandbox whose runs end when the test releases them. */
function heldRuns() {
	const held = Promise.withResolvers<CodeRunResult>();
	let inside = 0;
	const sandbox = {
		run: () => {
			inside++;
			return held.promise;
		},
	};
	return { sandbox, inside: () => inside, release: () => held.resolve(GOOD_RUN) };
}

test("an organisation has the configured number of slots and does not delay others", async () => {
	const [client, other] = [await createClient(), await createClient()];
	const [tool, foreign] = [await builtTool(client), await builtTool(other)];
	const { sandbox, inside, release } = heldRuns();
	const ctx = limited(withSandbox(client.ctx(), sandbox));
	const running = [run(ctx, tool.id, INPUT), run(ctx, tool.id, INPUT)];
	await expect.poll(inside).toBe(2);
	const refusal = { code: "RATE_LIMITED", headers: { "retry-after": expect.stringMatching(/^\d+$/) } };
	await expect(run(ctx, tool.id, INPUT)).rejects.toMatchObject(refusal);
	await expect(introspectTool(ctx, tool.id)).rejects.toMatchObject(refusal);
	expect((await getTool(client, tool)).build?.state).toBe("built");
	expect((await run(limited(other.ctx()), foreign.id, INPUT)).status).toBe("succeeded");
	release();
	await Promise.all(running);
	expect((await run(limited(client.ctx()), tool.id, INPUT)).status).toBe("succeeded");
});

test("the number of concurrent runs never exceeds the slots", async () => {
	const client = await createClient();
	const tool = await builtTool(client);
	for (let round = 0; round < 10; round++) {
		const { sandbox, inside, release } = heldRuns();
		const ctx = limited(withSandbox(client.ctx(), sandbox), 3);
		const codes: string[] = [];
		const runs = Array.from({ length: 8 }, () =>
			run(ctx, tool.id, INPUT).catch(({ code }: { code: string }) => codes.push(code)),
		);
		await expect.poll(() => codes).toEqual(Array(5).fill("RATE_LIMITED"));
		await expect.poll(inside).toBe(3);
		release();
		await Promise.all(runs);
		expect([inside(), codes.length]).toEqual([3, 5]);
	}
});

test("a slot is free after a crash when its lease expires", async () => {
	const client = await createClient();
	const tool = await builtTool(client);
	const ctx = limited(client.ctx(), 1);
	await ctx.db.batch(prepareSlot(ctx).acquire);
	await expect(run(ctx, tool.id, INPUT)).rejects.toMatchObject({ code: "RATE_LIMITED" });
	expect((await run(limited(later(client.ctx(), 31_000), 1), tool.id, INPUT)).status).toBe("succeeded");
});

test("a failed run always releases its slot", async () => {
	const client = await createClient();
	const scripts = [
		{ run: { throws: "down" } },
		{ run: refused("INVALID_ARGUMENTS", "bad") },
		{ run: { status: "failed", error: { code: "EXITED", message: "exit", traceback: null } } },
		{ build: { throws: "down" } },
	];
	const ctx = limited(client.ctx(), 1);
	for (const script of scripts) {
		const tool = await codeTool(client, script);
		await introspectTool(ctx, tool.id);
		await run(ctx, tool.id, INPUT).catch(() => {});
	}
	expect((await introspect(client, await codeTool(client))).status).toBe(200);
	const last = await builtTool(client);
	expect((await run(ctx, last.id, INPUT)).status).toBe("succeeded");
});
