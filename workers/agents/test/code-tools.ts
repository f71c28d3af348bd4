import type { Tool } from "@parley/contracts/agents/tools";
import type { BuildError, CodeBuild, CodeRunResult, PythonRpc } from "@parley/contracts/internal/python-rpc";
import type { Ctx } from "../src/context.ts";
import type { Client } from "./client.ts";
import { createTool } from "./tools.ts";

/** Answer of `python-stand-in.mjs` for a tool: members of the answer, or `throws`. */
export type Script = { build?: object; run?: object };

/** Creates a tool whose source contains the stand-in's answer. */
export const codeTool = (client: Client, script: Script = {}, rest: object = {}): Promise<Tool> =>
	createTool(client, { code_src: JSON.stringify(script), ...rest });

export const introspect = (client: Client, { id }: { id: string }) =>
	client.call<Tool>("POST", `/v1/agents/tools/${id}/introspect`);

export async function builtTool(client: Client, script?: Script, rest?: object): Promise<Tool> {
	const { body } = await introspect(client, await codeTool(client, script, rest));
	if (body.build?.state !== "built") throw new Error(JSON.stringify(body));
	return body;
}

/** Returns the context with another sandbox, for service functions that are called directly. */
export const withSandbox = (ctx: Ctx, sandbox: Partial<PythonRpc>): Ctx => ({
	...ctx,
	env: { ...ctx.env, PYTHON: sandbox as never },
});

/** Returns the context of a request `ms` later. */
export const later = (ctx: Ctx, ms: number): Ctx => ({ ...ctx, clock: () => new Date(Date.now() + ms) });

/** Creates a sandbox whose build starts and ends under the test's control. */
export function heldBuild() {
	const asked = Promise.withResolvers<void>();
	const answer = Promise.withResolvers<CodeBuild>();
	const build = () => {
		asked.resolve();
		return answer.promise;
	};
	return { build, asked: asked.promise, finish: answer.resolve };
}

/** Returns a successful build with these arguments. */
export const goodBuild = (properties: object = {}): CodeBuild => ({
	...{ ok: true, frozen_deps: [], logs: [], logs_truncated: false },
	tool: {
		...{ entry: "handler", description: "", is_async: false, runtime_id: "test", output_schema: null },
		arg_schema: { type: "object", properties, additionalProperties: false },
	},
});

export const buildError = (error: Pick<BuildError, "code" | "gate" | "message">): BuildError => ({
	...{ traceback: null, dependency: null, suggested_pin: null },
	...error,
});

/** Result of a successful run. */
export const GOOD_RUN: CodeRunResult = {
	status: "succeeded",
	output: null,
	validation: "na",
	...{ mismatches: [], error: null, logs: [], logs_truncated: false, latency_ms: 1 },
};

/** Returns the sandbox's answer to a run that it rejects. */
export const refused = (code: string, message: string, fields: object[] = []) => ({
	status: "refused",
	error: { code, message, fields },
});
