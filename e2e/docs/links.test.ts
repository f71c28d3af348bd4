import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";
import { expect, test } from "vitest";

const pages = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md", { cwd: root })];

/** Returns the anchor that a heading gets. */
const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
		.trim()
		.replaceAll(" ", "-");

const anchorsOf = (path: string): string[] =>
	[...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ""));

test("every link between pages leads somewhere", () => {
	const broken = pages.flatMap((page) => {
		const text = readFileSync(join(root, page), "utf8");
		return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
			if (/^[a-z]+:/.test(link)) return [];
			const [path = "", anchor] = link.split("#");
			const target = path === "" ? join(root, page) : join(root, dirname(page), path);
			const isFound = existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
			return isFound ? [] : [`${page}: ${link}`];
		});
	});
	expect(broken).toEqual([]);
});
