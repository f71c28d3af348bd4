import { join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";
import { expect } from "vitest";
import { findFlaws, test, visit } from "./browser/test.ts";

const CLIP = join(root, "packages/testing/fixtures/speech/clip.mp3");

test("uploads fold away when all are done, and are cleared by one press", async ({ page }) => {
	await visit(page, "/jobs");
	await page.keyboard.press("n");
	const dialog = page.getByRole("dialog");
	await dialog.locator("input[type=file]").first().setInputFiles(CLIP);
	await dialog.getByRole("button", { name: "Transcribe 1 file" }).click();
	const tray = page.getByRole("region", { name: "Uploads" });
	await tray.getByText("Uploads finished").waitFor();
	await tray.getByRole("button", { name: "Expand" }).waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await tray.getByRole("button", { name: "Clear finished" }).click();
	await tray.waitFor({ state: "detached" });
});
