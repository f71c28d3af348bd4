import { WorkerEntrypoint } from "cloudflare:workers";
import type { ManagementRpc, ManagementTool } from "@parley/contracts/internal/management-rpc";
import { managementTools } from "@parley/http/management-tools";
import { app } from "./app.ts";

export { RateLimiter } from "@parley/http/rate-limit/rate-limiter";

/** The API as the mcp-server worker calls it, and the operations that it may offer as tools. */
export class ManagementApi extends WorkerEntrypoint<Env> implements ManagementRpc {
	override async fetch(request: Request): Promise<Response> {
		return app.fetch(request, this.env, this.ctx);
	}

	async managementTools(): Promise<ManagementTool[]> {
		return managementTools(app.specs);
	}
}

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
