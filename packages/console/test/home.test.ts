import { beforeAll, describe, expect } from "vitest";
import { api, ensureJob } from "./api.ts";
import { findFlaws, test, visit } from "./browser/test.ts";

describe("home", () => {
	beforeAll(async () => {
		await ensureJob("consolefailed", "clip.mp3", { input_base64: btoa("This is no recording.") });
		const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
		await api("POST", "/v1/keys", {
			...{ label: "Nightly import", family: "consumer", scopes: ["batch:read"], expires_at: tomorrow },
		});
	});

	test("a failed job and a key that expires soon need attention", async ({ page }) => {
		await visit(page, "/");
		await page.getByText("Key Nightly import expires soon").waitFor();
		expect(await findFlaws(page)).toEqual([]);
		await page.getByRole("link", { name: /failed in the last 7 days/ }).click();
		await page.waitForURL(/status=.*FAILED/);
	});

	test("a new organisation is led to its first job", async ({ newcomer }) => {
		await visit(newcomer, "/");
		await newcomer.getByRole("heading", { name: "First steps" }).waitFor();
		expect(await findFlaws(newcomer)).toEqual([]);
		await newcomer.getByRole("link", { name: "Choose a recording" }).click();
		await newcomer.getByRole("dialog").getByRole("heading", { name: "New job" }).waitFor();
		await newcomer.keyboard.press("Escape");
		expect(new URL(newcomer.url()).search).toBe("");
	});

	test("a job that somebody else submits appears in the list without a reload", async ({ page }) => {
		await visit(page, "/jobs");
		await page.getByTitle("Changes appear by themselves.").waitFor();
		await ensureJob(`live${Date.now()}`, "clip.wav", { tracking: { title: "Appears live" } });
		const row = page.getByRole("row", { name: "Appears live" }).first();
		await row.getByText("Done").waitFor();
	});
});
