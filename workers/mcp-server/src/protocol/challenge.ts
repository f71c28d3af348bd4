import type { Next } from "hono";
import type { HonoContext } from "../context.ts";
import { findResource } from "../oauth/authorization-server.ts";

/** Tells a client that lacks a valid credential where to learn of the authorization server (RFC 9728). */
export async function addChallenge(c: HonoContext, next: Next) {
	await next();
	const { origin, pathname } = new URL(c.req.url);
	if (c.res.status !== 401 || !findResource(origin, origin + pathname)) return;
	const metadata = `${origin}/.well-known/oauth-protected-resource${pathname}`;
	const fault = c.req.header("authorization") === undefined ? "" : 'error="invalid_token", ';
	c.res.headers.set("www-authenticate", `Bearer ${fault}resource_metadata="${metadata}"`);
}
