import { env } from "cloudflare:workers";
import { hashKey } from "@parley/auth/api-key";
import { forgetSession } from "@parley/auth/authenticate-session";
import type { Me } from "@parley/contracts/platform/account";
import type { CreatedKey } from "@parley/contracts/platform/keys";
import type { User } from "@parley/contracts/platform/users";
import type { ErrorBody } from "@parley/contracts/shared/error-bodies";
import type { Role } from "@parley/contracts/shared/roles";
import { SCOPES } from "@parley/contracts/shared/scopes";
import { openDatabase } from "@parley/db/client";
import { issueKey } from "@parley/testing/organisation";
import { expect, test } from "vitest";
import { openBrowser, signInWith } from "../../test/browser.ts";
import { createClient } from "../../test/client.ts";
import { openSession } from "../console/open-session.ts";

const db = openDatabase(env.DB);
const refusal = ({ status, body }: { status: number; body: unknown }) => [
	status,
	(body as Partial<ErrorBody>).error?.code,
];

/** An organisation whose owner is signed in. */
async function createTeam() {
	const client = await createClient();
	const owner = await signInWith(client.key);
	const invite = async (role: Role, email = `${crypto.randomUUID()}@acme.example`) => {
		const { status, body } = await owner.call<User>("POST", "/v1/users", { body: { email, role } });
		expect(status).toBe(201);
		return body;
	};
	/** Invites a person and signs them in, as an identity provider would. */
	const join = async (role: Role) => {
		const user = await invite(role);
		const browser = openBrowser();
		const { token } = await openSession(
			{ db, clock: () => new Date(), requestId: "test" },
			{ organisationId: client.id, userId: user.id, apiKeyId: null, door: "oidc" },
			{ userAgent: "Test browser", token: undefined },
		);
		browser.jar.set("__Host-parley", token);
		return { ...browser, user, forget: async () => forgetSession(await hashKey(token)) };
	};
	const { body } = await owner.call<User[]>("GET", "/v1/users");
	return { ...client, owner, ownerId: body[0]?.id ?? "", invite, join };
}

test("people are invited, listed, changed and removed", async () => {
	const { owner, ownerId } = await createTeam();
	const invited = await owner.call<User>("POST", "/v1/users", {
		body: { email: "Ada@Acme.Example", name: "Ada", role: "viewer" },
	});
	expect(invited).toMatchObject({
		status: 201,
		body: {
			...{ email: "ada@acme.example", name: "Ada", role: "viewer", status: "invited" },
			...{ created_by: `user:${ownerId}`, last_sign_in_at: null },
		},
	});
	expect(invited.headers.get("location")).toBe(`/v1/users/${invited.body.id}`);
	const path = `/v1/users/${invited.body.id}`;
	expect((await owner.call("PATCH", path, { body: { role: "developer" } })).body).toMatchObject({
		role: "developer",
	});
	expect((await owner.call("GET", path)).body).toMatchObject({ name: "Ada", role: "developer" });
	const list = await owner.call<User[]>("GET", "/v1/users");
	expect([list.headers.get("x-total-count"), list.body.map(({ role }) => role)]).toEqual([
		"2",
		["owner", "developer"],
	]);
	expect((await owner.call("DELETE", path)).status).toBe(204);
	expect(refusal(await owner.call("GET", path))).toEqual([404, "RESOURCE_NOT_FOUND"]);
	const again = { email: "ada@acme.example", role: "admin" };
	expect((await owner.call("POST", "/v1/users", { body: again })).status).toBe(201);
	expect(refusal(await owner.call("POST", "/v1/users", { body: again }))).toEqual([
		409,
		"USER_EMAIL_CONFLICT",
	]);
});

test("each role may do what it is for, and nothing above it", async () => {
	const { join, id } = await createTeam();
	await issueKey(env.DB, id);
	const status = async (
		browser: Awaited<ReturnType<typeof join>>,
		method: string,
		path: string,
		body?: unknown,
	) => (await browser.call(method, path, { body })).status;
	const speak = { model: "parley/local" };
	for (const [role, expected] of [
		["admin", { keys: 200, people: 200, speech: 422 }],
		["developer", { keys: 403, people: 403, speech: 422 }],
		["viewer", { keys: 403, people: 403, speech: 403 }],
	] as const) {
		const browser = await join(role);
		expect({
			keys: await status(browser, "GET", "/v1/keys"),
			people: await status(browser, "GET", "/v1/users"),
			speech: await status(browser, "POST", "/v1/audio/speech", speak),
		}).toEqual(expected);
		expect((await browser.call("GET", "/v1/console/session")).body).toMatchObject({ role });
	}
});

test("an admin can neither become an owner nor change one, with a key of every scope either", async () => {
	const { join, ownerId, invite } = await createTeam();
	const admin = await join("admin");
	const developer = await invite("developer");
	const attempts = (caller: typeof admin.call) => [
		caller("PATCH", `/v1/users/${admin.user.id}`, { body: { role: "owner" } }),
		caller("PATCH", `/v1/users/${developer.id}`, { body: { role: "owner" } }),
		caller("POST", "/v1/users", { body: { email: "me@evil.example", role: "owner" } }),
		caller("PATCH", `/v1/users/${ownerId}`, { body: { email: "me@evil.example" } }),
		caller("PATCH", `/v1/users/${ownerId}`, { body: { role: "viewer" } }),
		caller("DELETE", `/v1/users/${ownerId}`),
	];
	for (const answer of await Promise.all(attempts(admin.call)))
		expect(refusal(answer)).toEqual([403, "FORBIDDEN"]);
	const { body: made } = await admin.call<CreatedKey>("POST", "/v1/keys", {
		body: { label: "all", family: "consumer", scopes: SCOPES },
	});
	const asKey: typeof admin.call = (method, path, options = {}) =>
		openBrowser().call(method, path, {
			...options,
			headers: { authorization: `Bearer ${made.key}`, "x-parley-console": null },
		});
	const pasted = await signInWith(made.key ?? "");
	for (const call of [asKey, pasted.call])
		for (const answer of await Promise.all(attempts(call)))
			expect(refusal(answer)).toEqual([403, "FORBIDDEN"]);
	expect((await admin.call("PATCH", `/v1/users/${developer.id}`, { body: { role: "viewer" } })).status).toBe(
		200,
	);
});

test("nobody gives a role with a scope that they lack", async () => {
	const { id, owner } = await createTeam();
	await owner.call("GET", "/v1/users");
	const few = await issueKey(env.DB, id, { scopes: ["keys:manage", "batch:read"] });
	const headers = { authorization: `Bearer ${few.key}` };
	const invite = (role: Role) =>
		openBrowser().call("POST", "/v1/users", { headers, body: { email: "x@acme.example", role } });
	for (const role of ["admin", "developer", "viewer"] as const)
		expect(refusal(await invite(role))).toEqual([403, "FORBIDDEN"]);
});

test("the first person is an owner, and the last owner stays one", async () => {
	const { call } = await createClient();
	const invite = (role: Role) => call<User>("POST", "/v1/users", { email: `${role}@acme.example`, role });
	expect(refusal(await invite("admin"))).toEqual([422, "VALIDATION_FAILED"]);
	expect((await invite("owner")).status).toBe(201);

	const { owner, ownerId, join } = await createTeam();
	for (const [method, body] of [["DELETE"], ["PATCH", { role: "admin" }]] as const)
		expect(refusal(await owner.call(method, `/v1/users/${ownerId}`, { body }))).toEqual([409, "LAST_OWNER"]);
	const second = await join("owner");
	const both = await Promise.all([
		owner.call("DELETE", `/v1/users/${second.user.id}`),
		second.call("DELETE", `/v1/users/${ownerId}`),
	]);
	expect(both.filter(({ status }) => status === 204)).toHaveLength(1);
});

test("a removed person is signed out, and a new role counts in open sessions", async () => {
	const { owner, join } = await createTeam();
	const developer = await join("developer");
	const path = `/v1/users/${developer.user.id}`;
	await owner.call("PATCH", path, { body: { role: "admin" } });
	await developer.forget();
	expect((await developer.call("GET", "/v1/keys")).status).toBe(200);
	await owner.call("DELETE", path);
	await developer.forget();
	expect(refusal(await developer.call("GET", "/v1/me"))).toEqual([401, "SESSION_EXPIRED"]);
});

test("an admin sees a person's sessions and ends them, but only owners sign owners out", async () => {
	const { owner, ownerId, join } = await createTeam();
	const [admin, developer] = [await join("admin"), await join("developer")];
	const path = `/v1/users/${developer.user.id}/sessions`;
	expect((await admin.call("GET", path)).body).toMatchObject([
		{ door: "oidc", user_agent: "Test browser", current: false },
	]);
	expect(refusal(await developer.call("GET", path))).toEqual([403, "FORBIDDEN"]);
	expect((await admin.call("DELETE", path)).status).toBe(204);
	expect(refusal(await developer.call("GET", "/v1/me"))).toEqual([401, "SESSION_EXPIRED"]);
	expect((await admin.call("GET", path)).body).toEqual([]);
	const ofOwner = `/v1/users/${ownerId}/sessions`;
	expect(refusal(await admin.call("DELETE", ofOwner))).toEqual([403, "FORBIDDEN"]);
	const stranger = (await createTeam()).owner;
	for (const method of ["GET", "DELETE"])
		expect(refusal(await stranger.call(method, ofOwner))).toEqual([404, "RESOURCE_NOT_FOUND"]);
	expect((await owner.call("DELETE", ofOwner)).status).toBe(204);
	expect(refusal(await owner.call("GET", "/v1/me"))).toEqual([401, "SESSION_EXPIRED"]);
});

test("people of another organisation are as absent as people who never were", async () => {
	const { ownerId } = await createTeam();
	const other = await createTeam();
	for (const [method, body] of [["GET"], ["PATCH", { role: "viewer" }], ["DELETE"]] as const)
		expect(refusal(await other.owner.call(method, `/v1/users/${ownerId}`, { body }))).toEqual([
			404,
			"RESOURCE_NOT_FOUND",
		]);
});

test("an account names the person who is signed in, or who made the key", async () => {
	const { owner, join, call } = await createTeam();
	const name = `<img src=x onerror="alert(1)">`;
	const change = (body: unknown) => owner.call("PATCH", "/v1/me", { body });
	expect(await change({ name, email: "Owner@acme.example" })).toMatchObject({
		status: 200,
		body: { name, email: "owner@acme.example" },
	});
	const me = await owner.call<Me>("GET", "/v1/me");
	expect(me.body).toMatchObject({ name, email: "owner@acme.example", api_key_label: "Console" });
	expect([me.headers.get("content-type"), me.headers.get("x-content-type-options")]).toEqual([
		"application/json",
		"nosniff",
	]);
	expect(refusal(await change({ email: "other@acme.example" }))).toEqual([422, "VALIDATION_FAILED"]);
	const admin = await join("admin");
	await admin.call("PATCH", "/v1/me", { body: { name: "Grace" } });
	const { body: made } = await admin.call<CreatedKey>("POST", "/v1/keys", {
		body: { label: "CI", family: "consumer" },
	});
	expect((await call<Me>("GET", "/v1/me", undefined, { key: made.key })).body).toMatchObject({
		...{ name: "Grace", email: admin.user.email, api_key_label: "CI" },
	});
	expect(refusal(await call("PATCH", "/v1/me", { name: "x" }))).toEqual([403, "FORBIDDEN"]);
});
