import { logError } from "@parley/context/log";
import type { OpenApiDocument } from "@parley/http/openapi/document";
import { mergeDocuments } from "@parley/http/openapi/merge";
import { html } from "hono/html";
import type { HonoContext } from "../context.ts";
import { serveAsset } from "./forward.ts";
import { INTRODUCTION } from "./introduction.ts";

const TITLE = "Parley API";
/** Time for which a plane that is deployed anew keeps its old description here. */
const KEPT_MS = 60_000;
/** Scalar adds style elements and attributes, so styles cannot be stricter. Nothing may come from, or go to, another host. */
const REFERENCE_POLICY = [
	...["default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"],
	...[
		"font-src 'self'",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	],
].join("; ");
const GUIDE_POLICY =
	"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

let kept: { document: OpenApiDocument; until: number } | undefined;

/** Returns one description of everything behind the front door. A plane that does not answer is left out until it does. */
export async function getReference(c: HonoContext, own: OpenApiDocument): Promise<Response> {
	if (kept && kept.until > Date.now()) return c.json(kept.document);
	const others = { agents: c.env.AGENTS, mcp: c.env.MCP_SERVER, batch: c.env.BATCH };
	const described = await Promise.all(
		Object.entries(others).map(async ([name, plane]) => ({ name, document: await describePlane(plane) })),
	);
	const planes = [
		{ name: "platform", document: own },
		...described.flatMap(({ name, document }) => (document ? [{ name, document }] : [])),
	];
	const document = mergeDocuments({ ...own.info, title: TITLE, description: INTRODUCTION }, planes);
	if (described.every((plane) => plane.document)) kept = { document, until: Date.now() + KEPT_MS };
	return c.json(document);
}

async function describePlane(plane: Fetcher): Promise<OpenApiDocument | undefined> {
	try {
		const response = await plane.fetch("https://plane.internal/openapi.json");
		return response.ok ? await response.json() : undefined;
	} catch (error) {
		logError("REFERENCE_INCOMPLETE", error);
		return undefined;
	}
}

/** Serves the page on which the reference is read, searched and tried. Its scripts and styles are assets of this worker. */
export function getDocsPage(c: HonoContext): Response | Promise<Response> {
	c.header("content-security-policy", REFERENCE_POLICY);
	return c.html(html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" href="data:,">
<body>
<div id="reference"></div>
<noscript>The whole contract is in <a href="/openapi.json">openapi.json</a>; the <a href="/docs/guides">guides</a> need no script.</noscript>
<script type="module" src="/docs/start.js"></script>
</body>
</html>`);
}

/** Serves a page of docs/: `/docs/guides/how-to/deploy`, or their index at `/docs/guides`. */
export async function getGuide(c: HonoContext): Promise<Response> {
	const path = c.req.path.replace(/\/$/, "");
	const response = await serveAsset(c, path === "/docs/guides" ? "/docs/guides/index.html" : `${path}.html`);
	response.headers.set("content-security-policy", GUIDE_POLICY);
	return response;
}
