import { env } from "cloudflare:workers";
import type { Tool } from "@parley/contracts/agents/tools";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/client.ts";
import {
	builtTool,
	codeTool,
	GOOD_RUN,
	goodBuild,
	heldBuild,
	introspect,
	later,
	withSandbox,
} from "../../../test/code-tools.ts";
import { getTool, refusal, runTool } from "../../../test/tools.ts";
import { findPinnedVersions, pinKey } from "../../agents/attachments/pinned-versions.ts";
import type { Ctx } from "../../context.ts";
import { runTool as runDraft } from "../../runs/run-tool.ts";
import { preparationOf } from "../../upgrades/preview.ts";
import { readTool } from "../find-tool.ts";
import { getTool as read } from "../tools.service.ts";
import { finishBuild, introspectTool, startBuild } from "./build-tool.ts";

const PATH = "/v1/agents/tools";
const TEXT = { type: "string" };
const patch = async (client: Client, { id }: { id: string }, body: object): Promise<Tool> =>
	(await client.call<Tool>("PATCH", `${PATH}/${id}`, body)).body;
/** Waits so briefly that every build continues after the answer. */
const hasty = (ctx: Ctx): Ctx => ({ ...ctx, env: { ...ctx.env, CODE_BUILD_WAIT_MS: "1" } });
const stateOf = async (client: Client, tool: { id: string }) =>
	(await getTool(client, tool as Tool)).build?.state;

const fixed = (properties?: object) => ({ build: async () => goodBuild(properties) });

describe("a build that runs", () => {
	test("continues after the answer, and other requests see that it is running", async () => {
		const client = await createClient();
		const tool = await codeTool(client);
		const held = heldBuild();
		const ctx = hasty(withSandbox(client.ctx(), held));
		expect((await introspectTool(ctx, tool.id)).build).toMatchObject({ state: "building" });
		expect((await introspect(client, tool)).body.build).toMatchObject({ state: "building" });
		expect(await refusal(runTool(client, tool))).toEqual([409, "TOOL_NOT_BUILT"]);
		expect((await getTool(client, tool)).gate_status.code_environment).toEqual({
			...{ passed: false, detail: "The code is being built" },
		});
		held.finish(goodBuild({ a: TEXT }));
		await expect.poll(() => stateOf(client, tool)).toBe("built");
		expect((await getTool(client, tool)).arg_schema).toMatchObject({ properties: { a: TEXT } });
	});

	test("is dropped when the source changes, and the new source can be built at once", async () => {
		const client = await createClient();
		const tool = await codeTool(client);
		const held = heldBuild();
		const first = introspectTool(withSandbox(client.ctx(), held), tool.id);
		await held.asked;
		const changed = await patch(client, tool, { code_src: "{} " });
		expect(changed.build).toEqual({ state: "not_built", detail: null, built_at: null });
		const second = await introspectTool(withSandbox(client.ctx(), fixed({ second: TEXT })), tool.id);
		held.finish(goodBuild({ first: TEXT }));
		expect((await first).arg_schema).toMatchObject({ properties: { second: TEXT } });
		expect(await getTool(client, tool)).toEqual(second);
	});

	test("continues if the tool changes in a way that does not affect the build", async () => {
		const client = await createClient();
		const tool = await codeTool(client);
		const held = heldBuild();
		const answer = introspectTool(withSandbox(client.ctx(), held), tool.id);
		await held.asked;
		await patch(client, tool, { name: `${tool.name}-2`, description: "new" });
		held.finish(goodBuild({ a: TEXT }));
		expect(await answer).toMatchObject({
			description: "new",
			build: { state: "built" },
			schema_stale: false,
		});
	});

	test("ends with 404 if the tool is deleted meanwhile", async () => {
		const client = await createClient();
		const tool = await codeTool(client);
		const held = heldBuild();
		const answer = introspectTool(withSandbox(client.ctx(), held), tool.id);
		await held.asked;
		await client.call("DELETE", `${PATH}/${tool.id}`);
		held.finish(goodBuild());
		await expect(answer).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
	});

	test("frees its tool when its lease expires after a crash", async () => {
		const client = await createClient();
		const tool = await codeTool(client);
		await startBuild(client.ctx(), await readTool(client.ctx(), tool.id));
		expect(await stateOf(client, tool)).toBe("building");
		const ctx = withSandbox(later(client.ctx(), 31_000), fixed());
		const { build } = await read(ctx, tool.id);
		expect(build).toMatchObject({ state: "failed", detail: "The build was interrupted; start it again" });
		expect((await introspectTool(ctx, tool.id)).build?.state).toBe("built");
	});

	test("delays upgrades to a version with the same content until it ends or its lease expires", async () => {
		const client = await createClient();
		const tool = await builtTool(client);
		await runTool(client, tool);
		await client.call("POST", `${PATH}/${tool.id}/publish`);
		const pin = { tool_id: tool.id, version: 1 };
		const preparation = async (ctx: Ctx) =>
			preparationOf((await findPinnedVersions(ctx, [pin])).get(pinKey(pin))!);
		const build = await startBuild(client.ctx(), await readTool(client.ctx(), tool.id));
		expect(await preparation(client.ctx())).toBe("preparing");
		expect(await preparation(later(client.ctx(), 31_000))).toBe("failed");
		await finishBuild(withSandbox(client.ctx(), fixed()), build!);
		expect(await preparation(client.ctx())).toBe("ready");
	});

	test("writes nothing if another build has claimed the tool", async () => {
		const client = await createClient();
		const tool = await codeTool(client);
		const held = heldBuild();
		const lost = introspectTool(withSandbox(client.ctx(), held), tool.id);
		await held.asked;
		const ctx = withSandbox(later(client.ctx(), 31_000), fixed({ other: TEXT }));
		await introspectTool(ctx, tool.id);
		held.finish(goodBuild({ lost: TEXT }));
		expect((await lost).arg_schema).toMatchObject({ properties: { other: TEXT } });
	});
});

test("exactly one of several concurrent introspections builds, in 20 rounds", async () => {
	const client = await createClient();
	for (let round = 0; round < 20; round++) {
		const tool = await codeTool(client);
		let builds = 0;
		const build = async () => {
			builds++;
			await Promise.resolve();
			return goodBuild();
		};
		const ctx = withSandbox(client.ctx(), { build });
		const answers = await Promise.all(Array.from({ length: 4 }, () => introspectTool(ctx, tool.id)));
		expect(builds).toBe(1);
		expect(answers.map((answer) => answer.build?.state)).toContain("built");
	}
});

test("a build is started and ended completely or not at all", async () => {
	const client = await createClient();
	const { id } = await codeTool(client);
	const row = await readTool(client.ctx(), id);
	let build: Awaited<ReturnType<typeof startBuild>>;
	const begin = async (ctx: Ctx) => {
		build = await startBuild(ctx, row);
	};
	expect(await breakEachWrite(env.DB, client.id, (db) => begin(client.ctx(db)))).toBe(8);
	const end = (ctx: Ctx) => finishBuild(withSandbox(ctx, fixed()), build!);
	expect(await breakEachWrite(env.DB, client.id, (db) => end(client.ctx(db)))).toBe(3);
	expect(await stateOf(client, { id })).toBe("built");
});

describe("a proof belongs to the build that ran", () => {
	const wheel = (sha256: string) => ({
		...{ name: "lib", version: "1.0", filename: "lib-1.0-py3-none-any.whl", sha256: sha256.repeat(64) },
	});
	const withWheel = (sha256: string) => ({
		build: async () => ({ ...goodBuild(), frozen_deps: [wheel(sha256)] }),
	});
	const rebuild = (client: Client, { id }: Tool, sandbox: ReturnType<typeof withWheel>) =>
		introspectTool(withSandbox(client.ctx(), sandbox), id);
	const isGreen = async (client: Client, tool: Tool) =>
		(await getTool(client, tool)).gate_status.green_run?.passed;

	test("and survives an identical rebuild but not one with other wheels or arguments", async () => {
		const client = await createClient();
		const tool = await codeTool(client);
		await rebuild(client, tool, withWheel("a"));
		await runTool(client, tool);
		await rebuild(client, tool, withWheel("a"));
		expect(await isGreen(client, tool)).toBe(true);
		await rebuild(client, tool, withWheel("b"));
		expect(await isGreen(client, tool)).toBe(false);
		expect((await client.call("POST", `${PATH}/${tool.id}/publish`)).status).toBe(409);
		await runTool(client, tool);
		expect(await isGreen(client, tool)).toBe(true);
		await introspectTool(withSandbox(client.ctx(), fixed({ other: TEXT })), tool.id);
		expect(await isGreen(client, tool)).toBe(false);
	});

	test("and a run that started before a rebuild proves nothing", async () => {
		const client = await createClient();
		const tool = await codeTool(client);
		await rebuild(client, tool, withWheel("a"));
		const inside = Promise.withResolvers<void>();
		const done = Promise.withResolvers<typeof GOOD_RUN>();
		const run = () => {
			inside.resolve();
			return done.promise;
		};
		const running = runDraft(withSandbox(client.ctx(), { run }), tool.id, {
			...{ sample_input: {}, confirm_side_effects: true },
		});
		await inside.promise;
		await rebuild(client, tool, withWheel("b"));
		done.resolve(GOOD_RUN);
		expect(await running).toMatchObject({ status: "succeeded", proven_hash: null });
		expect(await isGreen(client, tool)).toBe(false);
	});
});
