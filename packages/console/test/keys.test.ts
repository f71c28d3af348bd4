import type { CreatedKey, Key } from "@parley/contracts/platform/keys";
import type { Scope } from "@parley/contracts/shared/scopes";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { api } from "./api.ts";
import { baseUrl, findFlaws, test, visit } from "./browser/test.ts";

const createKey = (label: string, scopes: Scope[]) =>
	api<CreatedKey>("POST", "/v1/keys", { label, family: "consumer", scopes });
const findKey = async (label: string) =>
	(await api<Key[]>("GET", "/v1/keys?limit=200")).find((key) => key.label === label);

/** Everything that the page holds or keeps. */
const contentOf = async (page: Page): Promise<string> =>
	(await page.content()) +
	(await page.evaluate(() => {
		const fields = [...document.querySelectorAll("input, textarea")] as HTMLInputElement[];
		return JSON.stringify([
			fields.map(({ value }) => value),
			{ ...localStorage },
			{ ...sessionStorage },
			location.href,
			history.state,
		]);
	}));

test("a key is created by keyboard, shown once, and leaves the page with its dialog", async ({ page }) => {
	await visit(page, "/keys");
	await page.keyboard.press("n");
	await page.getByRole("textbox", { name: "Name" }).waitFor();
	await page.keyboard.type("Made by keys");
	expect(await findFlaws(page)).toEqual([]);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Made by keys is ready" }).waitFor();
	const key = (await page.getByText(/^parley_cu_\w+$/).textContent()) ?? "";
	expect(await findFlaws(page)).toEqual([]);
	expect(await page.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
	await page.keyboard.press("Escape");
	await page.getByLabel("I have stored it").focus();
	await page.keyboard.press("Space");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await page.getByRole("link", { name: "Made by keys" }).waitFor();
	expect(key).toMatch(/^parley_cu_/);
	expect(await contentOf(page)).not.toContain(key);
	const me = await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
	expect(await me.json()).toMatchObject({ api_key_label: "Made by keys" });
});

test("a key has the scopes that were chosen one by one, and expires when it was told to", async ({
	page,
}) => {
	await visit(page, "/keys");
	await page.getByRole("button", { name: "Create key" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByRole("textbox", { name: "Name" }).fill("Chosen");
	await dialog.getByRole("combobox", { name: "Access" }).selectOption("read");
	await dialog.getByRole("combobox", { name: "Access" }).selectOption("custom");
	await dialog.getByRole("checkbox", { name: /audit:read/ }).uncheck();
	await dialog.getByRole("checkbox", { name: /speech:use/ }).check();
	await dialog.getByRole("combobox", { name: "Expires" }).selectOption("30");
	expect(await findFlaws(page)).toEqual([]);
	await dialog.getByRole("button", { name: "Create key" }).click();
	await page.getByRole("heading", { name: "Chosen is ready" }).waitFor();
	const key = await findKey("Chosen");
	expect(new Set(key?.scopes)).toEqual(
		new Set(["tools:read", "agents:read", "mcp:read", "batch:read", "speech:use"]),
	);
	const days = (Date.parse(key?.expires_at ?? "") - Date.now()) / 86_400_000;
	expect(Math.round(days)).toBe(30);
});

test("an agent key is bound to its agent, and runs nothing else", async ({ page }) => {
	const agent = await api<{ id: string }>("POST", "/v1/agents", { name: "Front desk" });
	await visit(page, "/keys");
	await page.getByRole("button", { name: "Create key" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByRole("textbox", { name: "Name" }).fill("Desk, production");
	await dialog.getByRole("radio", { name: /^Agent key/ }).check();
	await dialog.getByRole("combobox", { name: "Agent" }).selectOption({ label: "Front desk" });
	expect(await findFlaws(page)).toEqual([]);
	await dialog.getByRole("button", { name: "Create key" }).click();
	await page.getByRole("heading", { name: "Desk, production is ready" }).waitFor();
	const key = (await page.getByText(/^parley_ag_\w+$/).textContent()) ?? "";
	await dialog.getByText(`export PARLEY_AGENT_KEY=${key}`).waitFor();
	await dialog.getByText(`${baseUrl}/v1/agents/${agent.id}/mcp`, { exact: true }).waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await page.getByLabel("I have stored it").check();
	await page.getByRole("button", { name: "Done" }).click();
	expect(await findKey("Desk, production")).toMatchObject({ family: "agent", agent_id: agent.id });
	const headers = { authorization: `Bearer ${key}` };
	expect((await fetch(`${baseUrl}/v1/agents/${agent.id}/tools`, { headers })).status).toBe(200);
	expect((await fetch(`${baseUrl}/v1/keys`, { headers })).status).toBe(403);
	await page.getByRole("link", { name: "Desk, production" }).click();
	await page.getByRole("complementary").getByText("Front desk").waitFor();
});

test("a key says what breaks before it is revoked, and then stops working", async ({ page }) => {
	const { id, key } = await createKey("To revoke", ["batch:read"]);
	const use = () => fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
	expect((await use()).status).toBe(200);
	await visit(page, "/keys");
	await page.getByRole("link", { name: "To revoke" }).focus();
	await page.keyboard.press("Enter");
	await page.getByRole("complementary", { name: "To revoke" }).waitFor();
	expect(new URL(page.url()).searchParams.get("peek")).toBe(id);
	expect(await findFlaws(page)).toEqual([]);
	await page.keyboard.press("ArrowRight");
	for (let tabs = 0; tabs < 3; tabs++) await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	const dialog = page.getByRole("dialog", { name: "Revoke To revoke?" });
	await dialog.getByText("Programs that use this key get 401.").waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await dialog.getByRole("button", { name: "Revoke key" }).click();
	await page.getByText("To revoke is revoked").waitFor();
	await page.getByRole("link", { name: "To revoke" }).waitFor({ state: "detached" });
	expect((await use()).status).toBe(401);
});

test("a webhook secret is rotated, shown once, and signs beside the one before it", async ({ page }) => {
	await api("POST", "/v1/batch/webhook-secret/rotate", {});
	await visit(page, "/keys?tab=webhooks");
	expect(await findFlaws(page)).toEqual([]);
	await page.getByRole("button", { name: "Rotate secret" }).click();
	expect(await findFlaws(page)).toEqual([]);
	await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
	const secret = (await page.getByText(/^whsec_\S+$/).textContent()) ?? "";
	await page.getByLabel("I have stored it").check();
	await page.getByRole("button", { name: "Done" }).click();
	await page.getByText("Signing", { exact: true }).first().waitFor();
	expect(secret).toMatch(/^whsec_/);
	expect(await contentOf(page)).not.toContain(secret);
	expect(await page.getByText("Current", { exact: true }).count()).toBe(1);
});

test("the command palette leads from anywhere to the making of a key", async ({ page }) => {
	await visit(page, "/jobs");
	await page.keyboard.press("Control+k");
	await page.getByRole("combobox", { name: /^Type a command/ }).waitFor();
	await page.keyboard.type("api key");
	await page.getByRole("option", { name: "Create API key", selected: true }).waitFor();
	await page.keyboard.press("Enter");
	await page.getByRole("dialog", { name: "Create API key" }).waitFor();
	expect(new URL(page.url()).searchParams.get("new")).toBe("true");
	await page.keyboard.press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	expect(new URL(page.url()).search).toBe("");
});

test("who may not manage keys reads why, and cannot press", async ({ open }) => {
	const { key } = await createKey("Reader", ["batch:read"]);
	const page = await open(key ?? "");
	await visit(page, "/keys");
	await page.getByRole("heading", { name: "Owners and admins manage API keys" }).waitFor();
	const create = page.getByRole("button", { name: "Create key" });
	expect(await create.getAttribute("aria-disabled")).toBe("true");
	await create.focus();
	await page.keyboard.press("Enter");
	expect(await page.getByRole("dialog").count()).toBe(0);
	expect(await findFlaws(page)).toEqual([]);
	await page.getByRole("tab", { name: "Webhook secrets" }).click();
	const rotate = page.getByRole("button", { name: /(Rotate|Create) secret/ });
	await rotate.waitFor();
	expect(await rotate.getAttribute("aria-disabled")).toBe("true");
});

test("a new organisation reads what a webhook secret is for", async ({ newcomer }) => {
	await visit(newcomer, "/keys?tab=webhooks");
	await newcomer.getByRole("heading", { name: "Create your webhook secret" }).waitFor();
	expect(await findFlaws(newcomer)).toEqual([]);
});
