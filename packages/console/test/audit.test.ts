import { readFileSync } from "node:fs";
import type { AuditEntry } from "@parley/contracts/agents/audit-log";
import { expect } from "vitest";
import { api } from "./api.ts";
import { findFlaws, test, visit } from "./browser/test.ts";

test("a change is found, read with its values before and after, and exported", async ({ page }) => {
	const email = "audited@studio.example";
	const { id } = await api<{ id: string }>("POST", "/v1/users", { email, name: "Audited", role: "viewer" });
	await api("PATCH", `/v1/users/${id}`, { role: "developer" });
	await visit(page, "/audit-log");
	expect(await findFlaws(page)).toEqual([]);
	await page.getByRole("combobox", { name: "Kind" }).selectOption("user");
	await page.waitForURL(/resource=user/);
	await page
		.getByRole("row", { name: /^Changed person Audited/ })
		.getByRole("link")
		.first()
		.click();
	const panel = page.getByRole("complementary");
	await panel.getByText("Before: viewer").waitFor();
	await panel.getByText("After: developer").waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await panel.getByRole("button", { name: "Only changes of this" }).click();
	await page.getByText("2 changes").waitFor();
	const downloading = page.waitForEvent("download");
	await page.getByRole("button", { name: "Export" }).click();
	await page.getByRole("menuitem", { name: "NDJSON" }).click();
	const lines = readFileSync(await (await downloading).path(), "utf8")
		.trim()
		.split("\n");
	const actions = lines.map((line) => (JSON.parse(line) as AuditEntry).action);
	expect(actions).toEqual(["user.update", "user.invite"]);
	await api("DELETE", `/v1/users/${id}`);
});

test("filters without a match are cleared with one press", async ({ newcomer }) => {
	await visit(newcomer, "/audit-log?since=2025-01-01&until=2025-01-02");
	await newcomer.getByRole("heading", { name: "No change matches these filters" }).waitFor();
	expect(await findFlaws(newcomer)).toEqual([]);
	await newcomer.getByRole("button", { name: "Clear filters" }).last().click();
	await newcomer.getByRole("table", { name: "Changes" }).waitFor();
});
