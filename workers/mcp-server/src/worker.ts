import { app } from "./app.ts";

export { RateLimiter } from "@parley/http/rate-limit/rate-limiter";
export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
