import { DurableObject } from "cloudflare:workers";
import { openDatabase } from "@parley/db/client";
import { app } from "./app.ts";
import { rewrapDataKeys } from "./secrets/data-keys.ts";

export { RateLimiter } from "@parley/http/rate-limit/rate-limiter";

/**
 * The class of the sessions that this worker had before the mcp-client worker. Nothing binds it: each object that is left
 * deletes what it kept at its next alarm.
 */
export class McpSession extends DurableObject<Env> {
	override async alarm(): Promise<void> {
		await this.ctx.storage.deleteAll();
	}
}

export default {
	fetch: app.fetch,
	// Each hour, so that a key-encryption key can be replaced without a command.
	async scheduled(_event, env) {
		await rewrapDataKeys({ db: openDatabase(env.DB), env, clock: () => new Date() });
	},
} satisfies ExportedHandler<Env>;
