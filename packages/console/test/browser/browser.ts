import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium } from "./chromium.ts";

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 375, height: 812 };
export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const found = await findChromium();
export const NO_BROWSER = found
	? undefined
	: "There is no browser here: install Chromium, or set CHROMIUM_PATH.";

let launched: Promise<Browser> | undefined;

function launch(): Promise<Browser> {
	if (!found) throw new Error(NO_BROWSER);
	launched ??= chromium.launch({
		executablePath: found.executablePath,
		env: { ...(process.env as Record<string, string>), ...found.env },
		// Sound is decoded but not played, and starts without a gesture.
		args: ["--mute-audio", "--autoplay-policy=no-user-gesture-required"],
	});
	return launched;
}

export const closeBrowser = async (): Promise<void> => (await launched)?.close();

export type ContextOptions = { theme?: Theme; viewport?: { width: number; height: number }; locale?: string };

/** Opens a context like that of a new visitor: British English, UTC, no animations. */
export async function openContext({
	theme = "light",
	viewport = DESKTOP,
	locale = "en-GB",
}: ContextOptions = {}): Promise<BrowserContext> {
	const browser = await launch();
	return browser.newContext({
		locale,
		timezoneId: "UTC",
		reducedMotion: "reduce",
		colorScheme: theme,
		viewport,
		acceptDownloads: true,
	});
}

/** Signs a context in with an API key, as the sign-in page does. */
export async function signIn(context: BrowserContext, baseUrl: string, key: string): Promise<void> {
	const response = await context.request.post(`${baseUrl}/v1/console/session`, {
		data: { key },
		headers: { origin: baseUrl, "x-parley-console": "1" },
	});
	if (!response.ok()) throw new Error(`The sign-in was answered ${response.status()}`);
}

/**
 * Notes what no page may do: throw, break the content security policy, or ask another origin for something.
 * @returns the list, which grows while the page lives.
 */
export function watchProblems(page: Page, baseUrl: string): string[] {
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(`threw ${error}`));
	page.on("console", (message) => {
		const isPolicy = /Content Security Policy|Trusted/.test(message.text());
		// React reports keys, nesting and unknown attributes this way.
		if (message.type() === "error" && (isPolicy || /^(Warning|%c|Error:)/.test(message.text())))
			problems.push(message.text());
	});
	page.on("request", (request) => {
		const { protocol, origin } = new URL(request.url());
		// Leaving the console is no request of the page.
		if (request.isNavigationRequest()) return;
		if (/^https?:$/.test(protocol) && origin !== new URL(baseUrl).origin)
			problems.push(`asked ${origin} for something`);
	});
	return problems;
}

/** Waits until the screen shows its content: a heading, no skeletons, fonts loaded. */
export async function settle(page: Page): Promise<void> {
	await page.locator("h1").first().waitFor();
	await page.waitForFunction(() => !document.querySelector(".skeleton, [aria-busy=true]"));
	await page.evaluate(() => document.fonts.ready);
}

/** Lists what axe finds on the page in both themes. */
export async function findBarriers(page: Page): Promise<string[]> {
	const barriers: string[] = [];
	for (const theme of THEMES) {
		await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
		const { violations } = await new AxeBuilder({ page })
			.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
			.analyze();
		for (const { id, nodes } of violations)
			for (const { target, failureSummary } of nodes)
				barriers.push(`${theme}: ${id}: ${target.join(" ")}: ${failureSummary?.split("\n")[1]?.trim()}`);
	}
	return barriers;
}

/** Lists elements that stick out of the page at its present width. */
export const findOverflow = (page: Page): Promise<string[]> =>
	page.evaluate(() => {
		const { clientWidth, scrollWidth } = document.documentElement;
		if (scrollWidth <= clientWidth) return [];
		return [...document.querySelectorAll("body *")]
			.filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
			.slice(0, 5)
			.map(({ tagName, className }) => `${tagName} ${className}`);
	});
