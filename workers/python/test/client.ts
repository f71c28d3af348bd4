// Calls the sandbox as another worker would.
import type {
	BuildCode,
	CodeBuild,
	CodeIntrospection,
	CodeResolution,
	CodeRunResult,
	IntrospectCode,
	RunCode,
} from "@parley/contracts/internal/python-rpc";
import { inject } from "vitest";

async function call<T>(method: string, input: unknown): Promise<T> {
	const response = await fetch(`${inject("callerUrl")}/${method}`, {
		method: "POST",
		body: JSON.stringify(input),
	});
	const answer = (await response.json()) as T & { thrown?: string };
	if (answer.thrown) throw new Error(answer.thrown);
	return answer;
}

export const resolve = (dependencies: string[]) => call<CodeResolution>("resolve", dependencies);

export const build = (code_src: string, dependencies: string[] = [], more: Partial<BuildCode> = {}) =>
	call<CodeBuild>("build", { code_src, dependencies, declared_secrets: [], ...more });

export const introspect = (code_src: string, more: Partial<IntrospectCode> = {}) =>
	call<CodeIntrospection>("introspect", { code_src, frozen_deps: [], declared_secrets: [], ...more });

export const run = (code_src: string, more: Partial<RunCode> = {}) =>
	call<CodeRunResult>("run", {
		code_src,
		frozen_deps: [],
		arguments: {},
		arg_schema: null,
		output_schema: null,
		secrets: {},
		...more,
	});

/** The output of a run that must succeed. */
export async function output(code_src: string, more: Partial<RunCode> = {}): Promise<unknown> {
	const result = await run(code_src, more);
	if (result.status !== "succeeded") throw new Error(JSON.stringify(result.error));
	return result.output;
}

/** The description of a tool that must build. */
export async function describeTool(code_src: string, more: Partial<IntrospectCode> = {}) {
	const result = await introspect(code_src, more);
	if (!result.ok) throw new Error(JSON.stringify(result.errors));
	return result.tool;
}

/** Builds a tool, then runs it with the schemas of the build. */
export async function buildAndRun(code_src: string, args: Record<string, unknown>): Promise<CodeRunResult> {
	const { arg_schema, output_schema } = await describeTool(code_src);
	return await run(code_src, { arguments: args, arg_schema, output_schema });
}

export type HarnessReport =
	| { entry: string; summary: string; arg_schema: Record<string, unknown>; output_schema: unknown }
	| { code: string; message: string };

/** Returns the harness's report on each source, from one sandbox because each start takes time. */
export async function describeAll(sources: string[]): Promise<HarnessReport[]> {
	const asking = `
from _parley import entry, failure

def handler(sources: list):
    return [look(source) for source in sources]

def look(source):
    try:
        found = entry.Entry(entry.load(source))
        return {"entry": found.name, "summary": found.summary, "arg_schema": found.argument_schema(), "output_schema": found.output_schema()}
    except BaseException as error:
        shown = failure.report(error)
        return {"code": shown["code"], "message": shown["message"]}
`;
	return (await output(asking, { arguments: { sources } })) as HarnessReport[];
}
