import type { RevisionPage } from "@parley/contracts/batch/revisions";
import type { Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import { api, ensureJob, transcriptText } from "./api.ts";
import { baseUrl, findFlaws, test, visit } from "./browser/test.ts";

const SENTENCE = "we have received your payment and the order will be sent on monday";

/** Opens the editor of a job of its own. */
async function edit(page: Page, jobId: string): Promise<void> {
	await ensureJob(jobId, "clip.mp3");
	await visit(page, `/jobs/${jobId}/edit`);
}
const paragraph = (page: Page) => page.getByRole("textbox", { name: /at 0:0/ }).first();
/** Replaces a word in the first paragraph as somebody does who double-clicks it and types. */
async function replaceWord(page: Page, word: string, typed: string): Promise<void> {
	await paragraph(page).focus();
	await page.evaluate((wanted) => {
		const text = document.activeElement?.firstChild;
		const at = text?.nodeValue?.indexOf(wanted) ?? -1;
		if (text && at >= 0) getSelection()?.setBaseAndExtent(text, at, text, at + wanted.length);
	}, word);
	await page.keyboard.type(typed);
}
const latest = async (jobId: string) =>
	(await api<RevisionPage>("GET", `/v1/batch/jobs/${jobId}/revisions`)).items[0];

describe("transcript editor", () => {
	test("a corrected word is saved as a revision, and the job shows it", async ({ page }) => {
		await edit(page, "editorsave");
		await replaceWord(page, "monday", "Tuesday");
		await page.getByText("1 paragraph changed").waitFor();
		expect(await findFlaws(page)).toEqual([]);
		await page.keyboard.press("Control+s");
		await page.getByText("Saved as revision 1").waitFor();
		expect(await latest("editorsave")).toMatchObject({ revision: 1, summary: { words_replaced: 1 } });
		expect(await transcriptText("editorsave", 1)).toBe(SENTENCE.replace("monday", "Tuesday"));
		expect(await transcriptText("editorsave")).toBe(SENTENCE);
		await page.getByRole("link", { name: "Job", exact: true }).click();
		await page.getByText("Edited, revision 1").waitFor();
		await page.getByText("sent on Tuesday").waitFor();
		await visit(page, "/jobs?peek=editorsave");
		const peek = page.getByRole("complementary");
		await peek.getByText("Edited, revision 1").waitFor();
		await peek.getByText("sent on Tuesday").waitFor();
	});

	test("undo and redo go through typing and through a replacement of all matches", async ({ page }) => {
		await edit(page, "editorundo");
		await replaceWord(page, "payment", "cheque");
		await page.keyboard.press("Control+h");
		await page.getByLabel("Find", { exact: true }).fill("we");
		await page.getByLabel("Replace with").fill("they");
		await page.getByText("1 of 1").waitFor();
		await page.getByRole("button", { name: "Replace all" }).click();
		await expect
			.poll(() => paragraph(page).textContent())
			.toBe(SENTENCE.replace("we", "they").replace("payment", "cheque"));
		// The words between the two are not marked.
		await expect.poll(() => page.evaluate(() => CSS.highlights.get("edited")?.size)).toBe(2);
		await page.getByRole("button", { name: "Undo" }).click();
		await expect.poll(() => paragraph(page).textContent()).toBe(SENTENCE.replace("payment", "cheque"));
		await page.keyboard.press("Control+z");
		await expect.poll(() => paragraph(page).textContent()).toBe(SENTENCE);
		await page.keyboard.press("Control+Shift+z");
		await expect.poll(() => paragraph(page).textContent()).toBe(SENTENCE.replace("payment", "cheque"));
	});

	test("a revision that somebody else saves meanwhile is merged, and both texts of a conflict are offered", async ({
		page,
	}) => {
		await edit(page, "editormerge");
		const save = (base: number, start: number, text: string) =>
			api("POST", "/v1/batch/jobs/editormerge/revisions", {
				...{ base_revision: base, edits: [{ start, end: start + 1, text }] },
			});
		await save(0, 0, "they");
		await replaceWord(page, "monday", "Tuesday");
		await page.keyboard.press("Control+s");
		await page.getByText("Your changes of 1 paragraph fit in without a conflict.").waitFor();
		await page.getByRole("button", { name: "Merge and save" }).click();
		await page.getByText("Saved as revision 2").waitFor();
		expect(await transcriptText("editormerge", 2)).toBe(
			SENTENCE.replace("we", "they").replace("monday", "Tuesday"),
		);
		await save(2, 3, "their");
		await replaceWord(page, "your", "our");
		await page.keyboard.press("Control+s");
		await page.getByText("You both changed these:").waitFor();
		expect(await findFlaws(page)).toEqual([]);
		await page.getByRole("radio", { name: /Their text/ }).check();
		await page.getByRole("button", { name: "Merge and save" }).click();
		await expect.poll(() => paragraph(page).textContent()).toContain("received their payment");
	});

	test("a session that expires in the middle of typing loses nothing", async ({ page }) => {
		await edit(page, "editorexpired");
		await replaceWord(page, "order", "parcel");
		await page.context().request.delete(`${baseUrl}/v1/console/session`, {
			headers: { origin: baseUrl, "x-parley-console": "1" },
		});
		await page.keyboard.press("Control+s");
		await page.getByRole("heading", { name: "Sign in again" }).waitFor();
		await page.getByLabel("API key").fill(inject("studio").api_key);
		await page.keyboard.press("Enter");
		await page.getByText("Saved as revision 1").waitFor();
		expect(await transcriptText("editorexpired", 1)).toContain("the parcel will");
	});

	test("unsaved text survives a reload, and leaving asks first", async ({ page }) => {
		await edit(page, "editorreload");
		await replaceWord(page, "order", "parcel");
		await page.getByRole("link", { name: "Jobs", exact: true }).click();
		await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
		page.on("dialog", (dialog) => void dialog.accept());
		await page.reload();
		await page.getByText("Your unsaved changes are back.").waitFor();
		expect(await paragraph(page).textContent()).toContain("the parcel will");
	});

	test("speakers are split, named and merged", async ({ page }) => {
		await edit(page, "editorspeakers");
		const speaker = async (name: string, words?: string) => {
			if (words) {
				await page.evaluate((wanted) => {
					const text = document.querySelector("[data-p]")?.firstChild;
					const at = text?.nodeValue?.indexOf(wanted) ?? -1;
					if (text) getSelection()?.setBaseAndExtent(text, at, text, at + wanted.length);
				}, words);
			}
			await page
				.getByRole("button", { name: /^Speaker:/ })
				.first()
				.click();
			await page.getByRole("menuitem", { name: "New speaker" }).click();
			await page.getByLabel("Name").fill(name);
			await page.keyboard.press("Enter");
			await page
				.getByRole("button", { name: `Speaker: ${name}` })
				.first()
				.waitFor();
		};
		await speaker("Ada");
		await speaker("Charles", "we have received");
		expect(await page.getByRole("textbox", { name: /at 0:0|, 0:0/ }).count()).toBe(2);
		await page.getByRole("button", { name: "Speakers" }).click();
		await page.getByLabel("Name of Charles").fill("Ada");
		await page.getByText("Merges with Ada").waitFor();
		await page.getByRole("button", { name: "Save speakers" }).click();
		await expect.poll(async () => (await latest("editorspeakers"))?.revision).toBe(3);
		await expect.poll(() => page.getByRole("button", { name: "Speaker: Charles" }).count()).toBe(0);
	});

	test("hostile and right-to-left words are text and stay editable", async ({ page }) => {
		const words = "<img src=x onerror=alert(1)> \u202Egnp.exe مرحبا بالعالم";
		await ensureJob("editorhostile", "clip.mp3");
		await api("POST", "/v1/batch/jobs/editorhostile/revisions", {
			...{ base_revision: 0, edits: [{ start: 0, end: 13, text: words }] },
		});
		await visit(page, "/jobs/editorhostile/edit");
		expect(await paragraph(page).textContent()).toContain("<img src=x onerror=alert(1)>");
		expect(await page.locator("[data-p] img").count()).toBe(0);
		await replaceWord(page, "بالعالم", "<b>يا</b>");
		await page.keyboard.press("Control+s");
		await page.getByText("Saved as revision 2").waitFor();
		expect(await transcriptText("editorhostile", 2)).toContain("<b>يا</b>");
		expect(await page.locator("[data-p] b").count()).toBe(0);
	});

	test("the history shows who changed what", async ({ page }) => {
		await edit(page, "editorhistory");
		await replaceWord(page, "monday", "Tuesday");
		await page.keyboard.press("Control+s");
		await page.getByText("Saved as revision 1").waitFor();
		await page.getByRole("button", { name: "History" }).click();
		await page.getByRole("deletion").getByText("monday").waitFor();
		await page.getByRole("insertion").getByText("Tuesday").waitFor();
		expect(await findFlaws(page)).toEqual([]);
	});

	test("review leads from one unsure word to the next and selects it", async ({ page }) => {
		await edit(page, "editorreview");
		await page.getByRole("button", { name: "Review" }).click();
		await page.getByLabel("Below").selectOption("0.9");
		await page.keyboard.press("F8");
		await page.getByText(/Unsure word 1 of/).waitFor();
		expect(await page.evaluate(() => getSelection()?.toString().length)).toBeGreaterThan(0);
	});
});
