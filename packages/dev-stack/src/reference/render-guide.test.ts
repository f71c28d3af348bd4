import { expect, test } from "vitest";
import { renderGuide } from "./render-guide.ts";

const guides = new Set(["README", "how-to/deploy", "reference/batch"]);
const render = (markdown: string) => renderGuide(markdown, "how-to/deploy", guides);

test("a page has its title, headings with anchors, and no script", () => {
	const page = render("# Deploy & run\n\n## Before you start\n\n## Before you start\n\ntext");
	expect(page).toContain("<title>Deploy &amp; run · Parley</title>");
	expect(page).toContain('<h2 id="before-you-start">Before you start</h2>');
	expect(page).toContain('<h2 id="before-you-start-1">');
	expect(page).not.toMatch(/<script|<style|style=/);
});

test("links between pages lead to where they are served", () => {
	expect(render("[a](../reference/batch.md#states)")).toContain(
		'<a href="/docs/guides/reference/batch#states">a</a>',
	);
	expect(render("[all](../README.md)")).toContain('<a href="/docs/guides">all</a>');
	expect(render("[here](#steps) [out](https://example.com/)")).toContain('<a href="#steps">here</a>');
});

test("a link to a file that is not served becomes text", () => {
	const page = render("[source](../../packages/http/src/app.ts) and [why](../decisions/0001-x.md)");
	expect(page).toContain("<p>source and why</p>");
});
