import { Tool } from "@parley/contracts/agents/tools";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/client.ts";
import {
	buildError,
	builtTool,
	codeTool,
	goodBuild,
	introspect,
	withSandbox,
} from "../../../test/code-tools.ts";
import { createRequest, getTool, runTool } from "../../../test/tools.ts";
import { introspectTool } from "./build-tool.ts";

const PATH = "/v1/agents/tools";
const TEXT = { type: "string" };
const NOT_REACHED = { passed: false, detail: "Not reached: the build failed earlier" };
const PASSED = { passed: true, detail: null };

const patch = async (client: Client, { id }: { id: string }, body: object): Promise<Tool> =>
	(await client.call<Tool>("PATCH", `${PATH}/${id}`, body)).body;
const duplicate = async (client: Client, { id }: { id: string }): Promise<Tool> =>
	(await client.call<Tool>("POST", `${PATH}/${id}/duplicate`)).body;
describe("a build", () => {
	test("reads the arguments from the source and passes the gates", async () => {
		const client = await createClient();
		const arg_schema = { type: "object", properties: { city: TEXT }, additionalProperties: false };
		const tool = await codeTool(client, { build: { arg_schema } }, { dependencies: ["attrs==25.3.0"] });
		const { status, body } = await introspect(client, tool);
		expect(status).toBe(200);
		expect(Tool.parse(body)).toEqual(body);
		expect(body).toMatchObject({
			...{ arg_schema, schema_stale: false, revision: 1, content_hash: tool.content_hash },
			build: { state: "built", detail: null, built_at: expect.any(String) },
			gate_status: {
				static: { parse: PASSED, schema: PASSED },
				...{ code_environment: PASSED, content_current: PASSED, green_run: { passed: false } },
			},
		});
		expect(await getTool(client, tool)).toEqual(body);
		const listed = await client.call<Tool[]>("GET", `${PATH}?name=${tool.name}`);
		expect(listed.body[0]?.arg_schema).toEqual(arg_schema);
	});

	test("reports why it failed at the gate that failed", async () => {
		const client = await createClient();
		const gatesAfter = async (...errors: Parameters<typeof buildError>[0][]) => {
			const tool = await codeTool(client, { build: { ok: false, errors: errors.map(buildError) } });
			const { build, gate_status } = (await introspect(client, tool)).body;
			const { parse, schema } = gate_status.static ?? {};
			return { build, parse, schema, code_environment: gate_status.code_environment };
		};
		const failed = (detail: string) => ({ state: "failed", detail, built_at: null });
		const why = (detail: string) => ({ passed: false, detail });
		expect(await gatesAfter({ code: "SYNTAX_ERROR", gate: "parse", message: "bad line 1" })).toEqual({
			...{ build: failed("bad line 1"), parse: why("bad line 1"), schema: NOT_REACHED },
			code_environment: why("The build failed"),
		});
		expect(
			await gatesAfter({ code: "UNSUPPORTED_PARAMETER", gate: "schema", message: "*args" }),
		).toMatchObject({
			...{ parse: PASSED, schema: why("*args"), code_environment: why("The build failed") },
		});
		const message = "greetlib also needs shoutlib: pin it";
		const missing = { code: "DEPENDENCY_MISSING_PIN", gate: "code_environment", message } as const;
		const lost = { code: "DEPENDENCY_NOT_FOUND", gate: "code_environment", message: "no a==1" } as const;
		expect(await gatesAfter(missing, lost)).toEqual({
			build: failed(`${message}\nno a==1`),
			...{ parse: NOT_REACHED, schema: NOT_REACHED, code_environment: why(`${message}\nno a==1`) },
		});
	});

	test("shows the traceback if the import raises", async () => {
		const client = await createClient();
		const error = buildError({ code: "EXCEPTION", gate: "code_environment", message: "ValueError: no" });
		const traceback = 'Traceback\n  File "tool.py", line 3\nValueError: no\n';
		const tool = await codeTool(client, { build: { ok: false, errors: [{ ...error, traceback }] } });
		const { build } = (await introspect(client, tool)).body;
		expect(build?.detail).toBe(`ValueError: no\n\n${traceback.trimEnd()}`);
	});

	test("fails and can be retried if the sandbox does not answer", async () => {
		const client = await createClient();
		const tool = await codeTool(client, { build: { throws: "the network is down" } });
		const { build } = (await introspect(client, tool)).body;
		expect(build).toMatchObject({ state: "failed", detail: "The sandbox did not answer; try again" });
		expect((await introspectTool(withSandbox(client.ctx(), fixed()), tool.id)).build?.state).toBe("built");
	});

	test("returns tools of other types unchanged", async () => {
		const client = await createClient();
		const tool = await createRequest(client, { url: "https://api.example/" });
		expect((await introspect(client, tool)).body).toEqual(tool);
	});

	test("takes the organisation's switch", async () => {
		const client = await createClient();
		const tool = await codeTool(client);
		const ctx = client.ctx();
		const organisation = { ...ctx.actor.organisation, features: { code_tools: false } };
		const off = { ...ctx, actor: { ...ctx.actor, organisation } };
		await expect(introspectTool(off, tool.id)).rejects.toMatchObject({ code: "FEATURE_DISABLED" });
	});
});

const fixed = (properties?: object) => ({ build: async () => goodBuild(properties) });

describe("the result of a build", () => {
	test("is stale only after its source, secrets or packages change", async () => {
		const client = await createClient();
		const tool = await builtTool(client, {}, { dependencies: ["Attrs==25.3.0"] });
		for (const change of [
			{ description: "new" },
			{ argument_defaults: { a: 1 } },
			{ config: { type: "code", output_schema: {} } },
			{ dependencies: ["attrs==25.3.0"] },
		]) {
			const changed = await patch(client, tool, change);
			expect(changed).toMatchObject({ build: { state: "built" }, schema_stale: false });
			expect(changed.gate_status.content_current).toEqual(PASSED);
		}
		for (const [change, back] of [
			[{ code_src: "{} " }, { code_src: tool.code_src }],
			[{ declared_secrets: ["A"] }, { declared_secrets: [] }],
			[{ dependencies: [] }, { dependencies: ["attrs==25.3.0"] }],
		] as const) {
			const changed = await patch(client, tool, change);
			expect(changed).toMatchObject({
				...{ build: { state: "not_built", detail: null }, schema_stale: true, arg_schema: tool.arg_schema },
				gate_status: {
					static: { parse: { passed: false }, schema: { passed: false } },
					content_current: { passed: false, detail: "The code changed after it was built" },
				},
			});
			const { status, body } = await runTool(client, changed);
			const message = `The tool's code is not built; POST ${PATH}/${tool.id}/introspect builds it`;
			expect([status, body.error]).toEqual([
				409,
				expect.objectContaining({ code: "TOOL_NOT_BUILT", message }),
			]);
			const restored = await patch(client, tool, back);
			expect(restored).toMatchObject({ build: { state: "built" }, schema_stale: false });
		}
	});

	test("reveals defaults without an argument", async () => {
		const client = await createClient();
		const arg_schema = { type: "object", properties: { city: TEXT }, additionalProperties: false };
		const tool = await builtTool(client, { build: { arg_schema } }, { argument_defaults: { town: "Oslo" } });
		const detail = "argument_defaults.town: the tool has no such argument";
		expect(tool.gate_status.config_valid).toEqual({ passed: false, detail });
		const open = { build: { arg_schema: { ...arg_schema, additionalProperties: true } } };
		const changed = await patch(client, tool, { code_src: JSON.stringify(open) });
		// Arguments that have not been read from this source yet cannot be checked.
		expect(changed.gate_status.config_valid).toEqual(PASSED);
		expect((await introspect(client, tool)).body.gate_status.config_valid).toEqual(PASSED);
	});

	test("is kept when another source fails to build, but does not count for that source", async () => {
		const client = await createClient();
		const tool = await builtTool(client);
		const errors = [buildError({ code: "SYNTAX_ERROR", gate: "parse", message: "bad" })];
		await patch(client, tool, { code_src: JSON.stringify({ build: { ok: false, errors } }) });
		const failed = (await introspect(client, tool)).body;
		expect(failed).toMatchObject({ build: { state: "failed" }, schema_stale: true });
		expect((await runTool(client, failed)).body.error?.message).toMatch(
			/introspect builds it\. The last build failed: bad$/,
		);
		const restored = await patch(client, tool, { code_src: tool.code_src });
		expect(restored).toMatchObject({ build: tool.build, schema_stale: false, arg_schema: tool.arg_schema });
	});

	test("is copied to a duplicate; a failed or missing build is not", async () => {
		const client = await createClient();
		const tool = await builtTool(client, {}, { dependencies: ["attrs==25.3.0"] });
		const copy = await duplicate(client, tool);
		expect(copy).toMatchObject({
			...{ build: tool.build, arg_schema: tool.arg_schema, schema_stale: false },
			is_current_hash_green: false,
		});
		expect((await runTool(client, copy)).body.output_json).toMatchObject({
			frozen_deps: [{ name: "attrs" }],
		});
		const stale = await patch(client, tool, { code_src: "{} " });
		expect((await duplicate(client, stale)).build).toEqual({
			...{ state: "not_built", detail: null, built_at: null },
		});
	});
});
