import { WorkerEntrypoint } from "cloudflare:workers";
import { requireScope } from "@parley/auth/require-scope";
import { type Actor, boundAgent } from "@parley/context/actor";
import { logError } from "@parley/context/log";
import type {
	AgentRuntimeRpc,
	RunningCall,
	RuntimeAgent,
	RuntimeAnswer,
	RuntimeCall,
	RuntimeTarget,
	RuntimeToolset,
} from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import { openDatabase } from "@parley/db/client";
import type { Ctx } from "../context.ts";
import { assertActive, loadAgentInForce, sessionOf } from "./in-force/agent-in-force.ts";
import { resolveTexts } from "./in-force/resolve-texts.ts";
import { type OnProgress, StartedCall } from "./started-call.ts";
import { resolveTools } from "./toolset/resolve-tools.ts";

type Target = RuntimeTarget<Actor>;

/** One agent's tools for the worker that serves MCP clients, which has authenticated the caller. */
export class AgentRuntime extends WorkerEntrypoint<Env> implements AgentRuntimeRpc<Actor> {
	async describe(target: Target): Promise<RuntimeAnswer<RuntimeAgent>> {
		return this.#answer(target, async (ctx) => {
			const agent = await loadAgentInForce(ctx, target.agentId);
			assertActive(agent);
			const variables = sessionOf(ctx)?.variables ?? target.variables ?? {};
			const templates = { system_prompt: agent.config.system_prompt };
			// A placeholder without a value stays as it is: a handshake has no place for a value.
			const { texts } = await resolveTexts(ctx, agent.config, templates, variables);
			return { name: agent.name, version: agent.version, instructions: texts.system_prompt };
		});
	}

	async toolset(target: Target): Promise<RuntimeAnswer<RuntimeToolset>> {
		return this.#answer(target, async (ctx) => {
			const agent = await loadAgentInForce(ctx, target.agentId);
			assertActive(agent);
			const variables = sessionOf(ctx)?.variables ?? target.variables ?? {};
			const { tools } = await resolveTools(ctx, agent, variables);
			return { agentName: agent.name, version: agent.version, tools };
		});
	}

	async startCall(target: Target, call: RuntimeCall, onProgress?: OnProgress): Promise<RunningCall> {
		return new StartedCall({
			...{ agentId: target.agentId, call, variables: target.variables, onProgress },
			answer: (work) => this.#answer(target, work),
			keepAlive: (work) => this.ctx.waitUntil(work),
		});
	}

	/** Does work for a caller who may use the agent. Refusals travel as values, since an error that crosses RPC loses its code. */
	async #answer<T>(target: Target, work: (ctx: Ctx) => Promise<T>): Promise<RuntimeAnswer<T>> {
		try {
			return { ok: true, value: await work(this.#contextOf(target)) };
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const { code, message, fields, headers } = error;
			return {
				ok: false,
				refusal: { code, message, ...(fields && { fields }), ...(headers && { headers }) },
			};
		}
	}

	/** @throws ApiError FORBIDDEN for an actor that may not use the runtime API of this agent */
	#contextOf({ actor, agentId, requestId }: Target): Ctx {
		requireScope(actor, "runtime:use");
		const bound = boundAgent(actor);
		if (bound !== undefined && bound !== agentId)
			throw new ApiError("FORBIDDEN", "This credential can use only its own agent");
		return {
			...{ env: this.env, db: openDatabase(this.env.DB), actor, requestId },
			clock: () => new Date(),
			defer: (work) =>
				this.ctx.waitUntil(
					work.catch((error) => logError("DEFERRED_WORK", error, { request_id: requestId })),
				),
		};
	}
}
