import type { Next } from "hono";
import type { HonoContext } from "../context.ts";

/** Tells a client that lacks a valid credential where to learn of the authorization server (RFC 9728). */
export async function addChallenge(c: HonoContext, next: Next) {
	await next();
	if (c.res.status !== 401) return;
	const { origin, pathname } = new URL(c.req.url);
	const metadata = `${origin}/.well-known/oauth-protected-resource${pathname}`;
	c.res.headers.set("www-authenticate", `Bearer resource_metadata="${metadata}"`);
}
