import { egressRules } from "@parley/egress/egress-rules";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { OpenCtx } from "../../context.ts";
import { type Browser, openSession } from "../open-session.ts";
import { type AccessSettings, accessSettings } from "./door-settings.ts";
import { findInvitedUser } from "./invited-user.ts";
import type { Identity } from "./oidc-provider.ts";
import { SignInRefused } from "./sign-in-problem.ts";

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

/** Keys by team. Each set reads the certificates again when a token names a key that it lacks. */
const keySets = new Map<string, JWTVerifyGetKey>();

/**
 * Opens a session for the person whom Cloudflare Access has signed in.
 * @param assertion the header `Cf-Access-Jwt-Assertion`
 * @returns token of the session
 * @throws SignInRefused
 */
export async function signInWithAccess(
	ctx: OpenCtx,
	assertion: string | null,
	wanted: string | undefined,
	browser: Browser,
): Promise<string> {
	const settings = accessSettings(ctx.env);
	if (!settings || assertion === null) throw new SignInRefused("unavailable");
	const identity = await verifyAssertion(ctx.env, settings, assertion).catch((error) => {
		throw new SignInRefused("provider_failed", error);
	});
	const { organisationId, id: userId } = await findInvitedUser(ctx, identity, wanted);
	const arrival = { organisationId, userId, apiKeyId: null, door: "access" } as const;
	return (await openSession(ctx, arrival, browser)).token;
}

/** Access has verified the address with its own provider. A service token has none, and signs nobody in. */
async function verifyAssertion(env: Env, settings: AccessSettings, assertion: string): Promise<Identity> {
	const { issuer, audience } = settings;
	const { payload } = await jwtVerify(assertion, keySetOf(env, settings), {
		...{ issuer, audience, algorithms: ["RS256", "ES256"] },
		requiredClaims: ["exp", "iat", "sub", "email"],
	});
	const { sub: subject = "", email } = payload;
	if (subject === "" || typeof email !== "string") throw new Error("The token names no person");
	return { issuer, subject, email: email.toLowerCase(), isEmailVerified: true };
}

function keySetOf(env: Env, { certsUrl }: AccessSettings): JWTVerifyGetKey {
	const found = keySets.get(certsUrl);
	if (found) return found;
	const policy = {
		...egressRules(env),
		// Access serves its certificates below /cdn-cgi/ of the team's own host.
		allowControlPaths: true,
		...{ timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES, maxRedirects: 0 },
	};
	const keys = createRemoteJWKSet(new URL(certsUrl), {
		[customFetch]: (url) => guardedFetch({ url }, policy),
	});
	keySets.set(certsUrl, keys);
	return keys;
}
