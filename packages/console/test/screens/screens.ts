// The screens that `node scripts/run.mjs screens` takes pictures of.
import type { Page } from "playwright-core";

export type Screen = {
	/** Name of the pictures. */
	name: string;
	path: string;
	/** What to do on the page before the picture. */
	prepare?: (page: Page) => Promise<void>;
	/** Whether the organisation that has nothing yet is shown instead of the filled one. */
	isEmpty?: boolean;
};

export const SCREENS: Screen[] = [
	{ name: "home", path: "/" },
	{ name: "home-empty", path: "/", isEmpty: true },
	{ name: "jobs", path: "/jobs" },
	{ name: "jobs-empty", path: "/jobs", isEmpty: true },
	{
		...{ name: "job", path: "/jobs/interview?t=12" },
		prepare: async (page) => {
			await page.getByText("0:12").waitFor();
		},
	},
	{ name: "job-insights", path: "/jobs/interview?tab=insights" },
	{ name: "job-deliveries", path: "/jobs/interview?tab=deliveries" },
	{ name: "job-failed", path: "/jobs/lecture" },
	{ name: "job-details", path: "/jobs/interview?tab=details" },
	{ name: "editor", path: "/jobs/interview/edit" },
	{
		...{ name: "editor-review", path: "/jobs/interview/edit" },
		prepare: async (page) => {
			await page.getByRole("button", { name: "Review" }).click();
			await page.getByRole("button", { name: "Next", exact: true }).click();
		},
	},
	{ name: "jobs-preview", path: "/jobs?peek=interview" },
	{
		...{ name: "new-job", path: "/jobs" },
		prepare: async (page) => {
			await page.keyboard.press("n");
			await page.getByRole("dialog").waitFor();
		},
	},
	{
		...{ name: "command-palette", path: "/jobs" },
		prepare: async (page) => {
			await page.keyboard.press("Control+k");
			await page.getByRole("dialog").getByRole("combobox").waitFor();
		},
	},
	{ name: "keys", path: "/keys" },
	{
		...{ name: "new-key", path: "/keys" },
		prepare: async (page) => {
			await page.keyboard.press("n");
			await page.getByRole("textbox", { name: "Name" }).fill("Nightly export");
			await page.getByRole("combobox", { name: "Access" }).selectOption("custom");
		},
	},
	{ name: "webhook-secrets", path: "/keys?tab=webhooks" },
	{ name: "usage", path: "/usage" },
	{ name: "people", path: "/people" },
	{ name: "settings", path: "/settings" },
	{ name: "search", path: "/search?q=payment" },
	{ name: "audit-log", path: "/audit-log" },
	{ name: "vault", path: "/vault" },
];
