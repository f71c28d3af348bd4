import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";

const { call } = await createClient();
const get = (name: string, headers: Record<string, string> = {}) =>
	call("GET", `/v1/notes/${name}`, { headers });

test("a resource carries a strong tag and is not sent again to whoever has it", async () => {
	const first = await get("a");
	const etag = first.headers.get("etag") ?? "";
	expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
	expect(await first.json()).toEqual({ text: "a" });

	const again = await get("a", { "if-none-match": `"old", W/${etag}` });
	expect(again.status).toBe(304);
	expect(again.headers.get("etag")).toBe(etag);
	expect(await again.text()).toBe("");
});

test("a resource that differs from the caller's is sent", async () => {
	const etag = (await get("a")).headers.get("etag") ?? "";
	const other = await get("b", { "if-none-match": etag });
	expect(other.status).toBe(200);
	expect(other.headers.get("etag")).not.toBe(etag);
});
