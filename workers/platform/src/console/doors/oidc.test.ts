import { createExecutionContext, env } from "cloudflare:test";
import type { ConsoleSession } from "@parley/contracts/platform/console";
import { openDatabase } from "@parley/db/client";
import { userIdentities } from "@parley/db/platform/users";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openBrowser, signInWith } from "../../../test/browser.ts";
import { createClient } from "../../../test/client.ts";
import { app } from "../../app.ts";

const START = "/v1/console/oidc/start";
const db = openDatabase(env.DB);

type Browser = ReturnType<typeof openBrowser>;

/** An organisation whose owner has invited a person. */
async function createInvited(role = "developer", email = `ada-${crypto.randomUUID()}@acme.example`) {
	const { key, id } = await createClient();
	const owner = await signInWith(key);
	const { body } = await owner.call("POST", "/v1/users", { body: { email, role } });
	return { owner, organisationId: id, email, userId: String(body.id) };
}

/** Opens a page as a link would, without the console's header. */
const visit = async (browser: Browser, path: string, headers: Record<string, string | null> = {}) => {
	const answer = await browser.call("GET", path, { headers: { "x-parley-console": null, ...headers } });
	return { ...answer, location: new URL(answer.headers.get("location") ?? "https://nowhere.invalid") };
};

/** Signs in at the real provider, as its pages would have a person do. Returns the address that it sends the browser back to. */
async function signInAtProvider(authorization: URL, login: string): Promise<URL> {
	const jar = new Map<string, string>();
	const request = async (url: URL, form?: Record<string, string>): Promise<Response> => {
		const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
		const response = await fetch(url, {
			...{ redirect: "manual", method: form ? "POST" : "GET", headers: { cookie } },
			...(form && { body: new URLSearchParams(form) }),
		});
		for (const line of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			jar.set(name, value);
		}
		return response;
	};
	let url = authorization;
	for (let step = 0; step < 8; step++) {
		const form = url.pathname.startsWith("/interaction/")
			? { prompt: "login", login, password: "any" }
			: undefined;
		const response = await request(url, form);
		const location = response.headers.get("location");
		if (!location) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
		url = new URL(location, url);
		if (url.hostname !== "idp.test") return url;
	}
	throw new Error("The provider sends the browser in circles");
}

const pathOf = ({ pathname, search }: URL): string => pathname + search;

/** Walks through the whole sign-in. */
async function signIn(browser: Browser, login: string, query = "") {
	const { location } = await visit(browser, START + query);
	return visit(browser, pathOf(await signInAtProvider(location, login)));
}

const problemOf = ({ location, status }: { location: URL; status: number }) =>
	status === 303 && location.pathname === "/sign-in" ? location.searchParams.get("problem") : location.href;

describe("signing in at an OpenID Connect provider", () => {
	test("is offered as a door", async () => {
		const { body } = await openBrowser().call("GET", "/v1/console/doors");
		expect(body).toEqual({ key: true, oidc: true, access: true });
	});

	test("begins with PKCE, a state and a nonce, for the exact redirect URI", async () => {
		const browser = openBrowser();
		const { status, location, headers } = await visit(browser, `${START}?to=/jobs`);
		expect(status).toBe(303);
		expect(location.origin + location.pathname).toBe("https://idp.test/auth");
		expect(Object.fromEntries(location.searchParams)).toEqual({
			response_type: "code",
			client_id: "parley-console",
			redirect_uri: "https://parley.example/v1/console/oidc/callback",
			scope: "openid email profile",
			state: expect.stringMatching(/^[\w-]{43}$/),
			nonce: expect.stringMatching(/^[\w-]{43}$/),
			code_challenge: expect.stringMatching(/^[\w-]{43}$/),
			code_challenge_method: "S256",
		});
		expect(headers.getSetCookie()).toEqual([
			expect.stringMatching(
				/^__Host-parley-oidc=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
			),
		]);
		expect(headers.get("cache-control")).toBe("no-store");
	});

	test("gives an invited person a session in the role of the invitation, on the page that was wanted", async () => {
		const { email, organisationId, userId, owner } = await createInvited();
		const browser = openBrowser();
		const landed = await signIn(browser, email.toUpperCase(), "?to=/jobs%3Fstatus%3DFAILED");
		expect(landed.location.href).toBe("https://parley.example/jobs?status=FAILED");
		expect([...browser.jar.keys()]).toEqual(["__Host-parley"]);
		const { body } = await browser.call<ConsoleSession>("GET", "/v1/console/session");
		expect(body).toMatchObject({
			...{ actor: `user:${userId}`, role: "developer", user: { email } },
			...{ organisation: { id: organisationId }, session: { door: "oidc" } },
		});
		expect((await owner.call("GET", `/v1/users/${userId}`)).body.status).toBe("active");
	});

	test("knows a person by the account afterwards, and refuses another account with the same address", async () => {
		const { email, owner, userId } = await createInvited();
		await signIn(openBrowser(), email);
		expect(problemOf(await signIn(openBrowser(), `second.${email}`))).toBe("not_invited");
		expect(problemOf(await signIn(openBrowser(), email))).toBe("https://parley.example/");
		await owner.call("DELETE", `/v1/users/${userId}`);
		expect(problemOf(await signIn(openBrowser(), email))).toBe("not_invited");
		expect(await db.select().from(userIdentities).where(eq(userIdentities.userId, userId))).toEqual([]);
	});

	test("finds the address at the userinfo endpoint when the ID token has none", async () => {
		const { email } = await createInvited("viewer", `silent-${crypto.randomUUID()}@acme.example`);
		expect(problemOf(await signIn(openBrowser(), email))).toBe("https://parley.example/");
	});

	test("refuses strangers, and addresses that the provider has not verified", async () => {
		const stranger = `stranger-${crypto.randomUUID()}@acme.example`;
		const browser = openBrowser();
		const refused = await signIn(browser, stranger, "?to=/jobs");
		expect(refused.location.href).toBe("https://parley.example/sign-in?problem=not_invited&to=%2Fjobs");
		expect(browser.jar.size).toBe(0);
		const { email } = await createInvited("admin", `unverified-${crypto.randomUUID()}@acme.example`);
		expect(problemOf(await signIn(openBrowser(), email))).toBe("email_unverified");
	});

	test("leads to the organisation that was named, and to the one used last otherwise", async () => {
		const first = await createInvited();
		const second = await createInvited("viewer", first.email);
		const homeOf = async (query: string) => {
			const browser = openBrowser();
			await signIn(browser, first.email, query);
			return (await browser.call<ConsoleSession>("GET", "/v1/console/session")).body.organisation?.id;
		};
		expect(await homeOf(`?organisation_id=${second.organisationId}`)).toBe(second.organisationId);
		expect(await homeOf("")).toBe(second.organisationId);
		expect(await homeOf(`?organisation_id=${first.organisationId}`)).toBe(first.organisationId);
		expect(await homeOf("")).toBe(first.organisationId);
		const elsewhere = (await createClient()).id;
		const refused = await signIn(openBrowser(), first.email, `?organisation_id=${elsewhere}`);
		expect(problemOf(refused)).toBe("not_invited");
	});

	test("replaces the session that the browser had, also a planted one", async () => {
		const { email } = await createInvited();
		const browser = openBrowser();
		await signIn(browser, email);
		const before = browser.jar.get("__Host-parley");
		await signIn(browser, email);
		expect(browser.jar.get("__Host-parley")).not.toBe(before);
		browser.jar.set("__Host-parley", before ?? "");
		expect((await browser.call("GET", "/v1/console/session")).status).toBe(401);
		browser.jar.set("__Host-parley", "A".repeat(43));
		await signIn(browser, email);
		expect(browser.jar.get("__Host-parley")).not.toBe("A".repeat(43));
	});

	test.each([
		["https://evil.example/", "/"],
		["//evil.example", "/"],
		["/\\evil.example", "/"],
		["/\t/evil.example", "/"],
		["/.//evil.example/x", "//evil.example/x"],
		["javascript:alert(1)", "/"],
		["/sign-in\r\nset-cookie: a=b", "/sign-inset-cookie:%20a=b"],
	])("never leads to another origin: %j", async (to, path) => {
		const { email } = await createInvited();
		const { location } = await signIn(openBrowser(), email, `?${new URLSearchParams({ to })}`);
		expect(location.href).toBe(`https://parley.example${path}`);
	});
});

describe("an answer of the provider", () => {
	test("counts once, and only in the browser that began", async () => {
		const { email } = await createInvited();
		const browser = openBrowser();
		const { location } = await visit(browser, START);
		const flow = browser.jar.get("__Host-parley-oidc") ?? "";
		const answer = pathOf(await signInAtProvider(location, email));
		expect(problemOf(await visit(openBrowser(), answer))).toBe("expired");
		expect(problemOf(await visit(browser, answer))).toBe("https://parley.example/");
		expect(problemOf(await visit(browser, answer))).toBe("expired");
		browser.jar.set("__Host-parley-oidc", flow);
		expect(problemOf(await visit(browser, answer))).toBe("provider_failed");
	});

	test("of one browser's sign-in is nothing to another browser's", async () => {
		const { email } = await createInvited();
		const [attacker, victim] = [openBrowser(), openBrowser()];
		const { location } = await visit(attacker, START);
		const answer = pathOf(await signInAtProvider(location, email));
		await visit(victim, START);
		expect(problemOf(await visit(victim, answer))).toBe("provider_failed");
		expect(victim.jar.size).toBe(0);
	});

	test("from another issuer, without a code or with an error opens no session", async () => {
		const attempt = async (change: (answer: URL) => void) => {
			const browser = openBrowser();
			const { location } = await visit(browser, START);
			const answer = new URL("https://parley.example/v1/console/oidc/callback?code=x&iss=https://idp.test");
			answer.searchParams.set("state", location.searchParams.get("state") ?? "");
			change(answer);
			const problem = problemOf(await visit(browser, pathOf(answer)));
			expect(browser.jar.size).toBe(0);
			return problem;
		};
		expect(await attempt(({ searchParams }) => searchParams.set("iss", "https://evil.example"))).toBe(
			"provider_failed",
		);
		expect(await attempt(({ searchParams }) => searchParams.delete("code"))).toBe("provider_failed");
		expect(await attempt(({ searchParams }) => searchParams.delete("state"))).toBe("provider_failed");
		expect(await attempt(({ searchParams }) => searchParams.set("error", "access_denied"))).toBe("cancelled");
		expect(await attempt(({ searchParams }) => searchParams.set("error", "server_error"))).toBe(
			"provider_failed",
		);
	});

	test("is refused when the cookie of the sign-in is nonsense", async () => {
		const browser = openBrowser();
		for (const value of ["x", "e30", "%", "A".repeat(3000)]) {
			browser.jar.set("__Host-parley-oidc", value);
			expect(problemOf(await visit(browser, "/v1/console/oidc/callback?code=x&state=y"))).toBe("expired");
		}
	});
});

describe("a provider that lies", () => {
	/** Signs in with an ID token that is false in one way. */
	async function attempt(
		lie: string,
		settings: Record<string, string> = {},
		origin = "https://parley.example",
	) {
		const open = (path: string, cookie = "") =>
			app.fetch(
				new Request(origin + path, { headers: { cookie } }),
				{ ...env, OIDC_ISSUER: "https://lying.test", ...settings },
				createExecutionContext(),
			);
		const begun = await open(START);
		const location = new URL(begun.headers.get("location") ?? "");
		if (location.pathname === "/sign-in") return { status: begun.status, location, cookies: "" };
		const { searchParams } = location;
		const [cookie = ""] = (begun.headers.get("set-cookie") ?? "").split(";");
		const code = `${lie}.${searchParams.get("nonce")}`;
		const answer = new URLSearchParams({ code, state: searchParams.get("state") ?? "" });
		const ended = await open(`/v1/console/oidc/callback?${answer}`, cookie);
		return {
			status: ended.status,
			location: new URL(ended.headers.get("location") ?? ""),
			cookies: ended.headers.getSetCookie().join(),
		};
	}

	test.each([
		...["signature", "unsigned", "nonce", "audience", "party", "issuer", "expired", "absent", "redirect"],
	])("about its token's %s signs nobody in", async (lie) => {
		const refused = await attempt(lie);
		expect(problemOf(refused)).toBe("provider_failed");
		expect(refused.cookies).not.toMatch(/__Host-parley=./);
	});

	test("signs people in when it tells the truth", async () => {
		await createInvited("viewer", "invited@lying.test");
		expect(problemOf(await attempt("honest"))).toBe("https://parley.example/");
	});

	test("may be on this machine over plain http, where loopback is allowed", async () => {
		const laptop = "http://127.0.0.1:8787";
		const local = { OIDC_ISSUER: "http://127.0.0.1:9099", CONSOLE_ORIGIN: laptop };
		expect(problemOf(await attempt("honest", local, laptop))).toBe("provider_failed");
		const allowed = { ...local, EGRESS_ALLOW_LOOPBACK: "true" };
		const { location, cookies } = await attempt("honest", allowed, laptop);
		expect(location.href).toBe(`${laptop}/`);
		expect(cookies).toMatch(/^parley-oidc=; .*parley=[\w-]{43}; /);
		const own = { ...allowed, EGRESS_OWN_PORTS: "8787,9099" };
		expect(problemOf(await attempt("honest", own, laptop))).toBe("provider_failed");
	});
});

describe("a deployment", () => {
	const open = (url: string, settings: Record<string, string>) =>
		app.fetch(new Request(url), { ...env, ...settings }, createExecutionContext());

	test.each([
		["OIDC_ISSUER", ""],
		["OIDC_CLIENT_ID", ""],
		["CONSOLE_ORIGIN", ""],
		["CONSOLE_ORIGIN", "parley.example"],
	])("whose setting %s is %j offers no OpenID Connect", async (name, value) => {
		const settings = { [name]: value };
		const doors = await open("https://parley.example/v1/console/doors", settings);
		expect(await doors.json()).toMatchObject({ oidc: false });
		const start = await open(`https://parley.example${START}`, settings);
		expect(start.headers.get("location")).toBe("https://parley.example/sign-in?problem=unavailable");
	});

	test("sends a browser that came by another host to the console's own first", async () => {
		const { headers } = await open(`https://other.example${START}?to=/jobs`, {});
		expect(headers.get("location")).toBe(`https://parley.example${START}?to=%2Fjobs`);
		expect(headers.get("set-cookie")).toBeNull();
	});

	test("never believes a forwarded host", async () => {
		const browser = openBrowser();
		const forwarded = { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
		const { location } = await visit(browser, START, forwarded);
		expect(location.searchParams.get("redirect_uri")).toBe("https://parley.example/v1/console/oidc/callback");
	});

	test("refuses a provider whose metadata names another issuer, or over plain http", async () => {
		for (const OIDC_ISSUER of ["https://idp.test/tenant", "http://idp.test", "https://nowhere.test"]) {
			const { headers } = await open(`https://parley.example${START}`, { OIDC_ISSUER });
			expect(headers.get("location")).toBe("https://parley.example/sign-in?problem=provider_failed");
		}
	});
});
