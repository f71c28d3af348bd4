import type { Request } from "playwright-core";
import { describe, expect } from "vitest";
import { test, visit } from "./browser/test.ts";

const isFeed = (request: Request) => new URL(request.url()).pathname === "/v1/batch/events";
const LIVE = "Live";

describe("many tabs", () => {
	test("share one stream of events, and another tab reads it when its tab is closed", async ({
		newcomer,
	}) => {
		const context = newcomer.context();
		const feeds: Request[] = [];
		context.on("request", (request) => {
			if (isFeed(request)) feeds.push(request);
		});
		await visit(newcomer, "/jobs");
		await newcomer.getByText(LIVE, { exact: true }).waitFor();
		const tabs = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
		for (const tab of tabs) {
			await visit(tab, "/jobs");
			await tab.getByText(LIVE, { exact: true }).waitFor();
		}
		expect(feeds).toHaveLength(1);
		await newcomer.close();
		await expect.poll(() => feeds.length).toBe(2);
		for (const tab of tabs) await tab.getByText(LIVE, { exact: true }).waitFor();
		expect(feeds).toHaveLength(2);
	});
});
