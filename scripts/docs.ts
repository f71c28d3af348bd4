// `node scripts/run.mjs docs`: writes the pages of docs/reference that are made from code. With --check it fails where one differs.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodesPage } from "@parley/dev-stack/reference/error-codes-page";
import { root } from "@parley/dev-stack/settings/configs";

const pages: Record<string, string> = { "docs/reference/error-codes.md": errorCodesPage() };

for (const [path, markdown] of Object.entries(pages)) {
	const text = execFileSync("biome", ["format", "--stdin-file-path", path], {
		input: markdown,
		encoding: "utf8",
	});
	if (!process.argv.includes("--check")) writeFileSync(join(root, path), text);
	else if (readFileSync(join(root, path), "utf8") !== text) {
		console.error(`${path} is not what the code says: run node scripts/run.mjs docs`);
		process.exitCode = 1;
	}
}
