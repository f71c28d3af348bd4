import { egressRules } from "@parley/egress/egress-rules";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import {
	type AuthorizationServer,
	allowInsecureRequests,
	authorizationCodeGrantRequest,
	type Client,
	customFetch,
	discoveryRequest,
	getValidatedIdTokenClaims,
	type IDToken,
	type JWKSCacheInput,
	jwksCache,
	processAuthorizationCodeResponse,
	processDiscoveryResponse,
	processUserInfoResponse,
	userInfoRequest,
	validateApplicationLevelSignature,
	validateAuthResponse,
} from "oauth4webapi";
import { clientAuthentication, type OidcSettings } from "./door-settings.ts";
import type { Flow } from "./flow-cookie.ts";

/** A person, as an identity provider knows them. */
export type Identity = {
	issuer: string;
	subject: string;
	email: string | undefined;
	isEmailVerified: boolean;
};

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 256 * 1024;
const METADATA_TTL_MS = 10 * 60_000;

type Known = { server: AuthorizationServer; keys: JWKSCacheInput; until: number };
const known = new Map<string, Known>();

/** Returns a provider's metadata, which an isolate reads once in ten minutes. @throws Error of the library or of egress */
export async function discover(env: Env, { issuer }: OidcSettings): Promise<Known> {
	const found = known.get(issuer.href);
	if (found && found.until > Date.now()) return found;
	const response = await discoveryRequest(issuer, requestOptions(env, issuer));
	const server = await processDiscoveryResponse(issuer, response);
	const entry: Known = { server, keys: {}, until: Date.now() + METADATA_TTL_MS };
	known.set(issuer.href, entry);
	return entry;
}

/**
 * Exchanges a provider's answer for the identity of the person. Checks state, issuer, PKCE, and the ID token's signature,
 * audience, nonce and time.
 * @param answer query of the callback
 * @throws Error of the library or of egress
 */
export async function exchangeAnswer(
	env: Env,
	settings: OidcSettings,
	flow: Flow,
	answer: URLSearchParams,
): Promise<Identity> {
	const { server, keys } = await discover(env, settings);
	const client: Client = { client_id: settings.clientId };
	const options = requestOptions(env, settings.issuer);
	const parameters = validateAuthResponse(server, client, answer, flow.state);
	const response = await authorizationCodeGrantRequest(
		server,
		client,
		clientAuthentication(settings, server),
		parameters,
		settings.redirectUri,
		flow.verifier,
		options,
	);
	const tokens = await processAuthorizationCodeResponse(server, client, response, {
		expectedNonce: flow.nonce,
		requireIdToken: true,
	});
	await validateApplicationLevelSignature(server, response, { ...options, [jwksCache]: keys });
	const claims = getValidatedIdTokenClaims(tokens) as IDToken;
	const profile =
		claims.email === undefined && server.userinfo_endpoint
			? await processUserInfoResponse(
					server,
					client,
					claims.sub,
					await userInfoRequest(server, client, tokens.access_token, options),
				)
			: claims;
	return {
		issuer: server.issuer,
		subject: claims.sub,
		email: typeof profile.email === "string" ? profile.email.toLowerCase() : undefined,
		// Some providers send the text.
		isEmailVerified: profile.email_verified === true || String(profile.email_verified) === "true",
	};
}

/** Sends every request to the provider through the guard. Plain http is for a provider on this machine. */
const requestOptions = (env: Env, issuer: URL) => ({
	[allowInsecureRequests]: issuer.protocol === "http:" && env.EGRESS_ALLOW_LOOPBACK === "true",
	[customFetch]: (
		url: string,
		{ method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
	) =>
		guardedFetch(
			{ url, method, headers, ...(body instanceof URLSearchParams && { body }) },
			{
				...egressRules(env),
				timeoutMs: TIMEOUT_MS,
				maxResponseBytes: MAX_RESPONSE_BYTES,
				maxRedirects: 0,
			},
		),
});
