import { beforeAll, describe, expect } from "vitest";
import { ensureJob } from "./api.ts";
import { findOverflow } from "./browser/browser.ts";
import { findFlaws, test, visit } from "./browser/test.ts";

const EXTRAS = {
	...{ summarization_config: {}, auto_chapters_config: {}, topic_detection_config: {} },
	sentiment_analysis_config: {},
};

beforeAll(async () => {
	await ensureJob("consolejob", "minute.mp3", { ...EXTRAS, tracking: { title: "City library" } });
	await ensureJob("consolefailed", "clip.mp3", { input_base64: btoa("This is no recording.") });
});

describe("job screen", () => {
	test("the words, the extras and the details of a job are read without a barrier", async ({ page }) => {
		await visit(page, "/jobs/consolejob");
		await page.getByText("thank you for calling the city library").waitFor();
		expect(await findFlaws(page)).toEqual([]);
		for (const tab of ["Insights", "Deliveries", "Details"]) {
			await page.getByRole("tab", { name: tab }).click();
			await page.waitForFunction(() => !document.querySelector(".skeleton"));
			expect(await findFlaws(page), tab).toEqual([]);
		}
		expect(new URL(page.url()).searchParams.get("tab")).toBe("details");
	});

	test("nothing sticks out on the narrowest phones", async ({ page }) => {
		for (const width of [360, 320]) {
			await page.setViewportSize({ width, height: 700 });
			for (const tab of ["transcript", "insights", "deliveries", "details"]) {
				await visit(page, `/jobs/consolejob?tab=${tab}`);
				expect(await findOverflow(page), `${tab} at ${width} px`).toEqual([]);
			}
		}
	});

	test("a search inside the transcript counts its matches, steps through them and stays in the URL", async ({
		page,
	}) => {
		await visit(page, "/jobs/consolejob");
		await page.keyboard.press("/");
		await page.keyboard.type("library");
		await page.getByText("1 of 2").waitFor();
		await page.keyboard.press("Enter");
		await page.getByText("2 of 2").waitFor();
		await expect.poll(() => new URL(page.url()).searchParams.get("find")).toBe("library");
		const marked = await page.evaluate(() => CSS.highlights.get("found-now")?.size);
		expect(marked).toBe(1);
	});

	test("a transcript downloads in every format", async ({ page }) => {
		await visit(page, "/jobs/consolejob");
		for (const [label, ending] of [
			["Text (TXT)", "txt"],
			["Subtitles (SRT)", "srt"],
			["Subtitles (VTT)", "vtt"],
			["Words with times (JSON)", "json"],
		]) {
			await page.getByRole("button", { name: "Download" }).click();
			const [download] = await Promise.all([
				page.waitForEvent("download"),
				page.getByRole("menuitem", { name: label }).click(),
			]);
			expect(download.suggestedFilename()).toBe(`City library.${ending}`);
		}
	});

	test("a failed job says why, and an unknown one leads back", async ({ page }) => {
		await visit(page, "/jobs/consolefailed");
		await page.getByRole("alert").getByText("The job failed").waitFor();
		expect(await findFlaws(page)).toEqual([]);
		await page.goto(new URL("/jobs/nosuchjob", page.url()).href);
		await page.getByRole("heading", { name: "This job does not exist" }).waitFor();
	});
});
