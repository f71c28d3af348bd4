import { readFileSync } from "node:fs";
import type { UsageReport } from "@parley/contracts/platform/usage";
import { expect } from "vitest";
import { api, ensureJob } from "./api.ts";
import { findFlaws, test, visit } from "./browser/test.ts";

test("usage is read by day, by model and by key, as a chart with a table beside it", async ({ page }) => {
	await ensureJob("usageclip", "clip.mp3");
	await visit(page, "/usage");
	await page.getByRole("img", { name: /^Minutes of audio, by day\. Highest: / }).waitFor();
	expect(await page.getByRole("table", { name: "By day" }).getByRole("row").count()).toBe(31);
	expect(await findFlaws(page)).toEqual([]);
	await page.getByRole("button", { name: /^Jobs/ }).click();
	await page.getByRole("img", { name: /^Batch jobs, by day/ }).waitFor();
	await page.getByRole("tab", { name: "By day" }).focus();
	await page.keyboard.press("ArrowRight");
	await page.getByRole("img", { name: /^Batch jobs, by model/ }).waitFor();
	await page.getByRole("cell", { name: "parley/pocketsphinx-en-us" }).waitFor();
	await page.keyboard.press("ArrowRight");
	await page.getByRole("img", { name: /^Batch jobs, by key/ }).waitFor();
	expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ by: "key", metric: "jobs" });
	expect(await findFlaws(page)).toEqual([]);
});

test("the numbers of a week are downloaded as the API counts them", async ({ page }) => {
	await ensureJob("usageclip", "clip.mp3");
	const report = await api<UsageReport>("GET", "/v1/usage?group_by=model");
	const jobs = report.items.find(({ model_code }) => model_code === "parley/pocketsphinx-en-us")?.jobs;
	await visit(page, "/usage?by=model");
	await page.getByRole("combobox", { name: "Days" }).selectOption("7d");
	await page.waitForURL(/range=7d/);
	const downloading = page.waitForEvent("download");
	await page.getByRole("button", { name: "Download CSV" }).click();
	const download = await downloading;
	expect(download.suggestedFilename()).toMatch(/^usage-by-model-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
	const [header, ...lines] = readFileSync(await download.path(), "utf8").split("\r\n");
	expect(header).toBe("model,requests,jobs,runs,audio_seconds,characters,cost_usd");
	const line = lines.find((one) => one.startsWith("parley/pocketsphinx-en-us,"));
	expect(Number(line?.split(",")[2])).toBeGreaterThanOrEqual(jobs ?? Number.NaN);
});

test("days without use say so and lead on", async ({ newcomer }) => {
	await visit(newcomer, "/usage?range=custom&since=2025-01-01&until=2025-01-05");
	await newcomer.getByRole("heading", { name: "Nothing was used in these days" }).waitFor();
	expect(await findFlaws(newcomer)).toEqual([]);
	await newcomer.getByRole("button", { name: "Choose a longer time" }).click();
	await newcomer.waitForURL(/range=90d/);
});
