import { expect, inject } from "vitest";
import { findFlaws, test, visit } from "./browser/test.ts";

const KEYS = /\/v1\/keys\?/;
const answer = (status: number, code: string, message: string, headers: Record<string, string> = {}) => ({
	status,
	headers: { "content-type": "application/json", ...headers },
	body: JSON.stringify({ detail: message, error: { code, message, request_id: "req-12345678" } }),
});

test("too many requests are counted down, and then tried again by itself", async ({ page }) => {
	await page.clock.install();
	const busy = answer(429, "RATE_LIMITED", "Too many requests.", { "retry-after": "30" });
	await page.route(KEYS, (route) => route.fulfill(busy));
	await page.goto(`${inject("baseUrl")}/keys`);
	await page.getByRole("button", { name: "Try again in 30 s" }).waitFor();
	await page.getByText("Too many requests", { exact: true }).waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await page.unroute(KEYS);
	await page.clock.runFor(31_000);
	await page.getByRole("table", { name: "API keys" }).waitFor();
});

test("a fault of the server shows the request id and the request, and is tried again on a press", async ({
	page,
}) => {
	await page.route(KEYS, (route) =>
		route.fulfill(answer(500, "INTERNAL_ERROR", "Something went wrong on our side")),
	);
	await page.goto(`${inject("baseUrl")}/keys`);
	const alert = page.getByRole("alert").filter({ hasText: "Parley has a problem" });
	await alert.getByText("req-12345678").waitFor();
	await alert.getByRole("button", { name: "Copy as curl" }).waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await page.unroute(KEYS);
	await alert.getByRole("button", { name: "Try again" }).click();
	await page.getByRole("table", { name: "API keys" }).waitFor();
});

test("a lost connection keeps what was typed, and the same request makes one key", async ({ page }) => {
	await visit(page, "/keys");
	await page.getByRole("button", { name: "Create key" }).click();
	await page.getByRole("textbox", { name: "Name" }).fill("Through a tunnel");
	await page.context().setOffline(true);
	await page.getByText("You are offline.", { exact: false }).waitFor();
	const create = page.getByRole("dialog").getByRole("button", { name: "Create key" });
	await create.click();
	await page.getByText("No connection").waitFor();
	expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Through a tunnel");
	expect(await findFlaws(page)).toEqual([]);
	await page.context().setOffline(false);
	await create.click();
	await page.getByRole("heading", { name: "Through a tunnel is ready" }).waitFor();
});

test("an expired session asks to sign in over the page, and goes on where it was", async ({ page }) => {
	await visit(page, "/keys");
	await page.getByRole("button", { name: "Create key" }).click();
	await page.getByRole("textbox", { name: "Name" }).fill("Before the end");
	await page.context().clearCookies();
	await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
	const asked = page.getByRole("dialog", { name: "Sign in again" });
	await asked.getByRole("textbox", { name: "API key" }).fill(inject("studio").api_key);
	await asked.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("heading", { name: "Before the end is ready" }).waitFor();
});
