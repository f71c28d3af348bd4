import { createDohResolver } from "@parley/egress/doh-resolver";
import { expect, test } from "vitest";
import { startServer } from "./loopback-server.ts";

const answering = (answers: Record<string, unknown>) =>
	startServer((request, response) => {
		const type = new URL(request.url ?? "", "http://local").searchParams.get("type") ?? "";
		response.writeHead(200, { "content-type": "application/dns-json" }).end(JSON.stringify(answers[type]));
	});

test("addresses of both families are given, aliases are not", async () => {
	const endpoint = await answering({
		1: {
			Status: 0,
			Answer: [
				{ name: "a.example", type: 5, data: "b.example." },
				{ name: "b.example", type: 1, data: "192.0.2.1" },
			],
		},
		28: { Status: 0, Answer: [{ name: "b.example", type: 28, data: "2001:db8::1" }] },
	});
	expect(await createDohResolver({ endpoint })("a.example")).toEqual(["192.0.2.1", "2001:db8::1"]);
});

test("a name that does not exist has no addresses", async () => {
	const endpoint = await answering({ 1: { Status: 3 }, 28: { Status: 3 } });
	expect(await createDohResolver({ endpoint })("nobody.example")).toEqual([]);
});

test.each([
	["an error status", 500, "{}"],
	["something that is not JSON", 200, "<html>"],
	["too much", 200, JSON.stringify({ pad: "x".repeat(100_000) })],
])("a resolver that answers %s has failed", async (_name, status, body) => {
	const endpoint = await startServer((_request, response) => response.writeHead(status).end(body));
	await expect(createDohResolver({ endpoint })("a.example")).rejects.toThrow(
		expect.objectContaining({ name: "EgressError" }),
	);
});
