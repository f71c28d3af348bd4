// Runs every command of the README and of docs/ against the real stack, and compares its output with what the page shows.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";
import { afterAll, describe, expect, inject, test } from "vitest";
import { hasCurl } from "../batch/batch-client.ts";
import { matchesOutput } from "./match-output.ts";
import { parsePage } from "./parse-page.ts";
import { startShell } from "./shell.ts";

const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root }).sort()].filter(
	(page) => !page.startsWith("docs/decisions/"),
);
const folder = mkdtempSync(join(tmpdir(), "parley-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a folder that looks like the checkout, so that what a page writes does not end up there. */
function makeWorkFolder(page: string): string {
	const work = join(folder, page.replaceAll("/", "-"));
	mkdirSync(work);
	for (const name of ["packages", "workers", "scripts", "node_modules", "package.json", "migrations"])
		symlinkSync(join(root, name), join(work, name));
	const baseUrl = inject("baseUrl");
	const dev = {
		base_url: baseUrl,
		agents_url: baseUrl,
		batch_url: baseUrl,
		...inject("keys"),
		console: null,
	};
	mkdirSync(join(work, "tmp"));
	mkdirSync(join(work, ".parley"));
	writeFileSync(join(work, ".parley/dev.json"), JSON.stringify(dev), { mode: 0o600 });
	return work;
}

describe.skipIf(!hasCurl)("the commands of", () => {
	for (const page of pages) {
		const { steps } = parsePage(readFileSync(join(root, page), "utf8"));
		if (steps.length === 0) continue;
		test(`${page} print what it shows`, { timeout: 600_000 }, async () => {
			const work = makeWorkFolder(page);
			const { PARLEY_STATE: _, ...environment } = process.env;
			// What the README has its reader set first.
			const keys = inject("keys");
			const first = { P: inject("baseUrl"), KEY: keys.api_key, A: `Authorization: Bearer ${keys.api_key}` };
			const shell = startShell(work, {
				...environment,
				...first,
				XDG_CACHE_HOME: join(work, "cache"),
				TMPDIR: join(work, "tmp"),
				NO_COLOR: "1",
			});
			try {
				for (const step of steps) {
					const place = `${page}:${step.line}`;
					if (step.kind === "file") {
						// A page may have moved to a folder of its own.
						const file = join(await shell.run("pwd", "…"), step.name);
						mkdirSync(dirname(file), { recursive: true });
						writeFileSync(file, step.text);
						continue;
					}
					const output = await shell.run(step.text, step.output);
					if (!matchesOutput(step.output, output))
						expect(`${place}\n${output}`).toBe(`${place}\n${step.output}`);
				}
			} finally {
				shell.stop();
			}
		});
	}
});
