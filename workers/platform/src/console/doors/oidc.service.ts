import type { StartSignIn } from "@parley/contracts/platform/console";
import {
	AuthorizationResponseError,
	calculatePKCECodeChallenge,
	generateRandomCodeVerifier,
	generateRandomNonce,
	generateRandomState,
} from "oauth4webapi";
import type { OpenCtx } from "../../context.ts";
import { type Browser, openSession } from "../open-session.ts";
import { oidcSettings } from "./door-settings.ts";
import type { Flow } from "./flow-cookie.ts";
import { findInvitedUser } from "./invited-user.ts";
import { discover, exchangeAnswer } from "./oidc-provider.ts";
import { SignInRefused } from "./sign-in-problem.ts";

const SCOPE = "openid email profile";

/**
 * Begins a sign-in at the identity provider.
 * @param origin origin that the browser has open
 * @returns where the browser goes, and what it must keep: nothing when it goes to the console's own origin first
 * @throws SignInRefused unavailable, provider_failed
 */
export async function startOidc(
	ctx: OpenCtx,
	{ to = "/", organisation_id }: StartSignIn,
	origin: string,
): Promise<{ location: URL; flow?: Flow }> {
	const settings = oidcSettings(ctx.env);
	if (!settings) throw new SignInRefused("unavailable");
	if (origin !== settings.origin) {
		const location = new URL("/v1/console/oidc/start", settings.origin);
		location.search = String(new URLSearchParams({ to, ...(organisation_id && { organisation_id }) }));
		return { location };
	}
	const { server } = await discover(ctx.env, settings).catch(rejectFault);
	if (!server.authorization_endpoint)
		throw new SignInRefused("provider_failed", "The provider names no authorization endpoint");
	const flow: Flow = {
		state: generateRandomState(),
		nonce: generateRandomNonce(),
		verifier: generateRandomCodeVerifier(),
		to,
		...(organisation_id && { organisationId: organisation_id }),
	};
	const location = new URL(server.authorization_endpoint);
	const parameters = {
		...{ response_type: "code", client_id: settings.clientId, redirect_uri: settings.redirectUri },
		...{ scope: SCOPE, state: flow.state, nonce: flow.nonce, code_challenge_method: "S256" },
		code_challenge: await calculatePKCECodeChallenge(flow.verifier),
	};
	for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
	return { location, flow };
}

/**
 * Ends a sign-in at the identity provider with a session.
 * @param flow what the browser kept since the start
 * @returns token of the session
 * @throws SignInRefused
 */
export async function finishOidc(
	ctx: OpenCtx,
	flow: Flow | undefined,
	answer: URLSearchParams,
	browser: Browser,
): Promise<string> {
	const settings = oidcSettings(ctx.env);
	if (!settings) throw new SignInRefused("unavailable");
	if (!flow) throw new SignInRefused("expired");
	const identity = await exchangeAnswer(ctx.env, settings, flow, answer).catch(rejectFault);
	const user = await findInvitedUser(ctx, identity, flow.organisationId);
	const { organisationId, id: userId } = user;
	const arrival = { organisationId, userId, apiKeyId: null, door: "oidc" } as const;
	return (await openSession(ctx, arrival, browser)).token;
}

function rejectFault(error: unknown): never {
	if (error instanceof AuthorizationResponseError && error.error === "access_denied")
		throw new SignInRefused("cancelled");
	throw new SignInRefused("provider_failed", error);
}
