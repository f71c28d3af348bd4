import { env, exports } from "cloudflare:workers";
import type { AuthorizationRequest, OAuthGrant } from "@parley/contracts/platform/oauth";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { oauthRecords } from "@parley/db/platform/oauth";
import { users } from "@parley/db/platform/users";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { callMcp, send } from "../../test/client.ts";
import {
	authorize,
	CALLBACK,
	MANAGEMENT,
	ORIGIN,
	openConsent,
	post,
	redeem,
	register,
	requestOf,
	VERIFIER,
} from "../../test/oauth-client.ts";

const AGENT = newId();
const AGENT_URL = `${ORIGIN}/v1/agents/${AGENT}/mcp`;
const db = openDatabase(env.DB);

const list = (token: string, path = "/v1/mcp") => callMcp(path, token, "tools/list");
const refresh = (clientId: string, token: string, changes: Record<string, string> = {}) =>
	post({ grant_type: "refresh_token", client_id: clientId, refresh_token: token, ...changes });
const getJson = async (path: string) => (await send(path, undefined, {}, "GET")).body as unknown;

test("a client finds its way from a 401 to a token, and the token works", async () => {
	const refused = await send("/v1/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
	const challenge = refused.headers.get("www-authenticate") ?? "";
	expect(challenge).toBe(`Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/v1/mcp"`);
	const resource = await getJson("/.well-known/oauth-protected-resource/v1/mcp");
	expect(resource).toMatchObject({ resource: MANAGEMENT, authorization_servers: [ORIGIN] });
	const server = await getJson("/.well-known/oauth-authorization-server");
	expect(server).toMatchObject({
		issuer: ORIGIN,
		authorization_endpoint: `${ORIGIN}/oauth/authorize`,
		token_endpoint: `${ORIGIN}/oauth/token`,
		registration_endpoint: `${ORIGIN}/oauth/register`,
		code_challenge_methods_supported: ["S256"],
		response_types_supported: ["code"],
		authorization_response_iss_parameter_supported: true,
	});
	const { tokens, organisation } = await authorize();
	expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, resource: MANAGEMENT });
	const listed = await list(tokens.access_token);
	expect(listed.body.result?.tools.map(({ name }) => name)).toContain("create_tool");
	const body = { name: "made", tool_type: "end_call" };
	const made = await callMcp("/v1/mcp", tokens.access_token, "tools/call", {
		name: "create_tool",
		arguments: { body },
	});
	expect(made.body, JSON.stringify(made.body)).not.toHaveProperty("error");
	expect(JSON.parse(made.body.result?.content[0]?.text ?? "")).toMatchObject({
		organisation_id: organisation.id,
	});
});

test("the metadata of an endpoint names that endpoint alone", async () => {
	expect(await getJson(`/.well-known/oauth-protected-resource/v1/agents/${AGENT}/mcp`)).toMatchObject({
		resource: AGENT_URL,
	});
	expect(await getJson("/.well-known/oauth-protected-resource")).toMatchObject({ resource: MANAGEMENT });
	for (const path of ["/v1/agents", "/v1/agents/x/mcp", "/v1/mcp/", `/v1/agents/${AGENT}/mcp/x`])
		expect((await send(`/.well-known/oauth-protected-resource${path}`, undefined, {}, "GET")).status).toBe(
			404,
		);
});

test("the authorization endpoint leads to the consent page, or back to the client with an error", async () => {
	const { body: client } = await register();
	const visit = async (query: string, accept = "text/html") => {
		const request = new Request(`${ORIGIN}/oauth/authorize?${query}`, {
			headers: { accept },
			redirect: "manual",
		});
		const response = await exports.default.fetch(request);
		await response.body?.cancel();
		return { status: response.status, location: response.headers.get("location") ?? "" };
	};
	const query = await requestOf(client.client_id);
	const { status, location } = await visit(query);
	expect([status, location]).toEqual([302, expect.stringMatching(/^\/connect\?request=r\.[\w-]+$/)]);
	expect(atob((location.split("=r.")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"))).toBe(query);
	for (const [changes, error] of [
		[{ code_challenge_method: "plain" }, "invalid_request"],
		[{ code_challenge: undefined }, "invalid_request"],
		[{ response_type: "token" }, "unsupported_response_type"],
		[{ resource: undefined }, "invalid_target"],
		[{ resource: "https://other.example/v1/mcp" }, "invalid_target"],
		[{ resource: `${ORIGIN}/v1/agents/tools` }, "invalid_target"],
	] as const) {
		const back = await visit(await requestOf(client.client_id, changes));
		const url = new URL(back.location);
		expect([changes, url.origin + url.pathname, url.searchParams.get("error")]).toEqual([
			changes,
			CALLBACK,
			error,
		]);
		expect(url.searchParams.get("state")).toBe("a state");
	}
	const site = "https://app.example/callback";
	const { body: web } = await register({ redirect_uris: [site] });
	const broken = await requestOf(web.client_id, { redirect_uri: site, response_type: "token" });
	expect((await visit(broken)).location).toMatch(/^\/connect\?request=/);
	expect((await visit(broken, "*/*")).location).toMatch(/^https:\/\/app\.example\/callback\?error=/);
	for (const redirect_uri of [
		"http://127.0.0.1:6274/callback/../evil",
		"http://127.0.0.1:6274/callback?x=1",
		"http://127.0.0.1.evil.example:6274/callback",
		"http://evil.example/callback",
		"https://127.0.0.1:6274@evil.example/callback",
		"javascript:alert(1)//",
		"",
	]) {
		const refused = await visit(await requestOf(client.client_id, { redirect_uri }), "application/json");
		expect([redirect_uri, refused]).toEqual([redirect_uri, { status: 422, location: "" }]);
	}
	expect(await visit(await requestOf("nobody"), "application/json")).toEqual({ status: 422, location: "" });
	expect(await visit(`client_id=${"a".repeat(9_000)}`)).toEqual({ status: 422, location: "" });
});

test("a person learns who asks for what, and decides", async () => {
	const { describe, decide } = await openConsent("developer");
	const { body: client } = await register({ client_name: "<b>Inspector</b>" });
	const query = await requestOf(client.client_id, {
		scope: "tools:read keys:manage vault:read offline_access",
	});
	const description = (await describe(query)).body as unknown as AuthorizationRequest;
	expect(description).toEqual({
		client: { id: client.client_id, name: "<b>Inspector</b>" },
		...{ redirect_host: "127.0.0.1", redirect_is_local: true },
		resource: { url: MANAGEMENT, agent: null },
		scopes: ["tools:read"],
	});
	const denied = (await decide(query, "deny")).body as unknown as { redirect_to: string };
	const url = new URL(denied.redirect_to);
	expect([url.searchParams.get("error"), url.searchParams.get("iss")]).toEqual(["access_denied", ORIGIN]);
	for (const changes of [{ redirect_uri: "https://evil.example" }, { code_challenge: undefined }]) {
		const refused = await decide(await requestOf(client.client_id, changes));
		expect([refused.status, refused.body.error?.code]).toEqual([422, "VALIDATION_FAILED"]);
	}
});

test("only a person on a page of ours can decide", async () => {
	const { organisation, person } = await openConsent();
	const { body: client } = await register();
	const body = { request: await requestOf(client.client_id), decision: "approve" };
	const decide = async (headers: Record<string, string>) =>
		(await send("/v1/oauth/authorization", body, headers)).status;
	const { cookie = "" } = person.headers;
	expect(await decide({})).toBe(401);
	expect(await decide({ authorization: `Bearer ${organisation.key}` })).toBe(403);
	expect(await decide({ cookie, origin: ORIGIN })).toBe(401);
	expect(await decide({ ...person.headers, origin: "https://evil.example" })).toBe(403);
	const { tokens } = await authorize();
	expect(await decide({ authorization: `Bearer ${tokens.access_token}` })).toBe(401);
	expect(await decide(person.headers)).toBe(200);
});

test("an agent of another organisation cannot be asked for", async () => {
	const { describe } = await openConsent();
	const { body: client } = await register();
	const { status } = await describe(await requestOf(client.client_id, { resource: AGENT_URL }));
	expect(status).toBe(404);
});

test("a token works at the endpoint that it was issued for, and nowhere else", async () => {
	const { tokens } = await authorize();
	const token = tokens.access_token;
	expect((await list(token)).status).toBe(200);
	const elsewhere = await list(token, `/v1/agents/${AGENT}/mcp`);
	expect([elsewhere.status, elsewhere.body]).toMatchObject([401, { error: { code: "AUTH_REQUIRED" } }]);
	expect(
		(await send("/v1/oauth/grants", undefined, { authorization: `Bearer ${token}` }, "GET")).status,
	).toBe(401);
	for (const plane of [env.AGENTS, env.BATCH] as unknown as Fetcher[])
		for (const path of ["/v1/agents/tools", "/v1/batch/jobs"]) {
			const headers = { authorization: `Bearer ${token}` };
			const { status, body } = await plane.fetch(`${ORIGIN}${path}`, { headers });
			await body?.cancel();
			expect([401, 404]).toContain(status);
		}
	for (const bad of [`${token.slice(0, -1)}~`, `${token.slice(0, -4)}AAAA`, token.replace(/^./, "_")]) {
		const refused = await list(bad);
		expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
			401,
			expect.stringContaining('error="invalid_token"'),
		]);
	}
});

test("a code works once, for its client, its address and its verifier", async () => {
	const { approve } = await openConsent();
	const [{ body: client }, { body: other }] = [await register(), await register()];
	const newCode = async () => approve(await requestOf(client.client_id));
	const refusal = async (...given: Parameters<typeof redeem>) => {
		const { status, body } = await redeem(...given);
		return [status, body.error];
	};
	const code = await newCode();
	expect(await refusal(other.client_id, code)).toEqual([400, "invalid_grant"]);
	expect(await refusal(client.client_id, code, { code_verifier: `${VERIFIER}x` })).toEqual([
		400,
		"invalid_grant",
	]);
	expect(await refusal(client.client_id, code, { redirect_uri: "http://127.0.0.1:6275/callback" })).toEqual([
		400,
		"invalid_grant",
	]);
	expect(await refusal(client.client_id, code, { resource: AGENT_URL })).toEqual([400, "invalid_target"]);
	const { body: tokens } = await redeem(client.client_id, code);
	expect((await list(tokens.access_token)).status).toBe(200);
	expect(await refusal(client.client_id, code)).toEqual([400, "invalid_grant"]);
	// A code that comes twice may be stolen, so what it was exchanged for ends.
	expect(await refresh(client.client_id, tokens.refresh_token)).toMatchObject({
		status: 400,
		body: { error: "invalid_grant" },
	});
});

test("of many redemptions of one code at once, at most one gets tokens that last", async () => {
	const { approve } = await openConsent();
	const { body: client } = await register();
	const code = await approve(await requestOf(client.client_id));
	const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(client.client_id, code)));
	const won = answers.filter(({ status }) => status === 200);
	expect(won.length).toBe(1);
	for (const { status, body } of answers.filter((answer) => !won.includes(answer)))
		expect([status, body.error]).toEqual([400, "invalid_grant"]);
});

test("a refresh token rotates, and refreshes at once do not lock the client out", async () => {
	const { clientId, tokens } = await authorize();
	const both = await Promise.all([
		refresh(clientId, tokens.refresh_token),
		refresh(clientId, tokens.refresh_token),
	]);
	expect(both.map(({ status }) => status)).toEqual([200, 200]);
	const second = await refresh(clientId, both[1]?.body.refresh_token ?? "");
	const first = await refresh(clientId, both[0]?.body.refresh_token ?? "");
	expect([first.status, second.status].filter((status) => status === 200).length).toBeGreaterThan(0);
	const old = await refresh(clientId, tokens.refresh_token);
	expect([old.status, old.body.error]).toEqual([400, "invalid_grant"]);
});

test("a token has the scopes that the person has now", async () => {
	const { tokens, person } = await authorize(MANAGEMENT, "viewer");
	expect(tokens.scope).not.toContain("tools:write");
	const names = (await list(tokens.access_token)).body.result?.tools.map(({ name }) => name);
	expect(names).toContain("list_tools");
	expect(names).not.toContain("create_tool");
	const owner = await authorize();
	expect(owner.tokens.scope.split(" ")).toEqual(expect.arrayContaining(["tools:write", "batch:write"]));
	expect(owner.tokens.scope).not.toMatch(/keys:manage|vault/);
	const { body } = await refresh(owner.clientId, owner.tokens.refresh_token);
	await db.update(users).set({ role: "viewer" }).where(eq(users.id, owner.person.id));
	expect((await list(body.access_token)).body.result?.tools.map(({ name }) => name)).toEqual(names);
	await db.update(users).set({ deletedAt: new Date().toISOString() }).where(eq(users.id, person.id));
	const again = await refresh((await authorize()).clientId, tokens.refresh_token);
	expect(again.status).toBe(400);
});

test("a deleted person's token stops working", async () => {
	const { tokens, person } = await authorize();
	await db.update(users).set({ deletedAt: new Date().toISOString() }).where(eq(users.id, person.id));
	expect((await list(tokens.access_token)).status).toBe(401);
});

test("people see and revoke the access that they gave, and nobody else's", async () => {
	const mine = await authorize();
	const other = await authorize();
	const grantsOf = async ({ person }: typeof mine) =>
		(await send("/v1/oauth/grants", undefined, person.headers, "GET")).body as unknown as OAuthGrant[];
	const [grant] = await grantsOf(mine);
	expect(grant).toMatchObject({
		client: { id: mine.clientId, name: "Inspector" },
		...{ redirect_host: "127.0.0.1", resource: { url: MANAGEMENT, agent: null } },
	});
	const revoke = async ({ person }: typeof mine) =>
		(await send(`/v1/oauth/grants/${grant?.id}`, undefined, person.headers, "DELETE")).status;
	expect(await revoke(other)).toBe(404);
	expect(await revoke(mine)).toBe(204);
	expect(await revoke(mine)).toBe(404);
	expect(await grantsOf(mine)).toEqual([]);
	expect(await grantsOf(other)).toHaveLength(1);
	expect((await list(mine.tokens.access_token)).status).toBe(401);
	expect((await refresh(mine.clientId, mine.tokens.refresh_token)).status).toBe(400);
	const rows = await db
		.select({ key: oauthRecords.key })
		.from(oauthRecords)
		.where(eq(oauthRecords.organisationId, mine.organisation.id));
	expect(rows).toEqual([]);
});

test("a client revokes its token (RFC 7009)", async () => {
	const { clientId, tokens } = await authorize();
	const { status } = await post({ token: tokens.refresh_token, client_id: clientId });
	expect(status).toBe(200);
	expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
	expect((await list(tokens.access_token)).status).toBe(401);
});

test("a confidential client needs its secret", async () => {
	const { approve } = await openConsent();
	const { status, body } = await register({ token_endpoint_auth_method: "client_secret_basic" });
	expect([status, body.client_secret]).toEqual([201, expect.any(String)]);
	const code = await approve(await requestOf(body.client_id));
	const form = { grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
	const basic = (secret = "") => ({ authorization: `Basic ${btoa(`${body.client_id}:${secret}`)}` });
	expect((await post({ ...form, client_id: body.client_id })).status).toBe(401);
	expect((await post(form, basic("wrong"))).status).toBe(401);
	expect((await post(form, basic(body.client_secret))).status).toBe(200);
});

test.for([
	[{ redirect_uris: [] }],
	[{ redirect_uris: ["http://evil.example/callback"] }],
	[{ redirect_uris: ["javascript:alert(1)"] }],
	[{ redirect_uris: ["https://app.example/callback#x"] }],
	[{ redirect_uris: Array.from({ length: 11 }, (_, at) => `https://app.example/${at}`) }],
	[{ redirect_uris: [`https://app.example/${"a".repeat(2_001)}`] }],
	[{ client_name: "a".repeat(2_001) }],
	[{ grant_types: ["password"] }],
	[{ response_types: ["token"] }],
])("a registration with %j is refused", async ([metadata]) => {
	const { status, body } = await register(metadata);
	expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_/)]);
});

test("a large form and a request over plain http are refused", async () => {
	expect((await register({ client_name: "a".repeat(9_000) })).status).toBe(413);
	const request = new Request("http://parley.example/.well-known/oauth-authorization-server");
	const response = await exports.default.fetch(request);
	expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("https")]);
});

test("scripts of any site may call OAuth's endpoints, where no cookie counts", async () => {
	const origin = "https://app.example";
	const found = await send("/.well-known/oauth-authorization-server", undefined, { origin }, "GET");
	expect(found.headers.get("access-control-allow-origin")).toBe(origin);
	const asking = { origin, "access-control-request-method": "POST" };
	const preflight = await send("/oauth/token", undefined, asking, "OPTIONS");
	expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
	expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
	const consent = await send("/v1/oauth/authorization", {}, { origin });
	expect(consent.status).toBe(403);
});
