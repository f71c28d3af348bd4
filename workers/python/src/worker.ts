import { WorkerEntrypoint } from "cloudflare:workers";
import type {
	BuildCode,
	CodeBuild,
	CodeIntrospection,
	CodeResolution,
	CodeRunResult,
	IntrospectCode,
	PythonRpc,
	RunCode,
} from "@parley/contracts/internal/python-rpc";
import { contextOf } from "./context.ts";
import { buildTool, introspectTool, resolvePins } from "./introspect.ts";
import { runTool } from "./run.ts";

export class PythonSandbox extends WorkerEntrypoint<Env> implements PythonRpc {
	#ctx = contextOf(this.env);

	resolve(dependencies: string[]): Promise<CodeResolution> {
		return resolvePins(this.#ctx, dependencies);
	}

	introspect(request: IntrospectCode): Promise<CodeIntrospection> {
		return introspectTool(this.#ctx, request);
	}

	build(request: BuildCode): Promise<CodeBuild> {
		return buildTool(this.#ctx, request);
	}

	run(request: RunCode): Promise<CodeRunResult> {
		return runTool(this.#ctx, request);
	}
}

export default {
	fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<Env>;
