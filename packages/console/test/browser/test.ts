import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, test as base, inject } from "vitest";
import {
	closeBrowser,
	findBarriers,
	findOverflow,
	NO_BROWSER,
	openContext,
	PHONE,
	settle,
	signIn,
	watchProblems,
} from "./browser.ts";

export const baseUrl = inject("baseUrl");
const FAILURES = join(import.meta.dirname, "../../../../.parley-failures");

type Tabs = {
	/** A tab that nobody has signed in to. */
	visitor: Page;
	/** A tab of somebody with every scope in the organisation of the console's tests. */
	page: Page;
	/** A tab of somebody with every scope in an organisation that has nothing yet. */
	newcomer: Page;
	/** The same as `page`, without the trace, which slows down what is measured. */
	untraced: Page;
};

/**
 * A test with tabs of its own. A tab that throws, breaks the content security policy or asks another origin fails the test.
 * A failed test leaves a trace: `npx playwright-core show-trace .parley-failures/NAME.zip`.
 */
export const test = base.extend<Tabs & { open: (key?: string, isTraced?: boolean) => Promise<Page> }>({
	open: async ({ task, onTestFailed, skip }, use) => {
		if (NO_BROWSER) skip(NO_BROWSER);
		const opened: { context: BrowserContext; problems: string[]; isTraced: boolean }[] = [];
		let hasFailed = false;
		onTestFailed(() => {
			hasFailed = true;
		});
		await use(async (key, isTraced = true) => {
			const context = await openContext();
			if (isTraced) await context.tracing.start({ screenshots: true, snapshots: true });
			if (key) await signIn(context, baseUrl, key);
			const page = await context.newPage();
			page.setDefaultTimeout(15_000);
			opened.push({ context, problems: watchProblems(page, baseUrl), isTraced });
			return page;
		});
		hasFailed ||= task.result?.state === "fail";
		const problems = opened.flatMap((one) => one.problems);
		if (hasFailed) mkdirSync(FAILURES, { recursive: true });
		for (const [index, { context, isTraced }] of opened.entries()) {
			const name = `${task.name.replaceAll(/\W+/g, "-").slice(0, 80)}-${index}.zip`;
			if (isTraced) await context.tracing.stop(hasFailed ? { path: join(FAILURES, name) } : {});
			await context.close();
		}
		if (problems.length > 0 && !hasFailed) throw new Error(`The page ${problems.join("\nand ")}`);
	},
	visitor: async ({ open }, use) => use(await open()),
	page: async ({ open }, use) => use(await open(inject("studio").api_key)),
	untraced: async ({ open }, use) => use(await open(inject("studio").api_key, false)),
	newcomer: async ({ open }, use) => use(await open(inject("newcomer").api_key)),
});

afterAll(closeBrowser);

/** Opens an address of the console and waits until its content is there. */
export async function visit(page: Page, path: string): Promise<void> {
	await page.goto(baseUrl + path);
	await settle(page);
}

/** Lists what keeps people out of the screen as it is: what axe finds in both themes, and what sticks out at 375 px. */
export async function findFlaws(page: Page): Promise<string[]> {
	const size = page.viewportSize();
	const barriers = await findBarriers(page);
	await page.setViewportSize(PHONE);
	const overflow = await findOverflow(page);
	if (size) await page.setViewportSize(size);
	return [...barriers, ...overflow.map((element) => `sticks out at 375 px: ${element}`)];
}
