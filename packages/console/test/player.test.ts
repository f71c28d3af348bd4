import type { Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { ensureJob } from "./api.ts";
import { findFlaws, test, visit } from "./browser/test.ts";

beforeAll(async () => {
	await ensureJob("consoleplayer", "minute.mp3");
});

const clock = (page: Page) => page.getByRole("region", { name: "Player" }).locator("time");
const spoken = (page: Page) =>
	page.evaluate(() => {
		const [range] = CSS.highlights.get("spoken") ?? [];
		return range?.startContainer.textContent?.slice(range.startOffset, range.endOffset);
	});

describe("player", () => {
	test("keys alone play, seek, change the speed and loop, and the spoken word is marked", async ({
		page,
	}) => {
		await visit(page, "/jobs/consoleplayer");
		await page.keyboard.press("ArrowRight");
		await expect.poll(() => clock(page).textContent()).toBe("0:05");
		await expect.poll(() => spoken(page)).toBeTruthy();
		await page.keyboard.press("Space");
		await page.getByRole("button", { name: "Pause" }).waitFor();
		await expect.poll(() => clock(page).textContent(), { timeout: 10_000 }).toBe("0:06");
		await page.keyboard.press("Shift+>");
		await page.getByRole("button", { name: "Speed: 1.25×" }).waitFor();
		await page.keyboard.press("l");
		await page.getByRole("button", { name: "Loop", pressed: true }).waitFor();
		await page.keyboard.press("Space");
		await page.getByRole("button", { name: "Play", exact: true }).waitFor();
		const slider = page.getByRole("slider", { name: "Position in the recording" });
		await slider.focus();
		await page.keyboard.press("End");
		await expect.poll(() => slider.getAttribute("aria-valuenow")).toBe("58");
		expect(await findFlaws(page)).toEqual([]);
	});

	test("a press on a word plays from it", async ({ page }) => {
		await visit(page, "/jobs/consoleplayer");
		const place = await page.evaluate(() => {
			const text = document.querySelector("[data-p]")?.firstChild;
			const at = text?.nodeValue?.indexOf("evening") ?? -1;
			if (!text || at < 0) throw new Error("The word is missing");
			const range = new Range();
			range.setStart(text, at);
			range.setEnd(text, at + 7);
			const { left, top, width, height } = range.getBoundingClientRect();
			return { x: left + width / 2, y: top + height / 2 };
		});
		await page.mouse.click(place.x, place.y);
		await expect.poll(() => spoken(page)).toBe("evening");
		await expect.poll(() => clock(page).textContent()).toBe("0:11");
	});

	test("a stretch that is dragged over the waveform is looped until Loop is pressed", async ({ page }) => {
		await visit(page, "/jobs/consoleplayer");
		const box = await page.getByRole("slider", { name: "Position in the recording" }).boundingBox();
		if (!box) throw new Error("There is no waveform");
		const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
		await page.mouse.move(...at(0.5));
		await page.mouse.down();
		await page.mouse.move(...at(0.55));
		await page.mouse.move(...at(0.6));
		await page.mouse.up();
		await page.getByRole("button", { name: "Loop", pressed: true }).waitFor();
		await expect.poll(() => clock(page).textContent()).toMatch(/^0:(29|30)$/);
		await page.getByRole("button", { name: "Loop" }).click();
		await page.getByRole("button", { name: "Loop", pressed: false }).waitFor();
	});

	test("scrolling while the recording plays stops following, and one press follows again", async ({
		page,
	}) => {
		await page.setViewportSize({ width: 375, height: 500 });
		await visit(page, "/jobs/consoleplayer");
		await page.keyboard.press("Space");
		await page.getByRole("button", { name: "Pause" }).waitFor();
		await page.mouse.move(180, 400);
		await page.mouse.wheel(0, 900);
		await page.getByRole("button", { name: "Jump to current" }).click();
		await page.getByRole("button", { name: "Follow", pressed: true }).waitFor();
	});

	test("an address in the transcript starts where it says", async ({ page }) => {
		await visit(page, "/jobs/consoleplayer?t=20");
		await expect.poll(() => clock(page).textContent()).toBe("0:20");
	});
});
