import { expect } from "vitest";
import { ensureJob } from "./api.ts";
import { findFlaws, test, visit } from "./browser/test.ts";

const prepare = () => ensureJob("searchclip", "clip.ogg", { tracking: { title: "Payment call" } });

test("a sentence is found, played and opened by keyboard", async ({ page }) => {
	await prepare();
	await visit(page, "/");
	await page.keyboard.press("g");
	await page.keyboard.press("f");
	await page.getByRole("searchbox", { name: "Search all transcripts" }).waitFor();
	await page.keyboard.type("your payment");
	const job = page.getByRole("article", { name: "Payment call" });
	await job.getByText("payment", { exact: true }).waitFor();
	expect(await job.locator("mark").allTextContents()).toEqual(["your", "payment"]);
	expect(new URL(page.url()).searchParams.get("q")).toBe("your payment");
	expect(await findFlaws(page)).toEqual([]);
	await page.keyboard.press("ArrowDown");
	const found = await page.evaluate(() => document.activeElement?.closest("[data-hit]") !== null);
	expect(found).toBe(true);
	await page.keyboard.press("Space");
	await page.getByRole("button", { name: "Stop" }).waitFor();
	expect(await findFlaws(page)).toEqual([]);
	// The clip ends by itself when the sentence does.
	await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
	expect(await page.getByRole("alert").count()).toBe(0);
});

test("a hit leads to its place in the recording", async ({ page }) => {
	await prepare();
	await visit(page, "/search?q=monday");
	await page
		.getByRole("article", { name: "Payment call" })
		.getByRole("link", { name: /monday/ })
		.click();
	await page.waitForURL(/\/jobs\/searchclip/);
	const { searchParams } = new URL(page.url());
	expect(searchParams.get("find")).toBe("monday");
	expect(searchParams.has("t")).toBe(true);
	await page.goBack();
	await page.getByRole("article", { name: "Payment call" }).waitFor();
	expect(await page.getByRole("searchbox").inputValue()).toBe("monday");
});

test("words that nobody said are answered with what else to try", async ({ page }) => {
	await prepare();
	await visit(page, "/search?q=zeppelin");
	await page.getByRole("heading", { name: "No transcript has these words" }).waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await page.getByRole("button", { name: "Clear" }).click();
	await page.getByRole("heading", { name: "Find a sentence in any recording" }).waitFor();
	expect(new URL(page.url()).search).toBe("");
});

test("examples show a newcomer how to search", async ({ newcomer }) => {
	await visit(newcomer, "/search");
	expect(await findFlaws(newcomer)).toEqual([]);
	await newcomer.getByRole("button", { name: '"speak to a manager"' }).click();
	await newcomer.getByRole("heading", { name: "No transcript has these words" }).waitFor();
	expect(await newcomer.getByRole("searchbox").inputValue()).toBe('"speak to a manager"');
});
