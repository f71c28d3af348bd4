// A page of docs/ as static HTML without scripts or styles of its own.
import { posix } from "node:path";
import { Marked, type Tokens } from "marked";

const BASE = "/docs/guides";

/**
 * Renders a page of docs/.
 * @param path the page without its extension: `how-to/deploy`
 * @param guides every page that is served. Links to other files of the repository become plain text.
 */
export function renderGuide(markdown: string, path: string, guides: ReadonlySet<string>): string {
	const slugs = new Map<string, number>();
	const marked = new Marked({
		renderer: {
			heading({ tokens, depth, text }: Tokens.Heading): string {
				const id = uniqueSlug(slugs, text);
				return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
			},
			link({ href, tokens }: Tokens.Link): string {
				const target = targetOf(href, path, guides);
				const text = this.parser.parseInline(tokens);
				return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
			},
		},
	});
	const [, title = "Guides"] = /^# (.+)$/m.exec(markdown) ?? [];
	const body = marked.parse(markdown, { async: false });
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title.replaceAll("`", ""))} · Parley</title>
<link rel="stylesheet" href="/docs/guide.css">
</head>
<body>
<nav><a href="/docs">API reference</a> <a href="${BASE}">Guides</a></nav>
<main>
${body}</main>
</body>
</html>
`;
}

/** Returns where a link of a page leads when it is served; undefined for a file that is not. */
function targetOf(href: string, path: string, guides: ReadonlySet<string>): string | undefined {
	if (/^([a-z]+:|#|\/)/i.test(href)) return href;
	const [file = "", anchor] = href.split("#", 2);
	const target = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\.md$/, "");
	if (!file.endsWith(".md") || !guides.has(target)) return undefined;
	return (target === "README" ? BASE : `${BASE}/${target}`) + (anchor === undefined ? "" : `#${anchor}`);
}

/** Returns the anchor of a heading, as code hosts make it, numbered when it repeats. */
function uniqueSlug(taken: Map<string, number>, heading: string): string {
	const slug = heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
		.replaceAll(/\s/g, "-");
	const count = taken.get(slug) ?? 0;
	taken.set(slug, count + 1);
	return count === 0 ? slug : `${slug}-${count}`;
}

const escapeHtml = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
