// Identity providers on loopback, reached by the worker under names of their own: a real OpenID Connect provider, one that lies
// in its tokens, and a team of Cloudflare Access.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import Provider from "oidc-provider";

export const CONSOLE_ORIGIN = "https://parley.example";
export const CLIENT = { id: "parley-console", secret: "a-secret-of-at-least-32-characters" };
export const AUDIENCE = "f0".repeat(32);

export const doorSettings = {
	CONSOLE_ORIGIN,
	OIDC_ISSUER: "https://idp.test",
	OIDC_CLIENT_ID: CLIENT.id,
	OIDC_CLIENT_SECRET: CLIENT.secret,
	ACCESS_TEAM_DOMAIN: "https://team.test",
	ACCESS_AUD: AUDIENCE,
};

let provider: Promise<string> | undefined;
let keys: ReturnType<typeof createKeys> | undefined;

function providerUrl(): Promise<string> {
	provider ??= startProvider();
	return provider;
}

function keysOf(): ReturnType<typeof createKeys> {
	keys ??= createKeys();
	return keys;
}

/** Answers what the worker, or a browser in a test, asks of a provider; undefined for another host. */
export async function answerAsProvider(request: Request): Promise<Response | undefined> {
	const { host, hostname } = new URL(request.url);
	if (hostname === "idp.test") return forward(request, await providerUrl());
	if (hostname === "lying.test" || host === "127.0.0.1:9099") return answerAsLiar(request);
	if (hostname === "team.test") return answerAsTeam(request);
	return undefined;
}

/** `login` is a person's address; one that begins with `unverified` is not verified, `silent` has none in the ID token. */
async function startProvider(): Promise<string> {
	const oidc = new Provider("https://idp.test", {
		clients: [
			{
				client_id: CLIENT.id,
				client_secret: CLIENT.secret,
				redirect_uris: [`${CONSOLE_ORIGIN}/v1/console/oidc/callback`],
				grant_types: ["authorization_code"],
				response_types: ["code"],
			},
		],
		pkce: { required: () => true },
		conformIdTokenClaims: false,
		claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
		findAccount: (_: unknown, login: string) => ({
			accountId: login,
			claims: (use: string) => ({
				sub: `sub-of-${login}`,
				...(!(login.startsWith("silent") && use === "id_token") && {
					email: login.replace(/^second\./, ""),
					email_verified: !login.startsWith("unverified"),
				}),
			}),
		}),
		loadExistingGrant: async (ctx: OidcContext) => {
			const grant = new ctx.oidc.provider.Grant({
				clientId: ctx.oidc.client.clientId,
				accountId: ctx.oidc.session.accountId,
			});
			grant.addOIDCScope("openid email profile");
			await grant.save();
			return grant;
		},
	});
	oidc.proxy = true;
	return listen(oidc.callback());
}

type OidcContext = {
	oidc: {
		provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } };
		client: { clientId: string };
		session: { accountId: string };
	};
};

/** The server ends with the process. */
async function listen(listener: RequestListener): Promise<string> {
	const server = createServer(listener).unref();
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function forward(request: Request, target: string): Promise<Response> {
	const { host, pathname, search } = new URL(request.url);
	const headers = new Headers(request.headers);
	headers.set("x-forwarded-proto", "https");
	headers.set("x-forwarded-host", host);
	const body = ["GET", "HEAD"].includes(request.method) ? null : await request.arrayBuffer();
	const response = await fetch(target + pathname + search, {
		...{ method: request.method, headers, body, redirect: "manual" },
	});
	return new Response(await response.arrayBuffer(), response);
}

async function createKeys() {
	const [own, foreign] = await Promise.all([
		generateKeyPair("RS256", { extractable: true }),
		generateKeyPair("RS256"),
	]);
	const jwk = { ...(await exportJWK(own.publicKey)), kid: "one", alg: "RS256", use: "sig" };
	return { jwks: { keys: [jwk] }, own: own.privateKey, foreign: foreign.privateKey };
}

async function sign(payload: JWTPayload, { isForeign = false } = {}): Promise<string> {
	const { own, foreign } = await keysOf();
	return new SignJWT(payload)
		.setProtectedHeader({ alg: "RS256", kid: "one" })
		.sign(isForeign ? foreign : own);
}

/** Its authorization code is `<lie>.<nonce>`. */
async function answerAsLiar(request: Request): Promise<Response> {
	const { origin: issuer, pathname } = new URL(request.url);
	if (pathname === "/.well-known/openid-configuration")
		return Response.json({
			issuer,
			authorization_endpoint: `${issuer}/authorize`,
			token_endpoint: `${issuer}/token`,
			jwks_uri: `${issuer}/jwks`,
			response_types_supported: ["code"],
			id_token_signing_alg_values_supported: ["RS256"],
			token_endpoint_auth_methods_supported: ["client_secret_post"],
		});
	if (pathname === "/jwks") return Response.json((await keysOf()).jwks);
	const [lie = "", nonce = ""] = (new URLSearchParams(await request.text()).get("code") ?? "").split(".");
	if (lie === "redirect") return Response.redirect(`${issuer}/elsewhere`, 302);
	const now = Math.floor(Date.now() / 1000);
	const honest = {
		...{ iss: issuer, aud: CLIENT.id, sub: "liar", nonce, iat: now, exp: now + 60 },
		...{ email: "invited@lying.test", email_verified: true },
	};
	const lies: Record<string, JWTPayload> = {
		nonce: { nonce: "another" },
		audience: { aud: "another" },
		party: { aud: [CLIENT.id, "another"], azp: "another" },
		issuer: { iss: "https://idp.test" },
		expired: { iat: now - 600, exp: now - 300 },
	};
	const signed = await sign({ ...honest, ...lies[lie] }, { isForeign: lie === "signature" });
	const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${signed.split(".")[1]}.`;
	const idToken = lie === "unsigned" ? unsigned : signed;
	return Response.json({
		...{ access_token: "x", token_type: "Bearer" },
		...(lie !== "absent" && { id_token: idToken }),
	});
}

/** `/mint` signs the claims of its query, as the team would for a person of its own. */
async function answerAsTeam(request: Request): Promise<Response> {
	const { pathname, searchParams } = new URL(request.url);
	if (pathname === "/cdn-cgi/access/certs") return Response.json((await keysOf()).jwks);
	const { foreign, age = "0", ...claims } = Object.fromEntries(searchParams);
	const now = Math.floor(Date.now() / 1000) - Number(age);
	const honest = { iss: "https://team.test", aud: [AUDIENCE], type: "app", iat: now, exp: now + 60 };
	const { email } = claims;
	return new Response(
		await sign(
			{ ...honest, ...(email && { sub: `access-${email}` }), ...claims },
			{ isForeign: foreign !== undefined },
		),
	);
}
