import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { OAuthGrant } from "@parley/contracts/platform/oauth";
import type { Page } from "playwright-core";
import { expect, inject } from "vitest";
import { baseUrl, findFlaws, test } from "./browser/test.ts";

const MANAGEMENT = `${baseUrl}/v1/mcp`;

/** An application on this computer: it registers, sends the browser to Parley and waits for it to come back. */
async function startApplication() {
	const returned = Promise.withResolvers<URLSearchParams>();
	const server = createServer(({ url = "" }, response) => {
		if (url.startsWith("/callback")) returned.resolve(new URL(url, "http://localhost").searchParams);
		response.end('<!doctype html><title>Done</title><link rel="icon" href="data:,">');
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const redirect_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
	const registered = await fetch(`${baseUrl}/oauth/register`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			...{ client_name: "Desk helper", redirect_uris: [redirect_uri], token_endpoint_auth_method: "none" },
		}),
	});
	const { client_id } = (await registered.json()) as { client_id: string };
	const code_verifier = randomBytes(32).toString("base64url");
	const query = new URLSearchParams({
		...{ response_type: "code", client_id, redirect_uri, state: "12345678901234567890" },
		code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
		...{ code_challenge_method: "S256", resource: MANAGEMENT },
	});
	return {
		authorizeUrl: `${baseUrl}/oauth/authorize?${query}`,
		returned: returned.promise,
		redeem: async (code: string) => {
			const form = { grant_type: "authorization_code", client_id, code, redirect_uri, code_verifier };
			const answer = await fetch(`${baseUrl}/oauth/token`, {
				method: "POST",
				body: new URLSearchParams(form),
			});
			return (await answer.json()) as { access_token: string };
		},
		stop: () => new Promise((stopped) => server.close(stopped)),
	};
}

const heading = (page: Page) => page.getByRole("heading", { name: "Desk helper asks for access" });

test("a person gives an application access, and takes it back", async ({ open }) => {
	const page = await open(inject("keys").api_key);
	const application = await startApplication();
	await page.goto(application.authorizeUrl);
	await heading(page).waitFor();
	expect(await findFlaws(page)).toEqual([]);
	await page.getByRole("button", { name: "Give access" }).click();
	const returned = await application.returned;
	expect([returned.get("state"), returned.get("iss")]).toEqual(["12345678901234567890", baseUrl]);
	const { access_token } = await application.redeem(returned.get("code") ?? "");
	const list = async () => {
		const response = await fetch(MANAGEMENT, {
			method: "POST",
			headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
		});
		await response.body?.cancel();
		return response.status;
	};
	expect(await list()).toBe(200);
	const { cookies } = await page.context().storageState();
	const headers = {
		cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
		...{ "x-parley-console": "1", origin: baseUrl },
	};
	const grants = (await (await fetch(`${baseUrl}/v1/oauth/grants`, { headers })).json()) as OAuthGrant[];
	const id = grants.find(({ client }) => client.name === "Desk helper")?.id;
	expect((await fetch(`${baseUrl}/v1/oauth/grants/${id}`, { method: "DELETE", headers })).status).toBe(204);
	await expect.poll(list, { timeout: 12_000, interval: 500 }).toBe(401);
	await application.stop();
});

test("a visitor signs in first, and an application that is refused learns so", async ({ visitor }) => {
	const application = await startApplication();
	await visitor.goto(application.authorizeUrl);
	await visitor.getByLabel("API key").fill(inject("keys").api_key);
	await visitor.keyboard.press("Enter");
	await heading(visitor).waitFor();
	await visitor.getByRole("button", { name: "Refuse" }).click();
	expect((await application.returned).get("error")).toBe("access_denied");
	await application.stop();
});

test("a request that no application may send is shown to the person alone", async ({ page }) => {
	const broken = new URLSearchParams({
		response_type: "code",
		client_id: "nobody",
		redirect_uri: "https://evil.example",
	});
	await page.goto(`${baseUrl}/oauth/authorize?${broken}`);
	await page.getByText("Invalid client_id").waitFor();
	expect(new URL(page.url()).origin).toBe(baseUrl);
	expect(await findFlaws(page)).toEqual([]);
});
