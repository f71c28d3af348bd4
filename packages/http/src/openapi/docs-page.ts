import { html } from "hono/html";
import type { OpenApiDocument, Operation } from "./document.ts";

type Row = { method: string; path: string; summary: string; scope: string };

/** A plane's operations as one plain page, for a host that stands alone; it loads nothing. */
export function docsPage({ info, paths }: OpenApiDocument) {
	const rows = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => toRow(method, path, operation)),
	);
	return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
td { padding: 0.25rem 1rem 0.25rem 0; vertical-align: top }
code { font-family: ui-monospace, monospace }
</style>
<h1>${info.title}</h1>
<p>${info.description} The whole contract: <a href="/openapi.json">openapi.json</a>.</p>
<table>
${rows.map(
	(row) =>
		html`<tr><td><code>${row.method}</code></td><td><code>${row.path}</code></td><td>${row.summary}</td><td><code>${row.scope}</code></td></tr>
`,
)}</table>
</html>`;
}

function toRow(method: string, path: string, operation: Operation): Row {
	const { summary = "" } = operation;
	return { method: method.toUpperCase(), path, summary, scope: operation["x-required-scope"] ?? "" };
}
