import { ApiError } from "@parley/contracts/shared/api-error";
import type { Next } from "hono";
import type { HonoContext } from "../context.ts";
import { isLoopback } from "./loopback.ts";

/** Metadata and OAuth's own endpoints. Any script may call them: no cookie counts there. */
const PUBLIC = /^\/(\.well-known|oauth)\//;
const REQUEST_HEADERS = [
	...["Authorization", "Content-Type", "Accept", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"],
	...["Last-Event-ID", "X-Request-Id", "X-Parley-Variables"],
].join(", ");

/**
 * Refuses requests from scripts of other sites, and lets those of accepted origins read the answers. A request without an
 * `Origin` comes from no script and passes.
 * @throws ApiError FORBIDDEN
 */
export async function checkOrigin(c: HonoContext, next: Next) {
	const origin = c.req.header("origin");
	if (origin === undefined || PUBLIC.test(c.req.path)) return next();
	if (!isAllowedOrigin(origin, new URL(c.req.url), c.env.CORS_ORIGINS))
		throw new ApiError("FORBIDDEN", `Origin ${origin.slice(0, 200)} is not allowed. Add it to CORS_ORIGINS.`);
	const isPreflight = c.req.method === "OPTIONS" && c.req.header("access-control-request-method");
	if (isPreflight) {
		c.header("access-control-allow-methods", "POST");
		c.header("access-control-allow-headers", REQUEST_HEADERS);
		c.header("access-control-max-age", "7200");
	} else await next();
	const answer = isPreflight ? c.body(null, 204) : c.res;
	answer.headers.set("access-control-allow-origin", origin);
	answer.headers.append("vary", "Origin");
	answer.headers.set("access-control-expose-headers", "WWW-Authenticate, X-Request-Id, Retry-After");
	return isPreflight ? answer : undefined;
}

/**
 * Whether scripts of an origin may use the endpoint: those of `CORS_ORIGINS`, those of the endpoint's own origin, and on a
 * loopback address those of other loopback origins. Own origins count only over https or loopback: over plain http, a name
 * that an attacker points to this machine would be its own origin too.
 */
export function isAllowedOrigin(origin: string, url: URL, corsOrigins: string): boolean {
	const listed = corsOrigins.split(",").map((one) => one.trim());
	if (listed.includes("*") || listed.includes(origin)) return true;
	const from = URL.parse(origin);
	if (!from || from.origin !== origin) return false;
	if (url.protocol === "https:" && from.origin === url.origin) return true;
	return isLoopback(url.hostname) && isLoopback(from.hostname);
}
