import { app } from "./app.ts";

export { RateLimiter } from "@parley/http/rate-limit/rate-limiter";
export { McpSession } from "./mcp-servers/mcp-session.ts";
export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
