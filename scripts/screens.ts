// Takes pictures of the console's screens, in both themes and at 375 px, into docs/screens. Names given as arguments take only those.
// `--url` and `--key` take them of a stack that runs already instead of a fresh one with demo data.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "@parley/dev-stack/settings/configs";
import { freePort, startStack } from "@parley/dev-stack/stack";
import { createBootstrap } from "@parley/dev-stack/state/bootstrap";
import {
	closeBrowser,
	DESKTOP,
	openContext,
	PHONE,
	settle,
	signIn,
	type Theme,
} from "../packages/console/test/browser/browser.ts";
import { caller, fill } from "../packages/console/test/screens/fill.ts";
import { SCREENS, type Screen } from "../packages/console/test/screens/screens.ts";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { url: { type: "string" }, key: { type: "string" }, out: { type: "string" } },
});
const folder = values.out ?? join(root, "docs/screens");
const chosen = SCREENS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const SHOTS: { suffix: string; theme: Theme; viewport: { width: number; height: number } }[] = [
	{ suffix: "light", theme: "light", viewport: DESKTOP },
	{ suffix: "dark", theme: "dark", viewport: DESKTOP },
	{ suffix: "phone", theme: "light", viewport: PHONE },
];

mkdirSync(folder, { recursive: true });
if (values.url && values.key) await takeAll(values.url, { filled: values.key, empty: values.key });
else await withFreshStack(takeAll);
await closeBrowser();

async function withFreshStack(use: typeof takeAll): Promise<void> {
	const state = mkdtempSync(join(tmpdir(), "parley-screens-"));
	const empty = await createBootstrap("Acme Clinic");
	const stack = await startStack({ state, port: await freePort(), firstSql: empty.sql });
	try {
		await becomeOwner(stack.baseUrl, stack.keys.api_key);
		await fill(caller(stack.baseUrl, stack.keys.api_key));
		await use(stack.baseUrl, { filled: stack.keys.api_key, empty: empty.keys.api_key });
	} finally {
		await stack.stop();
		rmSync(state, { recursive: true, force: true });
	}
}

/** The first sign-in makes the holder of the key the owner, without whom nobody can be invited. */
async function becomeOwner(baseUrl: string, key: string): Promise<void> {
	const context = await openContext();
	await signIn(context, baseUrl, key);
	await context.close();
}

async function takeAll(baseUrl: string, keys: { filled: string; empty: string }): Promise<void> {
	for (const { suffix, theme, viewport } of SHOTS) {
		for (const kind of ["filled", "empty"] as const) {
			const context = await openContext({ theme, viewport });
			await signIn(context, baseUrl, keys[kind]);
			const page = await context.newPage();
			for (const screen of chosen.filter(({ isEmpty }) => Boolean(isEmpty) === (kind === "empty")))
				await take(screen, `${screen.name}-${suffix}.png`);
			await context.close();

			async function take({ path, prepare }: Screen, file: string): Promise<void> {
				await page.goto(baseUrl + path);
				await settle(page);
				await prepare?.(page);
				await page.screenshot({ path: join(folder, file), animations: "disabled" });
				process.stdout.write(`${file}\n`);
			}
		}
	}
}
