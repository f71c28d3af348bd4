import { expect } from "vitest";
import { api, ensureJob } from "./api.ts";
import { findFlaws, test, visit } from "./browser/test.ts";

test("settings show the organisation, engines, services and limits", async ({ page }) => {
	await ensureJob("usageclip", "clip.mp3");
	await visit(page, "/settings");
	for (const name of ["You", "Organisation", "Engines", "Regions", "Services", "Retention and limits"])
		await page.getByRole("heading", { name, exact: true }).waitFor();
	const engine = page.getByRole("row", { name: /PocketSphinx US English/ });
	await engine.getByText("Working").waitFor();
	await page.getByText("7 days after the job ended").waitFor();
	await page.getByRole("region", { name: "Services" }).getByText("Database").waitFor();
	expect(await findFlaws(page)).toEqual([]);
});

test("people give themselves a name by keyboard", async ({ page }) => {
	await visit(page, "/settings");
	const name = page.getByRole("textbox", { name: "Name" });
	const text = `Ada ${Date.now() % 1000}`;
	await name.focus();
	await page.keyboard.press("Control+a");
	await page.keyboard.type(text);
	await page.keyboard.press("Enter");
	await page.getByText("Saved").waitFor();
	await page.getByRole("banner").getByText(text).waitFor();
	const users = await api<{ name: string | null }[]>("GET", "/v1/users");
	expect(users.map((user) => user.name)).toContain(text);
});

test("an API key that acts for nobody has no name to give", async ({ open }) => {
	const { key } = await api<{ key: string }>("POST", "/v1/keys", {
		...{ label: "Reader of settings", family: "consumer", scopes: ["batch:read"] },
	});
	const page = await open(key);
	await visit(page, "/settings");
	await page.getByText("You are signed in with an API key, which has no name.").waitFor();
	expect(await findFlaws(page)).toEqual([]);
});
