import { env } from "cloudflare:workers";
import { RunResult, type ToolRun } from "@parley/contracts/agents/tool-runs";
import type { PublishResult, Tool, ToolVersion } from "@parley/contracts/agents/tools";
import type { RunCode } from "@parley/contracts/internal/python-rpc";
import { issueKey } from "@parley/testing/organisation";
import { describe, expect, test } from "vitest";
import { type Client, createClient, request } from "../../../test/client.ts";
import { builtTool, GOOD_RUN, refused, withSandbox } from "../../../test/code-tools.ts";
import { getTool, putSecret, refusal, runTool } from "../../../test/tools.ts";
import type { Ctx } from "../../context.ts";
import { runTool as run } from "../run-tool.ts";

const PATH = "/v1/agents/tools";
const INPUT = { sample_input: {}, confirm_side_effects: true };
const SECRET = "s3cr3t-canary-7f21";
const historyOf = async (client: Client, { id }: { id: string }) =>
	(await client.call<{ items: ToolRun[] }>("GET", `${PATH}/${id}/runs`)).body.items;

/** Returns the request that a run sends to the sandbox. */
async function requestOf(
	ctx: Ctx,
	{ id }: Tool,
	sample_input: Record<string, unknown> = {},
): Promise<RunCode> {
	let seen: RunCode | undefined;
	const sandbox = {
		run: async (request: RunCode) => {
			seen = request;
			return GOOD_RUN;
		},
	};
	await run(withSandbox(ctx, sandbox), id, { ...INPUT, sample_input });
	return seen!;
}

describe("a run of code", () => {
	test("sends the declared secrets, the arguments with defaults and the build's result to the sandbox", async () => {
		const client = await createClient();
		await putSecret(client, "TOKEN", SECRET);
		await putSecret(client, "OTHER", "another-value-51");
		await putSecret(client, "CITY", "Oslo", "variable");
		const properties = { city: {}, days: {}, unit: {} };
		const arg_schema = { type: "object", properties, additionalProperties: false };
		const rest = {
			...{ declared_secrets: ["TOKEN"], dependencies: ["attrs==25.3.0"] },
			argument_defaults: { city: "{{$CITY}}", days: 2, unit: "C" },
		};
		const tool = await builtTool(client, { build: { arg_schema } }, rest);
		const asked = await requestOf(client.ctx(), tool, { unit: "F" });
		expect(asked).toEqual({
			...{ code_src: tool.code_src, arg_schema, output_schema: null, timeout_ms: 30_000 },
			...{ secrets: { TOKEN: SECRET }, arguments: { city: "Oslo", days: 2, unit: "F" } },
			frozen_deps: [expect.objectContaining({ name: "attrs", version: "25.3.0" })],
		});
	});

	test("validates the output against the return annotation, or else the configuration", async () => {
		const client = await createClient();
		const [annotated, configured] = [{ type: "integer" }, { type: "string" }];
		const config = { type: "code", output_schema: configured };
		const comparedWith = async (output_schema: object | null, rest: object) =>
			(await requestOf(client.ctx(), await builtTool(client, { build: { output_schema } }, rest)))
				.output_schema;
		expect(await comparedWith(annotated, { config })).toEqual(annotated);
		expect(await comparedWith(null, { config })).toEqual(configured);
		expect(await comparedWith(null, {})).toBeNull();
	});

	test("proves the content if it succeeds, so that it can be published", async () => {
		const client = await createClient();
		const tool = await builtTool(client, { run: { output: [1] } }, { dependencies: ["attrs==25.3.0"] });
		const { status, body } = await runTool(client, tool);
		expect([status, RunResult.parse(body)]).toEqual([200, body]);
		expect(body).toMatchObject({
			...{ status: "succeeded", output_json: [1], validation: "na", error: null },
			...{ proven_hash: tool.content_hash, gate_status: { green_run: { passed: true } } },
		});
		const published = await client.call<PublishResult>("POST", `${PATH}/${tool.id}/publish`);
		expect([published.status, published.body.version_number]).toEqual([200, 1]);
		const version = (await client.call<ToolVersion>("GET", `${PATH}/${tool.id}/versions/1`)).body;
		expect(version).toMatchObject({
			frozen_deps: [{ name: "attrs", version: "25.3.0", sha256: expect.any(String) }],
			snapshot_json: { argument_schema: tool.arg_schema },
		});
	});

	test("redacts its secrets wherever the tool writes them", async () => {
		const client = await createClient();
		await putSecret(client, "TOKEN", SECRET);
		await putSecret(client, "KEY", `${SECRET}-too`);
		const said = `it is ${SECRET}`;
		const rest = { declared_secrets: ["TOKEN"], argument_defaults: { key: "{{$KEY}}" } };
		const error = { code: "EXCEPTION", message: said, traceback: `line 1\n${said}` };
		const tools = await Promise.all([
			builtTool(client, { run: { logs: [said, btoa(said)] } }, rest),
			builtTool(client, { run: { status: "failed", error, logs: [said] } }, rest),
			builtTool(
				client,
				{ run: { validation: "mismatch", mismatches: [{ path: said, message: said }] } },
				rest,
			),
			builtTool(client, { run: refused("INVALID_ARGUMENTS", said, [{ path: "key", message: said }]) }, rest),
		]);
		for (const tool of tools) {
			const { body } = await runTool(client, tool, { said });
			const seen = JSON.stringify([body, await historyOf(client, tool)]);
			expect(seen).toContain("[redacted]");
			expect(seen).not.toContain(SECRET);
			expect(seen).not.toContain(btoa(said));
		}
	});

	test("fails with the tool's own traceback if the tool raises or takes too long", async () => {
		const client = await createClient();
		const traceback =
			'Traceback (most recent call last):\n  File "tool.py", line 2, in handler\nKeyError: 1\n';
		for (const [status, code] of [
			["failed", "EXCEPTION"],
			["timed_out", "TIMED_OUT"],
		] as const) {
			const error = { code, message: "KeyError: 1", traceback };
			const tool = await builtTool(client, { run: { status, error, logs: ["before"] } });
			const { body } = await runTool(client, tool);
			expect(body).toMatchObject({
				...{ status, output_json: null, logs: ["before"], validation: "na", proven_hash: null },
				error: { code, message: `KeyError: 1\n\n${traceback.trimEnd()}` },
			});
			expect((await getTool(client, tool)).last_run_status).toBe(status);
			expect(await historyOf(client, tool)).toMatchObject([
				{ status, error: body.error, version_number: null },
			]);
		}
	});

	test("proves nothing if the output violates the schema, and logs the differences", async () => {
		const client = await createClient();
		const mismatches = [{ path: "n", message: "Must be a whole number" }];
		const tool = await builtTool(client, { run: { validation: "mismatch", mismatches, logs: ["printed"] } });
		expect((await runTool(client, tool)).body).toMatchObject({
			...{ status: "succeeded", validation: "mismatch", proven_hash: null },
			logs: ["printed", "output n: Must be a whole number"],
		});
	});

	test("reports truncated logs in its result and in the history", async () => {
		const client = await createClient();
		for (const logs_truncated of [true, false]) {
			const tool = await builtTool(client, { run: { logs: ["printed"], logs_truncated } });
			expect((await runTool(client, tool)).body).toMatchObject({ logs: ["printed"], logs_truncated });
			expect(await historyOf(client, tool)).toMatchObject([{ logs: ["printed"], logs_truncated }]);
		}
	});

	test("is not recorded if the sandbox rejects its arguments", async () => {
		const client = await createClient();
		const fields = [{ path: "person.age", message: "Must be a whole number" }];
		const tool = await builtTool(client, { run: refused("INVALID_ARGUMENTS", "bad", fields) });
		const { status, body } = await runTool(client, tool);
		expect([status, body.error?.code]).toEqual([422, "VALIDATION_FAILED"]);
		expect((body as { error: object }).error).toMatchObject({
			fields: [{ path: "sample_input.person.age", message: "Must be a whole number" }],
		});
		expect(await historyOf(client, tool)).toEqual([]);
		expect((await getTool(client, tool)).last_run_status).toBeNull();
	});

	test("names a default that the sandbox rejects", async () => {
		const client = await createClient();
		const fields = ["person.age", "personal", "city"].map((path) => ({
			path,
			message: "Must be a whole number",
		}));
		const script = { run: refused("INVALID_ARGUMENTS", "bad", fields) };
		const tool = await builtTool(client, script, { argument_defaults: { person: "Ada", city: "Oslo" } });
		const { body } = await runTool(client, tool, { city: 1, personal: 1 });
		expect(body.error).toMatchObject({
			message: "argument_defaults.person.age: Must be a whole number",
			fields: [
				{ path: "argument_defaults.person.age" },
				{ path: "sample_input.personal" },
				{ path: "sample_input.city" },
			],
		});
	});

	test("fails before calling the sandbox if a declared secret is missing", async () => {
		const client = await createClient();
		const tool = await builtTool(client, {}, { declared_secrets: ["TOKEN"] });
		const error = (message: string) => ({
			status: "failed",
			error: { code: "MISSING_VAULT_ENTRY", message },
		});
		expect((await runTool(client, tool)).body).toMatchObject(error("Vault entry not found: TOKEN"));
		await putSecret(client, "TOKEN", "not-a-secret", "variable");
		expect((await runTool(client, tool)).body).toMatchObject(error("TOKEN is a variable, not a secret"));
	});

	test("hints at an undeclared vault entry if the key may read the vault", async () => {
		const client = await createClient();
		await putSecret(client, "TOKEN", SECRET);
		await putSecret(client, "CITY", "Oslo", "variable");
		await putSecret(client, "DECLARED", "another-value-51");
		const messageOf = async (key: string, apiKey = client.key) => {
			const error = { code: "EXCEPTION", message: `KeyError: '${key}'`, traceback: null };
			const script = { run: { status: "failed", error } };
			const { id } = await builtTool(client, script, { declared_secrets: ["DECLARED"] });
			return (await request<RunResult>(apiKey, "POST", `${PATH}/${id}/run`, INPUT)).body.error?.message;
		};
		expect(await messageOf("TOKEN")).toBe(
			"KeyError: 'TOKEN'\n\nThe vault has a secret TOKEN: add it to declared_secrets",
		);
		expect(await messageOf("CITY")).toBe(
			"KeyError: 'CITY'\n\nThe vault has a variable CITY: use it as the default of an argument, {{$CITY}}",
		);
		for (const key of ["DECLARED", "NOWHERE", "token"])
			expect(await messageOf(key)).toBe(`KeyError: '${key}'`);
		const runner = await issueKey(env.DB, client.id, { scopes: ["tools:run"] });
		expect(await messageOf("TOKEN", runner.key)).toBe("KeyError: 'TOKEN'");
	});

	test("fails if the sandbox does not answer, and is not recorded if the sandbox is full", async () => {
		const client = await createClient();
		const lost = await builtTool(client, { run: { throws: "the network is down" } });
		expect((await runTool(client, lost)).body).toMatchObject({
			...{ status: "failed", error: { code: "SANDBOX_ERROR" }, output_json: null },
		});
		const full = await builtTool(client, { run: refused("SANDBOX_OVERLOADED", "full") });
		const { status, headers } = await runTool(client, full);
		expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
		const gone = await builtTool(client, { run: refused("WHEEL_MISSING", "attrs is gone") });
		expect((await runTool(client, gone)).body.error).toEqual({
			code: "WHEEL_MISSING",
			message: "attrs is gone",
		});
	});

	test("must be confirmed", async () => {
		const client = await createClient();
		const { id } = await builtTool(client);
		expect(await refusal(client.call("POST", `${PATH}/${id}/run`))).toEqual([422, "VALIDATION_FAILED"]);
	});

	test("is rejected with TOOL_CHANGED and updates nothing if the tool changes meanwhile", async () => {
		const client = await createClient();
		const tool = await builtTool(client);
		const sandbox = {
			run: async () => {
				await client.call("PATCH", `${PATH}/${tool.id}`, { code_src: "{} " });
				return GOOD_RUN;
			},
		};
		const answer = run(withSandbox(client.ctx(), sandbox), tool.id, INPUT);
		await expect(answer).rejects.toMatchObject({ code: "TOOL_CHANGED" });
		expect(await getTool(client, tool)).toMatchObject({
			last_run_status: null,
			is_current_hash_green: false,
		});
		expect((await historyOf(client, tool)).map(({ content_hash }) => content_hash)).toEqual([
			tool.content_hash,
		]);
	});
});
