import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { reachableFetch } from "./reachable-fetch.ts";

test("an unreachable address is named with the reason", async () => {
	await expect(reachableFetch("http://127.0.0.1:9/v1/me?secret=1")).rejects.toThrow(
		/^http:\/\/127\.0\.0\.1:9 could not be reached: bad port$/,
	);
});

test("an address where nothing listens is named", async () => {
	const server = createServer().listen(0, "127.0.0.1");
	await new Promise((listening) => server.once("listening", listening));
	const { port } = server.address() as AddressInfo;
	await new Promise((closed) => server.close(closed));
	await expect(reachableFetch(new URL(`http://127.0.0.1:${port}/v1/me`))).rejects.toThrow(
		`nothing answers at http://127.0.0.1:${port};`,
	);
});
