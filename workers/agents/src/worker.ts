import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import type { Actor } from "@parley/context/actor";
import { STACK_STARTED } from "@parley/contracts/internal/crons";
import type { ManagementRpc, ManagementTool } from "@parley/contracts/internal/management-rpc";
import { openDatabase } from "@parley/db/client";
import { managementTools } from "@parley/http/management-tools";
import { setKnownActor } from "@parley/http/planes/known-actor";
import { app } from "./app.ts";
import { removeOldSessions } from "./runtime/sessions/end-sessions.ts";
import { endLostToolCalls, removeOldToolCalls } from "./runtime/tool-calls/records/sweep-tool-calls.ts";
import { rewrapDataKeys } from "./secrets/data-keys.ts";

export { RateLimiter } from "@parley/http/rate-limit/rate-limiter";
export { AgentRuntime } from "./runtime/agent-runtime.ts";
export { CallLimiter } from "./runtime/call-slots/call-limiter.ts";

/**
 * Deletes the objects that this worker had before the mcp-client worker took over their sessions. No binding uses the class;
 * each remaining object deletes its storage at its next alarm.
 */
export class McpSession extends DurableObject<Env> {
	override async alarm(): Promise<void> {
		await this.ctx.storage.deleteAll();
	}
}

/** The API as the mcp-server worker calls it, and the operations that it may offer as tools. */
export class ManagementApi extends WorkerEntrypoint<Env> implements ManagementRpc<Actor> {
	override async fetch(request: Request): Promise<Response> {
		return app.fetch(request, this.env, this.ctx);
	}

	async fetchAs(request: Request, actor: Actor): Promise<Response> {
		return app.fetch(setKnownActor(request, actor), this.env, this.ctx);
	}

	async managementTools(): Promise<ManagementTool[]> {
		return managementTools(app.specs);
	}
}

/** Crons that run more often than each hour: a deployment's, and those of a local stack. */
const FREQUENT_CRONS = ["*/5 * * * *", "* * * * *", STACK_STARTED];

export default {
	fetch: app.fetch,
	async scheduled({ cron }, env) {
		const db = openDatabase(env.DB);
		await endLostToolCalls(db, new Date(), cron === STACK_STARTED);
		if (FREQUENT_CRONS.includes(cron)) return;
		await removeOldToolCalls(env, new Date());
		await removeOldSessions(env, new Date());
		// So that replacing the key-encryption key needs no command.
		await rewrapDataKeys({ db, env, clock: () => new Date() });
	},
} satisfies ExportedHandler<Env>;
