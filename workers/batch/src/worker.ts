import { WorkerEntrypoint } from "cloudflare:workers";
import type { Actor } from "@parley/context/actor";
import type { ManagementRpc, ManagementTool } from "@parley/contracts/internal/management-rpc";
import { managementTools } from "@parley/http/management-tools";
import { setKnownActor } from "@parley/http/planes/known-actor";
import { app } from "./app.ts";

export { JobFeed } from "@parley/batch/events/job-feed";
export { RateLimiter } from "@parley/http/rate-limit/rate-limiter";

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

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
