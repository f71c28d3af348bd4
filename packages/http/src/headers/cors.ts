import type { Context, Next } from "hono";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS = [
	...["Authorization", "X-API-Key", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"],
	...["X-Request-Id", "X-Region-Override", "X-World-Part-Override", "Last-Event-ID"],
	"X-Parley-Variables",
].join(", ");
const ANSWER_HEADERS = [
	...["X-Request-Id", "X-Parley-Version", "X-Region", "Location", "Link", "X-Total-Count", "ETag", "Allow"],
	...["Retry-After", "RateLimit", "RateLimit-Policy", "Idempotent-Replayed", "Content-Disposition"],
].join(", ");
/** Browsers cap this at two hours. */
const PREFLIGHT_SECONDS = "7200";

/**
 * Lets scripts of the origins in `CORS_ORIGINS` read the API's answers: a list separated by commas, or `*` for any origin;
 * none when it is empty. Credentials of the browser are never allowed: such a caller sends an API key like any other.
 */
export async function cors(c: Context<{ Bindings: { CORS_ORIGINS?: string } }>, next: Next) {
	const allowed = (c.env.CORS_ORIGINS ?? "").split(",").map((origin) => origin.trim());
	if (!allowed.some((origin) => origin !== "")) return next();
	const origin = c.req.header("origin");
	const granted = allowed.includes("*") ? "*" : allowed.find((one) => one === origin && one !== "");
	const isPreflight = c.req.method === "OPTIONS" && c.req.header("access-control-request-method");
	let answer: Response | undefined;
	if (granted && isPreflight) {
		const headers = {
			"access-control-allow-methods": METHODS,
			"access-control-allow-headers": REQUEST_HEADERS,
			"access-control-max-age": PREFLIGHT_SECONDS,
		};
		answer = c.body(null, 204, headers);
	} else await next();
	const { headers } = answer ?? c.res;
	// An answer that the front door forwards has it already.
	if (!/\borigin\b/i.test(headers.get("vary") ?? "")) headers.append("vary", "Origin");
	if (granted) headers.set("access-control-allow-origin", granted);
	if (granted && !isPreflight) headers.set("access-control-expose-headers", ANSWER_HEADERS);
	return answer;
}
