import type { User } from "@parley/contracts/platform/users";
import { expect, inject } from "vitest";
import { api } from "./api.ts";
import { findFlaws, test, visit } from "./browser/test.ts";

const findUser = async (email: string) =>
	(await api<User[]>("GET", "/v1/users?limit=200")).find((user) => user.email === email);

test("a viewer is invited by keyboard, and the words to send are at hand", async ({ page }) => {
	await visit(page, "/people");
	await page.keyboard.press("n");
	await page.getByRole("textbox", { name: "E-mail address" }).waitFor();
	await page.keyboard.type("vera@studio.example");
	expect(await findFlaws(page)).toEqual([]);
	await page.keyboard.press("Tab");
	await page.keyboard.type("Vera");
	await page.keyboard.press("Tab");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Vera is invited" }).waitFor();
	await page.getByText(/Sign in at http.* with vera@studio\.example\./).waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await page.keyboard.press("Enter");
	await page.getByRole("link", { name: "Vera" }).waitFor();
	expect(await findUser("vera@studio.example")).toMatchObject({ name: "Vera", role: "viewer" });
	expect(await findFlaws(page)).toEqual([]);
});

test("an address that is taken is refused at its field, and nothing typed is lost", async ({ page }) => {
	await api("POST", "/v1/users", { email: "taken@studio.example", role: "viewer" }).catch(() => {});
	await visit(page, "/people");
	await page.getByRole("button", { name: "Invite person" }).click();
	const email = page.getByRole("textbox", { name: "E-mail address" });
	await email.fill("taken@studio.example");
	await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
	await page.getByRole("alert").getByText("Another person of the organisation has this address").waitFor();
	expect(await email.inputValue()).toBe("taken@studio.example");
	expect(await email.getAttribute("aria-invalid")).toBe("true");
});

test("a role is changed beside the list, and an invitation is withdrawn", async ({ page }) => {
	const email = "dora@studio.example";
	await api("POST", "/v1/users", { email, name: "Dora", role: "viewer" });
	await visit(page, "/people");
	await page.getByRole("link", { name: "Dora" }).click();
	const panel = page.getByRole("complementary", { name: "Dora" });
	await panel.getByRole("radio", { name: /^Developer/ }).check();
	expect(await findFlaws(page)).toEqual([]);
	await panel.getByRole("button", { name: "Change role" }).click();
	await page.getByText("Dora is now Developer").waitFor();
	expect(await findUser(email)).toMatchObject({ role: "developer" });
	await panel.getByRole("button", { name: "Withdraw invitation" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
	await page.getByRole("link", { name: "Dora" }).waitFor({ state: "detached" });
	expect(await findUser(email)).toBeUndefined();
});

test("the last owner stays, and reads why", async ({ page }) => {
	await visit(page, "/people");
	await page.getByRole("link", { name: /You$/ }).click();
	await page
		.getByRole("complementary")
		.getByRole("radio", { name: /^Viewer/ })
		.check();
	await page.getByRole("button", { name: "Change role" }).click();
	await page.getByText("The organisation needs an owner.", { exact: false }).waitFor();
});

test("other sessions are ended, and their browsers are asked to sign in", async ({ page, open }) => {
	const key = inject("studio").api_key;
	await open(key);
	const other = await open(key);
	await visit(page, "/people?tab=sessions");
	await visit(other, "/people?tab=sessions");
	expect(await findFlaws(other)).toEqual([]);
	await other.getByRole("button", { name: "End all others" }).click();
	expect(await findFlaws(other)).toEqual([]);
	await other.getByRole("dialog").getByRole("button", { name: "End all others" }).click();
	await other.getByText(/sessions ended/).waitFor();
	expect(await other.getByRole("button", { name: /^End the session/ }).count()).toBe(0);
	const pathAfterReload = async () => {
		await page.reload();
		return new URL(page.url()).pathname;
	};
	await expect.poll(pathAfterReload, { timeout: 20_000, interval: 1_000 }).toBe("/sign-in");
});
