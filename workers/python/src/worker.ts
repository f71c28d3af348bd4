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
import { type Execute, inFreshInterpreter, runTool } from "./run.ts";
import { recipeOf } from "./spares/recipe.ts";
import { withSpares } from "./spares/with-spares.ts";

export { SpareInterpreters } from "./spares/spare-interpreters.ts";

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
		return runTool(request, this.#execute(request));
	}

	#execute(request: RunCode): Execute {
		const { organisation_id } = request;
		const fresh = inFreshInterpreter(this.#ctx, request);
		if (!organisation_id || this.#ctx.maxSpareSandboxes === 0) return fresh;
		const spares = this.env.SPARES.getByName(organisation_id);
		const defer = (work: Promise<unknown>) => this.ctx.waitUntil(work);
		return withSpares({ spares, recipe: recipeOf(request), defer }, fresh);
	}
}

export default {
	fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<Env>;
