import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ConsoleSession } from "@parley/contracts/platform/console";
import { createOrganisation } from "@parley/testing/organisation";
import { expect, test } from "vitest";
import { app } from "../app.ts";
import { isLocalVisit } from "./local-visit.ts";

const VISIT = {
	host: "127.0.0.1:8787",
	"sec-fetch-mode": "navigate",
	"sec-fetch-dest": "document",
	"sec-fetch-site": "none",
};

type Given = { headers?: Record<string, string | null>; method?: string; settings?: Partial<Env> };

async function visit({ headers = {}, method = "GET", settings = {} }: Given, path = "/docs") {
	const sent = Object.entries({ ...VISIT, ...headers }).filter((pair): pair is [string, string] => !!pair[1]);
	const ctx = createExecutionContext();
	const local = { ...env, CONSOLE_LOCAL_SIGN_IN: "true", CONSOLE_LOCAL_PORT: "8787", ...settings };
	const request = new Request(`http://127.0.0.1:8787${path}`, { method, headers: sent });
	const response = await app.fetch(request, local, ctx);
	const body = await response.text();
	await waitOnExecutionContext(ctx);
	return { status: response.status, cookie: response.headers.get("set-cookie"), body };
}

test("a browser on this machine is signed in as the owner of the oldest organisation, once", async () => {
	await createOrganisation(env.DB);
	const { cookie } = await visit({});
	expect(cookie).toMatch(/^parley=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
	const token = cookie?.split(";")[0] ?? "";
	expect((await visit({ headers: { cookie: token } })).cookie).toBeNull();
	const me = await visit({ headers: { cookie: token, "x-parley-console": "1" } }, "/v1/console/session");
	expect(JSON.parse(me.body) as ConsoleSession).toMatchObject({
		role: "owner",
		session: { door: "local" },
	});
	const again = await visit({
		headers: { cookie: `parley=${"A".repeat(43)}`, "sec-fetch-site": "same-origin" },
	});
	expect(again.cookie).toMatch(/^parley=/);
});

test.each<[string, Given]>([
	["the setting is off", { settings: { CONSOLE_LOCAL_SIGN_IN: "false" } }],
	["the port is not known", { settings: { CONSOLE_LOCAL_PORT: "" } }],
	["the host is another one", { headers: { host: "evil.example:8787" } }],
	["the host begins like loopback", { headers: { host: "127.0.0.1.evil.example:8787" } }],
	["the port is another one", { headers: { host: "127.0.0.1:9999" } }],
	["the host has no port", { headers: { host: "localhost" } }],
	["a proxy forwarded the request", { headers: { "x-forwarded-for": "203.0.113.9" } }],
	["a proxy names another host", { headers: { "x-forwarded-host": "parley.example" } }],
	["a proxy speaks RFC 7239", { headers: { forwarded: "for=203.0.113.9" } }],
	["the origin is another one", { headers: { origin: "https://evil.example" } }],
	["the origin is opaque", { headers: { origin: "null" } }],
	["another site links here", { headers: { "sec-fetch-site": "cross-site" } }],
	["another port links here", { headers: { "sec-fetch-site": "same-site" } }],
	["a frame is loaded", { headers: { "sec-fetch-dest": "iframe" } }],
	["a script fetches", { headers: { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" } }],
	[
		"no browser asks",
		{ headers: { "sec-fetch-mode": null, "sec-fetch-site": null, "sec-fetch-dest": null } },
	],
	["the request posts", { method: "POST" }],
])("nobody is signed in when %s", async (_, given) => {
	expect((await visit(given)).cookie).toBeNull();
});

test("a browser that has the page already is signed in with the answer 304", async () => {
	await createOrganisation(env.DB);
	const ASSETS = { fetch: async () => new Response(null, { status: 304 }) } as unknown as Fetcher;
	const cached = { accept: "text/html", "if-none-match": '"page"' };
	const { status, cookie } = await visit({ headers: cached, settings: { ASSETS } }, "/");
	expect([status, cookie]).toEqual([304, expect.stringMatching(/^parley=/)]);
});

test("localhost and IPv6 loopback count as this machine", () => {
	for (const host of ["localhost:8787", "[::1]:8787"]) {
		const request = new Request("http://127.0.0.1:8787/", { headers: { ...VISIT, host } });
		expect([host, isLocalVisit(request, "8787")]).toEqual([host, true]);
	}
});

test("answers of the API carry no cookie", async () => {
	expect((await visit({}, "/openapi.json")).cookie).toBeNull();
	expect((await visit({}, "/v1/catalog/models")).cookie).toBeNull();
});
