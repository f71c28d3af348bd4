import { describe, expect } from "vitest";
import { findFlaws, test, visit } from "./browser/test.ts";

describe("sign-in", () => {
	test("a deep link asks for a key first and leads to its screen afterwards", async ({ visitor }) => {
		await visit(visitor, "/jobs?tag=a");
		expect(new URL(visitor.url()).pathname).toBe("/sign-in");
		expect(await findFlaws(visitor)).toEqual([]);
	});
});

describe("a sign-in that an identity provider refused", () => {
	test("is explained, and offers only the doors that are set up", async ({ visitor }) => {
		await visit(visitor, "/sign-in?problem=not_invited&to=%2Fjobs");
		await visitor.getByRole("alert").getByText("Nobody has invited this account").waitFor();
		await visitor.getByLabel("API key").waitFor();
		expect(await visitor.getByRole("link", { name: /Continue with/ }).count()).toBe(0);
		expect(await findFlaws(visitor)).toEqual([]);
		await visit(visitor, "/sign-in?problem=toString");
		await visitor.getByText("Your identity provider could not sign you in").waitFor();
	});
});

describe("frame", () => {
	test("the jobs screen of a new organisation says how to begin", async ({ newcomer }) => {
		await visit(newcomer, "/jobs");
		await newcomer.getByRole("heading", { name: "Transcribe your first recording" }).waitFor();
		expect(await findFlaws(newcomer)).toEqual([]);
	});

	test("every screen of the navigation is reached by keys alone", async ({ newcomer }) => {
		await visit(newcomer, "/");
		await newcomer.keyboard.press("g");
		await newcomer.keyboard.press("j");
		await newcomer.getByRole("heading", { name: "Jobs", level: 1 }).waitFor();
		await newcomer.keyboard.press("Control+k");
		await newcomer.getByRole("dialog").getByRole("combobox").waitFor();
		await newcomer.keyboard.type("home");
		await newcomer.keyboard.press("Enter");
		await newcomer.getByRole("heading", { name: "Home", level: 1 }).waitFor();
		expect(new URL(newcomer.url()).pathname).toBe("/");
	});
});
