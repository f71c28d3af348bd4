import { expect } from "vitest";
import { api } from "./api.ts";
import { findFlaws, test, visit } from "./browser/test.ts";

const VALUE = "tok_9f2c61d0b7e84a35";

test("a secret is kept by keyboard, and its value is nowhere afterwards", async ({ page }) => {
	await api("DELETE", "/v1/agents/secrets/CRM_TOKEN_2").catch(() => {});
	await visit(page, "/vault");
	await page.keyboard.press("n");
	const name = page.getByRole("textbox", { name: "Name" });
	await name.waitFor();
	await page.keyboard.type("crm token-2");
	expect(await name.inputValue()).toBe("CRM_TOKEN_2");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Tab");
	await page.keyboard.type(VALUE);
	expect(await findFlaws(page)).toEqual([]);
	await page.getByRole("button", { name: "Add entry" }).last().click();
	await page.getByRole("link", { name: "CRM_TOKEN_2" }).click();
	const panel = page.getByRole("complementary", { name: "CRM_TOKEN_2" });
	await panel.getByText("Write-only. Nobody can read it.").waitFor();
	await panel.getByText("Nothing uses it.").waitFor();
	expect(await findFlaws(page)).toEqual([]);
	const content = await page.evaluate(() => [
		document.documentElement.outerHTML,
		JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state]),
		...[...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value),
	]);
	expect(content.join()).not.toContain(VALUE);
});

test("a rotation shows what it reaches, and one that is too late says so", async ({ page }) => {
	await api("DELETE", "/v1/agents/secrets/TO_ROTATE").catch(() => {});
	await api("POST", "/v1/agents/secrets", { name: "TO_ROTATE", value: VALUE });
	await visit(page, "/vault?peek=TO_ROTATE");
	await page.getByRole("button", { name: "Rotate", exact: true }).click();
	const dialog = page.getByRole("dialog", { name: "Rotate TO_ROTATE?" });
	await dialog.getByText("Nothing uses it now.").waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await dialog.getByRole("textbox", { name: "New value" }).fill("the value that I typed");
	await api("PATCH", "/v1/agents/secrets/TO_ROTATE", { value: "somebody was first" });
	await dialog.getByRole("button", { name: "Rotate" }).click();
	await dialog.getByText("Somebody else has rotated it meanwhile.", { exact: false }).waitFor();
	expect(await dialog.getByRole("textbox", { name: "New value" }).inputValue()).toBe(
		"the value that I typed",
	);
	await dialog.getByRole("button", { name: "Rotate" }).click();
	await page.getByText("TO_ROTATE is rotated").waitFor();
	const { revision } = await api<{ revision: number }>("GET", "/v1/agents/secrets/TO_ROTATE");
	expect(revision).toBe(3);
});

test("an entry that nothing uses is deleted", async ({ page }) => {
	await api("POST", "/v1/agents/secrets", { name: "TO_DELETE", value: VALUE }).catch(() => {});
	await visit(page, "/vault?peek=TO_DELETE");
	await page.getByRole("button", { name: "Delete entry" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Delete entry" }).click();
	await page.getByText("TO_DELETE is deleted").waitFor();
	await page.getByRole("link", { name: "TO_DELETE" }).waitFor({ state: "detached" });
});

test("a newcomer reads what the vault is for", async ({ newcomer }) => {
	await visit(newcomer, "/vault");
	await newcomer.getByRole("heading", { name: "Keep your first secret" }).waitFor();
	expect(await findFlaws(newcomer)).toEqual([]);
});
