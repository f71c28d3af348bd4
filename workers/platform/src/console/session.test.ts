import { env } from "cloudflare:workers";
import { hashKey } from "@parley/auth/api-key";
import { forgetKey } from "@parley/auth/authenticate-key";
import { authenticateSession, forgetSession } from "@parley/auth/authenticate-session";
import type { ConsoleSession, SessionEntry, SignInCode } from "@parley/contracts/platform/console";
import type { ErrorBody } from "@parley/contracts/shared/error-bodies";
import { SCOPES } from "@parley/contracts/shared/scopes";
import { openDatabase } from "@parley/db/client";
import { sessions } from "@parley/db/platform/sessions";
import { users } from "@parley/db/platform/users";
import { issueKey } from "@parley/testing/organisation";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openBrowser, signInWith } from "../../test/browser.ts";
import { createClient, openSocket } from "../../test/client.ts";

const db = openDatabase(env.DB);
const codeOf = ({ status, body }: { status: number; body: unknown }) => [
	status,
	(body as Partial<ErrorBody>).error?.code,
];
const tokenOf = (browser: ReturnType<typeof openBrowser>) => browser.jar.get("__Host-parley") ?? "";

test("the first full key makes its holder the owner, and the same key signs the same person in again", async () => {
	const { key, id } = await createClient();
	const browser = openBrowser();
	const first = await browser.call<ConsoleSession>("POST", "/v1/console/session", { body: { key } });
	expect(first).toMatchObject({
		status: 200,
		body: { role: "owner", organisation: { id }, session: { door: "key" }, scopes: [...SCOPES] },
	});
	const [cookie = ""] = first.headers.getSetCookie();
	expect(cookie).toMatch(
		/^__Host-parley=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
	);
	const again = await openBrowser().call<ConsoleSession>("POST", "/v1/console/session", { body: { key } });
	expect(again.body.user?.id).toBe(first.body.user?.id);
	expect(await browser.call("GET", "/v1/console/session")).toMatchObject({
		status: 200,
		body: { actor: first.body.actor, session: { id: first.body.session?.id } },
	});
	const [row] = await db.select().from(sessions).where(eq(sessions.organisationId, id));
	expect(JSON.stringify(row)).not.toContain(tokenOf(browser));
});

test("a later key, and one of few scopes, acts for itself", async () => {
	const { id, key } = await createClient();
	const few = await issueKey(env.DB, id, { scopes: ["batch:read"] });
	const viewer = await signInWith(few.key);
	expect((await viewer.call("GET", "/v1/console/session")).body).toMatchObject({
		...{ actor: `api_key:${few.id}`, user: null, role: null, scopes: ["batch:read"] },
	});
	expect(codeOf(await viewer.call("POST", "/v1/keys", { body: { label: "x", family: "batch" } }))).toEqual([
		403,
		"FORBIDDEN",
	]);
	await signInWith(key);
	const second = await issueKey(env.DB, id, { scopes: SCOPES });
	const later = await signInWith(second.key);
	expect((await later.call("GET", "/v1/console/session")).body).toMatchObject({ role: null, user: null });
	expect(await db.select().from(users).where(eq(users.organisationId, id))).toHaveLength(1);
});

test("wrong keys, batch keys and nonsense open no session, and ten failures block an address", async () => {
	const { batchKey, key } = await createClient();
	const headers = { "cf-connecting-ip": "192.0.2.77" };
	const browser = openBrowser();
	const attempt = (body: unknown) => browser.call("POST", "/v1/console/session", { body, headers });
	expect(codeOf(await attempt({ key: batchKey }))).toEqual([403, "FORBIDDEN"]);
	expect(codeOf(await attempt({ key: "parley_cu_nobody" }))).toEqual([401, "AUTH_REQUIRED"]);
	expect(codeOf(await attempt({ code: "nobody" }))).toEqual([401, "AUTH_REQUIRED"]);
	expect(codeOf(await attempt({ key, code: "both" }))).toEqual([422, "VALIDATION_FAILED"]);
	for (let failed = 3; failed < 10; failed++) await attempt({ key: "parley_cu_nobody" });
	const blocked = await attempt({ key });
	expect(codeOf(blocked)).toEqual([429, "RATE_LIMITED"]);
	expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(0);
	expect(browser.jar.size).toBe(0);
	const elsewhere = { "cf-connecting-ip": "192.0.2.78" };
	const other = await browser.call("POST", "/v1/console/session", { body: { key }, headers: elsewhere });
	expect(other.status).toBe(200);
});

test("thirty failures at once are no way around the limit, and sign-ins that succeed do not count", async () => {
	const { key } = await createClient();
	const attempt = (given: string, address: string) =>
		openBrowser().call("POST", "/v1/console/session", {
			body: { key: given },
			headers: { "cf-connecting-ip": address },
		});
	const wrong = await Promise.all(
		Array.from({ length: 30 }, () => attempt("parley_cu_nobody", "192.0.2.90")),
	);
	expect(wrong.filter(({ status }) => status === 401)).toHaveLength(10);
	expect(wrong.filter(({ status }) => status === 429)).toHaveLength(20);
	for (let times = 0; times < 12; times++) expect((await attempt(key, "192.0.2.91")).status).toBe(200);
});

test("addresses of one IPv6 network share a limit", async () => {
	const attempt = (address: string) =>
		openBrowser().call("POST", "/v1/console/session", {
			body: { key: "parley_cu_nobody" },
			headers: { "cf-connecting-ip": address },
		});
	for (let host = 1; host <= 10; host++) expect((await attempt(`2001:db8:7:7::${host}`)).status).toBe(401);
	expect((await attempt("2001:db8:7:7::99")).status).toBe(429);
	expect((await attempt("2001:db8:7:8::1")).status).toBe(401);
});

test("a sign-in code opens one session, within a minute", async () => {
	const { call, id } = await createClient();
	const { body } = await call<SignInCode>("POST", "/v1/console/codes");
	expect(body.url).toBe(`https://parley.example/sign-in#code=${body.code}`);
	const attempts = await Promise.all(
		[1, 2, 3].map(() => openBrowser().call("POST", "/v1/console/session", { body: { code: body.code } })),
	);
	expect(attempts.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
	const late = await call<SignInCode>("POST", "/v1/console/codes");
	await env.DB.prepare("update sign_in_codes set expires_at = ? where organisation_id = ?")
		.bind(new Date(Date.now() - 1).toISOString(), id)
		.run();
	expect(
		codeOf(await openBrowser().call("POST", "/v1/console/session", { body: { code: late.body.code } })),
	).toEqual([401, "AUTH_REQUIRED"]);
	const revoked = await issueKey(env.DB, id);
	const made = await call<SignInCode>("POST", "/v1/console/codes", undefined, { key: revoked.key });
	await call("DELETE", `/v1/keys/${revoked.id}`);
	expect(
		codeOf(await openBrowser().call("POST", "/v1/console/session", { body: { code: made.body.code } })),
	).toEqual([401, "AUTH_REQUIRED"]);
});

test("a cookie counts only with the console's header, and unsafe calls only from our own origin", async () => {
	const { key } = await createClient();
	const browser = await signInWith(key);
	const body = { label: "x", family: "batch" };
	const create = (headers: Record<string, string | null>) =>
		browser.call("POST", "/v1/keys", { body, headers });
	expect(codeOf(await browser.call("GET", "/v1/keys", { headers: { "x-parley-console": null } }))).toEqual([
		401,
		"AUTH_REQUIRED",
	]);
	expect(codeOf(await create({ "x-parley-console": null }))).toEqual([401, "AUTH_REQUIRED"]);
	for (const origin of ["https://evil.example", "null", "https://parley.example.evil.example", null])
		expect(codeOf(await create({ origin }))).toEqual([403, "FORBIDDEN"]);
	expect((await create({})).status).toBe(201);
	const foreign = { origin: "https://evil.example" };
	for (const [method, given] of [
		["POST", { body: { key }, headers: foreign }],
		["DELETE", { headers: foreign }],
		["DELETE", { headers: { ...foreign, "x-parley-console": null } }],
	] as const)
		expect(codeOf(await browser.call(method, "/v1/console/session", given))).toEqual([403, "FORBIDDEN"]);
	expect((await browser.call("GET", "/v1/console/session")).status).toBe(200);
});

test("a WebSocket takes the cookie from our own origin alone", async () => {
	const { key } = await createClient();
	const browser = await signInWith(key);
	const open = async (origin: string | null) => {
		const headers = { cookie: `__Host-parley=${tokenOf(browser)}`, ...(origin && { origin }) };
		const { response, socket } = await openSocket("/v1/stt/parley/local", null, headers);
		socket?.accept();
		socket?.close();
		await response.body?.cancel();
		return response.status;
	};
	expect(await open("https://evil.example")).toBe(403);
	expect(await open(null)).toBe(403);
	expect(await open("https://parley.example")).toBe(101);
});

test("a key in the request counts over the cookie", async () => {
	const { key } = await createClient();
	const other = await createClient();
	const browser = await signInWith(key);
	const as = (authorization: string) =>
		browser.call("GET", "/v1/console/session", { headers: { authorization } });
	expect((await as(`Bearer ${other.key}`)).body).toMatchObject({ organisation: { id: other.id } });
	expect(codeOf(await as("Bearer parley_cu_nobody"))).toEqual([401, "AUTH_REQUIRED"]);
});

test("a planted token opens nothing, and a sign-in replaces the token that the browser had", async () => {
	const { key } = await createClient();
	const browser = openBrowser();
	const planted = "A".repeat(43);
	browser.jar.set("__Host-parley", planted);
	expect(codeOf(await browser.call("GET", "/v1/console/session"))).toEqual([401, "SESSION_EXPIRED"]);
	await browser.call("POST", "/v1/console/session", { body: { key } });
	const first = tokenOf(browser);
	expect(first).not.toBe(planted);
	await browser.call("POST", "/v1/console/session", { body: { key } });
	const second = tokenOf(browser);
	expect(second).not.toBe(first);
	browser.jar.set("__Host-parley", first);
	expect(codeOf(await browser.call("GET", "/v1/console/session"))).toEqual([401, "SESSION_EXPIRED"]);
	browser.jar.set("__Host-parley", "not a token");
	expect(codeOf(await browser.call("GET", "/v1/console/session"))).toEqual([401, "SESSION_EXPIRED"]);
});

test("signing out ends the session and clears the cookie, and an expired cookie does not lock anybody out", async () => {
	const { key } = await createClient();
	const browser = await signInWith(key);
	const token = tokenOf(browser);
	const out = await browser.call("DELETE", "/v1/console/session");
	expect([out.status, out.headers.get("set-cookie")]).toEqual([
		204,
		"__Host-parley=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
	]);
	browser.jar.set("__Host-parley", token);
	expect(codeOf(await browser.call("GET", "/v1/keys"))).toEqual([401, "SESSION_EXPIRED"]);
	expect((await browser.call("GET", "/v1/console/doors")).status).toBe(200);
	expect((await browser.call("POST", "/v1/console/session", { body: { key } })).status).toBe(200);
	browser.jar.set("__Host-parley", token);
	expect((await browser.call("DELETE", "/v1/console/session")).status).toBe(204);
	expect(browser.jar.size).toBe(0);
});

test("people list and end their own sessions, and nobody else's", async () => {
	const { key, id } = await createClient();
	const [laptop, phone] = [await signInWith(key), await signInWith(key)];
	const other = await signInWith((await createClient()).key);
	const colleague = await signInWith((await issueKey(env.DB, id, { scopes: SCOPES })).key);
	const { body: entries } = await laptop.call<SessionEntry[]>("GET", "/v1/console/sessions");
	expect(entries).toMatchObject([
		{ current: false, user_agent: "Test browser", door: "key" },
		{ current: true },
	]);
	const [target] = entries;
	const end = (browser: typeof other) => browser.call("DELETE", `/v1/console/sessions/${target?.id}`);
	for (const stranger of [other, colleague])
		expect(codeOf(await end(stranger))).toEqual([404, "RESOURCE_NOT_FOUND"]);
	expect((await end(laptop)).status).toBe(204);
	expect(codeOf(await phone.call("GET", "/v1/keys"))).toEqual([401, "SESSION_EXPIRED"]);
	expect(codeOf(await end(laptop))).toEqual([404, "RESOURCE_NOT_FOUND"]);
});

test("people end all of their other sessions at once, and the audit log has each", async () => {
	const { key, id } = await createClient();
	const [laptop, phone, tablet] = [await signInWith(key), await signInWith(key), await signInWith(key)];
	const colleague = await signInWith((await issueKey(env.DB, id, { scopes: SCOPES })).key);
	expect((await laptop.call("DELETE", "/v1/console/sessions")).status).toBe(204);
	for (const other of [phone, tablet])
		expect(codeOf(await other.call("GET", "/v1/me"))).toEqual([401, "SESSION_EXPIRED"]);
	for (const open of [laptop, colleague]) expect((await open.call("GET", "/v1/me")).status).toBe(200);
	const { results } = await env.DB.prepare(
		"select actor from audit_log where organisation_id = ? and action = 'session.end'",
	)
		.bind(id)
		.all();
	const { body } = await laptop.call<ConsoleSession>("GET", "/v1/console/session");
	expect(results).toEqual([{ actor: body.actor }, { actor: body.actor }]);
});

test("a session ends with its key and with its person", async () => {
	const { key, id } = await createClient();
	const owner = await signInWith(key);
	const made = await issueKey(env.DB, id);
	const session = await signInWith(made.key);
	await owner.call("DELETE", `/v1/keys/${made.id}`);
	forgetSession(await hashKey(tokenOf(session)));
	expect(codeOf(await session.call("GET", "/v1/me"))).toEqual([401, "SESSION_EXPIRED"]);
	await db.update(users).set({ deletedAt: new Date().toISOString() }).where(eq(users.organisationId, id));
	forgetSession(await hashKey(tokenOf(owner)));
	forgetKey(await hashKey(key));
	expect(codeOf(await owner.call("GET", "/v1/me"))).toEqual([401, "SESSION_EXPIRED"]);
});

test("a session ends twelve hours after its last use, and seven days after its start in any case", async () => {
	const { key } = await createClient();
	const token = tokenOf(await signInWith(key));
	const start = Date.now();
	const deferred: Promise<unknown>[] = [];
	const at = async (hours: number) => {
		forgetSession(await hashKey(token));
		const clock = () => new Date(start + hours * 3_600_000);
		const actor = authenticateSession({ db, clock, defer: (work) => deferred.push(work) }, token).then(
			() => "open",
			(error) => error.code,
		);
		const state = await actor;
		await Promise.all(deferred);
		return state;
	};
	for (let hours = 11; hours < 168; hours += 11) expect([hours, await at(hours)]).toEqual([hours, "open"]);
	expect(await at(168.1)).toBe("SESSION_EXPIRED");
	const idle = tokenOf(await signInWith(key));
	const clock = () => new Date(Date.now() + 12.1 * 3_600_000);
	forgetSession(await hashKey(idle));
	await expect(authenticateSession({ db, clock, defer: () => {} }, idle)).rejects.toMatchObject({
		code: "SESSION_EXPIRED",
	});
});

test("what a session does is recorded as the person's", async () => {
	const { key, id } = await createClient();
	const browser = await signInWith(key);
	const { body: session } = await browser.call<ConsoleSession>("GET", "/v1/console/session");
	const { body: made } = await browser.call("POST", "/v1/keys", { body: { label: "x", family: "batch" } });
	expect(made).toMatchObject({ created_by: session.actor });
	const { results } = await env.DB.prepare("select actor, action from audit_log where organisation_id = ?")
		.bind(id)
		.all();
	expect(results).toEqual(
		expect.arrayContaining([
			{ actor: session.actor, action: "session.create" },
			{ actor: session.actor, action: "api_key.create" },
		]),
	);
});
