import { logError } from "@parley/context/log";
import type { OpenApiDocument } from "@parley/http/openapi/document";
import { mergeDocuments } from "@parley/http/openapi/merge";
import { html } from "hono/html";
import type { HonoContext } from "../context.ts";

const TITLE = "Parley API";
// How long a plane that was deployed anew keeps its old description here.
const KEPT_MS = 60_000;

let kept: { document: OpenApiDocument; until: number } | undefined;

/** One description of everything behind the front door. A plane that does not answer is left out, until it does. */
export async function getReference(c: HonoContext, own: OpenApiDocument): Promise<Response> {
	if (kept && kept.until > Date.now()) return c.json(kept.document);
	const [agents, batch] = await Promise.all([describePlane(c.env.AGENTS), describePlane(c.env.BATCH)]);
	const planes = [
		{ name: "platform", document: own },
		...(agents ? [{ name: "agents", document: agents }] : []),
		...(batch ? [{ name: "batch", document: batch }] : []),
	];
	const description = "Account and keys, speech, agents and their tools, and batch transcription.";
	const document = mergeDocuments({ ...own.info, title: TITLE, description }, planes);
	if (agents && batch) kept = { document, until: Date.now() + KEPT_MS };
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

/** The reference to read and try; its script and style are assets of this worker. */
export function getDocsPage(c: HonoContext): Response | Promise<Response> {
	c.header(
		"content-security-policy",
		"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
	);
	return c.html(html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<body>
<div id="reference"></div>
<noscript>The whole contract is in <a href="/openapi.json">openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>`);
}
