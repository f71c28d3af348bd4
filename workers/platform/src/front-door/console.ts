import type { Next } from "hono";
import type { HonoContext } from "../context.ts";
import { serveAsset } from "./forward.ts";

/** Paths of the API and its reference, and paths of files. */
const OTHER_PATHS = /^\/(v1|docs|oauth|\.well-known|cdn-cgi|assets|health|openapi\.json)(\/|$)|\.\w+$/;
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Serves the console's page for every address that a browser opens and the API does not own. The page finds its screen by itself. */
export async function serveConsole(c: HonoContext, next: Next): Promise<Response | undefined> {
	const asset = isScreen(c) ? await findPage(c) : undefined;
	if (!asset?.ok && asset?.status !== 304) {
		await next();
		return;
	}
	const page = new Response(asset.body, asset);
	page.headers.set("cache-control", "no-cache");
	page.headers.set("content-security-policy", contentSecurityPolicy(c.env));
	page.headers.set("cross-origin-opener-policy", "same-origin");
	page.headers.set("referrer-policy", "same-origin");
	page.headers.set("vary", "accept");
	return page;
}

const isScreen = ({ req }: HonoContext): boolean =>
	req.method === "GET" && req.header("accept")?.includes("text/html") === true && !OTHER_PATHS.test(req.path);

function findPage(c: HonoContext): Promise<Response> {
	const etag = c.req.header("if-none-match");
	const headers = etag ? { "if-none-match": etag } : undefined;
	return c.env.ASSETS.fetch(new URL("/index.html", c.req.url), { ...(headers && { headers }) });
}

/** Serves a file of the console. The names of those below `/assets/` hold a hash of their content. */
export async function serveConsoleFile(c: HonoContext): Promise<Response> {
	const response = await serveAsset(c);
	if (response.ok)
		response.headers.set("cache-control", c.req.path.startsWith("/assets/") ? IMMUTABLE : "no-cache");
	return response;
}

/** Allows this origin alone, and the storage that takes uploads and serves recordings. */
function contentSecurityPolicy({ R2_S3_ENDPOINT }: Env): string {
	const storage = URL.canParse(R2_S3_ENDPOINT) ? ` ${new URL(R2_S3_ENDPOINT).origin}` : "";
	return [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self' blob:",
		`media-src 'self' blob:${storage}`,
		"font-src 'self'",
		`connect-src 'self'${storage}`,
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	].join("; ");
}
