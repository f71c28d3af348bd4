import { arrayQuery } from "@parley/contracts/shared/common";
import { expect, test } from "vitest";
import { z } from "zod";
import { Reply } from "../reply.ts";
import type { RouteSpec } from "../route.ts";
import { toAnswer } from "./answer-headers.ts";

const route = (fields: Partial<RouteSpec>): RouteSpec => ({
	...{ method: "get", path: "/v1/notes", operationId: "o", summary: "s", tag: "t", access: "any-key" },
	...fields,
});

function page(path: string, total: number, items = 1) {
	const url = new URL(path, "https://parley.example");
	const query = z.object(arrayQuery).parse(Object.fromEntries(url.searchParams));
	const spec = route({ response: z.array(z.string()), query: z.object(arrayQuery) });
	return toAnswer(spec, { url, params: {}, query }, new Reply(200, { items: Array(items).fill("x"), total }))
		.headers;
}

test("a page says how many items match, and where the next page is", () => {
	expect(page("/v1/notes?limit=1", 2)).toEqual({
		"x-total-count": "2",
		link: '</v1/notes?limit=1&offset=1>; rel="next"',
	});
	expect(page("/v1/notes?name=a%26b&offset=1&name=c", 3).link).toBe(
		'</v1/notes?name=a%26b&offset=2&name=c>; rel="next"',
	);
});

test("the last page has no next one, nor has a page without items", () => {
	expect(page("/v1/notes?offset=1", 2)).toEqual({ "x-total-count": "2" });
	expect(page("/v1/notes?offset=5", 2, 0)).toEqual({ "x-total-count": "2" });
	expect(page("/v1/notes", 0, 0)).toEqual({ "x-total-count": "0" });
});

test("a total is exact up to 10,000, and a next page never starts behind the largest offset", () => {
	expect(page("/v1/notes", 10_000)["x-total-count"]).toBe("10000");
	expect(page("/v1/notes", 10_001)["x-total-count"]).toBe("10000+");
	expect(page("/v1/notes?offset=9900", 10_001, 100).link).toContain("offset=10000");
	expect(page("/v1/notes?offset=9901", 10_001, 100).link).toBeUndefined();
});

test("an array that is not paged says its length", () => {
	const request = { url: new URL("https://parley.example/"), params: {}, query: {} };
	const spec = route({ response: z.array(z.string()) });
	expect(toAnswer(spec, request, new Reply(200, ["a", "b"]))).toEqual({
		body: ["a", "b"],
		headers: { "x-total-count": "2" },
	});
});

test("the location is made of the answer and of the path", () => {
	const request = { url: new URL("https://parley.example/"), params: { agent_id: "a" }, query: {} };
	const spec = route({ location: "/v1/agents/{agent_id}/notes/{name}" });
	expect(toAnswer(spec, request, new Reply(201, { name: "b/c" })).headers).toEqual({
		location: "/v1/agents/a/notes/b%2Fc",
	});
});
