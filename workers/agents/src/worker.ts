import { openDatabase } from "@parley/db/client";
import { app } from "./app.ts";
import { rewrapDataKeys } from "./secrets/data-keys.ts";

export { RateLimiter } from "@parley/http/rate-limit/rate-limiter";
export { McpSession } from "./mcp-servers/mcp-session.ts";
export default {
	fetch: app.fetch,
	// Each hour, so that a key-encryption key can be replaced without a command.
	async scheduled(_event, env) {
		await rewrapDataKeys({ db: openDatabase(env.DB), env, clock: () => new Date() });
	},
} satisfies ExportedHandler<Env>;
