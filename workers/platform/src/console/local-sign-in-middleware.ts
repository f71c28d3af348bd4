import { readSessionCookie, sessionCookie } from "@parley/auth/session-cookie";
import type { Next } from "hono";
import { type HonoContext, requestContext } from "../context.ts";
import { openLocalSession } from "./local-session.service.ts";
import { isLocalVisit } from "./local-visit.ts";

/**
 * Signs the owner of the laptop's organisation in with the first page that a browser on the machine opens. Only `npm start`
 * turns it on.
 */
export async function localSignIn(c: HonoContext, next: Next): Promise<void> {
	await next();
	const { env, req, res } = c;
	if (env.CONSOLE_LOCAL_SIGN_IN !== "true" || !isLocalVisit(req.raw, env.CONSOLE_LOCAL_PORT)) return;
	// A page that the browser has already is answered 304, without a type.
	const isPage = res.ok && res.headers.get("content-type")?.includes("text/html");
	if (!isPage && res.status !== 304) return;
	const browser = { userAgent: req.header("user-agent") ?? "", token: readSessionCookie(req.raw) };
	const token = await openLocalSession(requestContext(c), browser);
	if (!token) return;
	res.headers.append("set-cookie", sessionCookie(new URL(req.url), token));
	res.headers.set("cache-control", "private, no-cache");
}
