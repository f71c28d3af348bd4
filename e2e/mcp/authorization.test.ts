import { freePort } from "@parley/dev-stack/stack";
import { expect, inject, test } from "vitest";
import { runConformance } from "./run-conformance.ts";

const baseUrl = inject("baseUrl");

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
	fetch(baseUrl + path, {
		method: "POST",
		headers: { "content-type": "application/json", origin: baseUrl, ...headers },
		body: JSON.stringify(body),
	});

/** Approves an application's request as the stack's owner would on the consent page, and follows the browser back. */
async function approve(authorizeUrl: string): Promise<void> {
	const signedIn = await post("/v1/console/session", { key: inject("keys").api_key });
	const cookie = signedIn.headers
		.getSetCookie()
		.map((line) => line.split(";")[0])
		.join("; ");
	const redirected = await fetch(authorizeUrl, { redirect: "manual", headers: { accept: "text/html" } });
	expect(redirected.headers.get("location")).toMatch(/^\/connect\?request=r\./);
	const body = { request: new URL(authorizeUrl).search.slice(1), decision: "approve" };
	const decided = await post("/v1/oauth/authorization", body, { cookie, "x-parley-console": "1" });
	const { redirect_to } = (await decided.json()) as { redirect_to: string };
	await (await fetch(redirect_to)).text();
}

test("the authorization server passes the public suite", { timeout: 120_000 }, async () => {
	const port = await freePort();
	const registered = await post("/oauth/register", {
		...{ client_name: "Conformance", redirect_uris: [`http://127.0.0.1:${port}/callback`] },
		token_endpoint_auth_method: "none",
	});
	const { client_id } = (await registered.json()) as { client_id: string };
	let isApproved = false;
	const { code, text } = await runConformance(
		[
			...["authorization", "--url", baseUrl, "--client-id", client_id, "--port", String(port)],
			...["--resource", `${baseUrl}/v1/mcp`],
		],
		(output) => {
			const [url] = /\S+\/oauth\/authorize\?\S+/.exec(output) ?? [];
			if (!url || isApproved) return;
			isApproved = true;
			void approve(url);
		},
	);
	expect([isApproved, code], text).toEqual([true, 0]);
	expect(text).not.toMatch(/✗/);
});
