import type { Tool } from "@parley/contracts/agents/tools";
import type { BuildError, CodeBuild, CodeRunResult, PythonRpc } from "@parley/contracts/internal/python-rpc";
import type { Ctx } from "../src/context.ts";
import type { Client } from "./client.ts";
import { createTool } from "./tools.ts";

/** What `python-stand-in.mjs` answers for a tool: members of the answer, or `throws`. */
export type Script = { build?: object; run?: object };

/** A tool whose source tells the stand-in what to do. */
export const codeTool = (client: Client, script: Script = {}, rest: object = {}): Promise<Tool> =>
	createTool(client, { code_src: JSON.stringify(script), ...rest });

export const introspect = (client: Client, { id }: { id: string }) =>
	client.call<Tool>("POST", `/v1/agents/tools/${id}/introspect`);

export async function builtTool(client: Client, script?: Script, rest?: object): Promise<Tool> {
	const { body } = await introspect(client, await codeTool(client, script, rest));
	if (body.build?.state !== "built") throw new Error(JSON.stringify(body));
	return body;
}

/** The context with another sandbox, for verbs that are called directly. */
export const withSandbox = (ctx: Ctx, sandbox: Partial<PythonRpc>): Ctx => ({
	...ctx,
	env: { ...ctx.env, PYTHON: sandbox as never },
});

/** The context of a request that comes so much later. */
export const later = (ctx: Ctx, ms: number): Ctx => ({ ...ctx, clock: () => new Date(Date.now() + ms) });

/** A sandbox that tells when it was asked and answers when it is let. */
export function heldBuild() {
	const asked = Promise.withResolvers<void>();
	const answer = Promise.withResolvers<CodeBuild>();
	const build = () => {
		asked.resolve();
		return answer.promise;
	};
	return { build, asked: asked.promise, finish: answer.resolve };
}

/** A good build with these arguments. */
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

/** A run that succeeds. */
export const GOOD_RUN: CodeRunResult = {
	status: "succeeded",
	output: null,
	validation: "na",
	...{ mismatches: [], error: null, logs: [], logs_truncated: false, latency_ms: 1 },
};

/** What the sandbox answers to a run that it does not begin. */
export const refused = (code: string, message: string, fields: object[] = []) => ({
	status: "refused",
	error: { code, message, fields },
});
