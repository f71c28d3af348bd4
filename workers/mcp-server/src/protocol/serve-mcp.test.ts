import { env } from "cloudflare:workers";
import { createOrganisation } from "@parley/testing/organisation";
import { beforeAll, expect, test } from "vitest";
import { callMcp, send } from "../../test/client.ts";
import { isAllowedOrigin } from "./origin.ts";

const PATH = "/v1/mcp";
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const META = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
	"io.modelcontextprotocol/clientCapabilities": {},
};

let key: string;
beforeAll(async () => {
	key = (await createOrganisation(env.DB)).key;
});
const authorized = (headers: Record<string, string> = {}) => ({ authorization: `Bearer ${key}`, ...headers });

test.for(["2025-06-18", "2025-11-25"])("initialize agrees on revision %s", async (protocolVersion) => {
	const clientInfo = { name: "test", version: "1" };
	const { body } = await callMcp(PATH, key, "initialize", { protocolVersion, capabilities: {}, clientInfo });
	expect(body.result).toMatchObject({ protocolVersion, serverInfo: { name: "parley" } });
	expect(body.result?.instructions).toContain("voice agents");
});

test("initialize offers 2025-11-25 for a revision that is not served", async () => {
	const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "t", version: "1" } };
	const { body } = await callMcp(PATH, key, "initialize", params);
	expect(body.result).toMatchObject({ protocolVersion: "2025-11-25" });
});

test("revision 2026-07-28 is discovered, and its lists may be kept for a while", async () => {
	const modern = (method: string) =>
		callMcp(
			PATH,
			key,
			method,
			{ _meta: META },
			{ "mcp-protocol-version": "2026-07-28", "mcp-method": method },
		);
	const discovered = await modern("server/discover");
	expect(discovered.body.result).toMatchObject({ supportedVersions: ["2026-07-28"] });
	const listed = await modern("tools/list");
	expect(listed.body.result).toMatchObject({ ttlMs: 8000, cacheScope: "private" });
});

test.for(["*/*", "application/json", "text/event-stream, application/json", undefined])(
	"a client that accepts %s is served",
	async (accept) => {
		const { status, body } = await send(PATH, LIST, authorized(accept === undefined ? {} : { accept }));
		expect([status, body.result?.tools.length]).toEqual([200, expect.any(Number)]);
	},
);

test.for([
	["[]", 400, -32600],
	[JSON.stringify([LIST, LIST]), 400, -32600],
	["null", 400, -32600],
	['"text"', 400, -32600],
	["{", 400, -32700],
	["", 400, -32700],
	[
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${"[".repeat(1000)}${"]".repeat(1000)}}`,
		400,
		-32700,
	],
	[JSON.stringify({ ...LIST, method: "no/such" }), 200, -32601],
	[JSON.stringify({ ...LIST, method: "resources/list" }), 200, -32601],
] as const)("%s is refused", async ([body, status, code]) => {
	const answer = await send(PATH, body, authorized());
	expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
});

test("a body above 1 MiB is refused, and one below it is not", async () => {
	const sized = (bytes: number) =>
		callMcp(PATH, key, "tools/call", { name: "get_tool", arguments: { tool_id: "a".repeat(bytes) } });
	expect((await sized(1_048_576)).status).toBe(413);
	expect((await sized(1_000_000)).status).toBe(200);
});

test.for(["GET", "DELETE", "PUT", "PATCH"])("%s is answered with 405", async (method) => {
	const { status, headers } = await send(PATH, undefined, authorized(), method);
	expect([status, headers.get("allow")]).toEqual([405, "POST"]);
});

test("a body of another type is refused", async () => {
	const { status } = await send(PATH, "<a/>", authorized({ "content-type": "text/xml" }));
	expect(status).toBe(415);
});

test("a notification is accepted without an answer", async () => {
	const { status } = await send(PATH, { jsonrpc: "2.0", method: "notifications/initialized" }, authorized());
	expect(status).toBe(202);
});

test("scripts of other sites are refused, and those of the endpoint's own origin are not", async () => {
	const foreign = await send(PATH, LIST, authorized({ origin: "https://evil.example" }));
	expect(foreign.status).toBe(403);
	const own = await send(PATH, LIST, authorized({ origin: "https://parley.example" }));
	expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([
		200,
		"https://parley.example",
	]);
	const asking = { origin: "https://parley.example", "access-control-request-method": "POST" };
	const preflight = await send(PATH, undefined, asking, "OPTIONS");
	expect(preflight.status).toBe(204);
	expect(preflight.headers.get("access-control-allow-headers")).toContain("Mcp-Protocol-Version");
});

test.for([
	["https://parley.example", "https://parley.example/v1/mcp", "", true],
	["http://parley.example", "https://parley.example/v1/mcp", "", false],
	["http://rebound.example:8787", "http://rebound.example:8787/v1/mcp", "", false],
	["http://localhost:6274", "http://127.0.0.1:8787/v1/mcp", "", true],
	["http://localhost:6274", "https://parley.example/v1/mcp", "", false],
	["http://localhost.evil.example", "http://127.0.0.1:8787/v1/mcp", "", false],
	["https://app.example", "https://parley.example/v1/mcp", "https://app.example", true],
	[
		"https://app.example",
		"https://parley.example/v1/mcp",
		"https://other.example, https://app.example",
		true,
	],
	["https://any.example", "https://parley.example/v1/mcp", "*", true],
	["null", "https://parley.example/v1/mcp", "", false],
	["null", "http://127.0.0.1:8787/v1/mcp", "", false],
] as const)("origin %s at %s with CORS_ORIGINS %j: %s", ([origin, url, listed, expected]) => {
	expect(isAllowedOrigin(origin, new URL(url), listed)).toBe(expected);
});
