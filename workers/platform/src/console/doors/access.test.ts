import type { ConsoleSession } from "@parley/contracts/platform/console";
import { expect, test } from "vitest";
import { openBrowser, signInWith } from "../../../test/browser.ts";
import { createClient } from "../../../test/client.ts";

const DOOR = "/v1/console/access";

/** An organisation whose owner has invited a person. */
async function createInvited() {
	const email = `grace-${crypto.randomUUID()}@acme.example`;
	const { key, id } = await createClient();
	const owner = await signInWith(key);
	const { body } = await owner.call("POST", "/v1/users", { body: { email, role: "viewer" } });
	return { organisationId: id, email, userId: String(body.id) };
}

/** What Cloudflare Access adds to a request of somebody whom it lets through. */
async function assertionOf(claims: Record<string, string>): Promise<string> {
	const minted = await fetch(`https://team.test/mint?${new URLSearchParams(claims)}`);
	return minted.text();
}

async function enter(assertion: string | null, query = "") {
	const browser = openBrowser();
	const headers = { "x-parley-console": null, "cf-access-jwt-assertion": assertion };
	const { status, headers: answered } = await browser.call("GET", DOOR + query, { headers });
	expect(status).toBe(303);
	return { browser, location: answered.get("location") };
}

test("Cloudflare Access signs an invited person in", async () => {
	const { email, organisationId, userId } = await createInvited();
	const { browser, location } = await enter(await assertionOf({ email: email.toUpperCase() }), "?to=/tools");
	expect(location).toBe("https://parley.example/tools");
	const { body } = await browser.call<ConsoleSession>("GET", "/v1/console/session");
	expect(body).toMatchObject({
		...{ actor: `user:${userId}`, role: "viewer", session: { door: "access" } },
		organisation: { id: organisationId },
	});
});

test("Cloudflare Access signs no stranger in, and no open redirect follows", async () => {
	const { location } = await enter(await assertionOf({ email: "stranger@acme.example" }));
	expect(location).toBe("https://parley.example/sign-in?problem=not_invited");
	const { email } = await createInvited();
	const led = await enter(await assertionOf({ email }), "?to=//evil.example");
	expect(led.location).toBe("https://parley.example/");
});

test("an assertion of another application, team, key or time signs nobody in", async () => {
	const { email } = await createInvited();
	for (const lie of [{ aud: "another" }, { iss: "https://other.test" }, { foreign: "1" }, { age: "600" }]) {
		const { browser, location } = await enter(await assertionOf({ email, ...lie } as never));
		expect([lie, location]).toEqual([lie, "https://parley.example/sign-in?problem=provider_failed"]);
		expect(browser.jar.size).toBe(0);
	}
});

test("a service token, an unsigned assertion and none at all sign nobody in", async () => {
	const { email } = await createInvited();
	const [, payload] = (await assertionOf({ email })).split(".");
	const refused = "https://parley.example/sign-in?problem=provider_failed";
	expect((await enter(await assertionOf({ common_name: "robot" }))).location).toBe(refused);
	expect((await enter(`${btoa('{"alg":"none"}')}.${payload}.`)).location).toBe(refused);
	expect((await enter("nonsense")).location).toBe(refused);
	expect((await enter(null)).location).toBe("https://parley.example/sign-in?problem=unavailable");
});
