import { readSessionCookie, sessionCookie } from "@parley/auth/session-cookie";
import { logError } from "@parley/context/log";
import { OidcAnswer, SignInDoors, StartSignIn } from "@parley/contracts/platform/console";
import { createPlatformRouter } from "../../context.ts";
import { signInWithAccess } from "./access.service.ts";
import { accessSettings, OIDC_CALLBACK, oidcSettings } from "./door-settings.ts";
import { clearedFlowCookie, flowCookie, readFlowCookie } from "./flow-cookie.ts";
import { finishOidc, startOidc } from "./oidc.service.ts";
import { ownAddress } from "./own-address.ts";
import { SignInRefused } from "./sign-in-problem.ts";

export const doorRoutes = createPlatformRouter();

const redirects = {
	303: {
		description:
			"To the identity provider, the console, or `/sign-in` with `problem`: `cancelled`, `expired`, `not_invited`, `email_unverified`, `provider_failed` or `unavailable`",
	},
};

doorRoutes.route(
	{
		method: "get",
		path: "/v1/console/doors",
		operationId: "listSignInDoors",
		summary: "List ways to sign in",
		description: "Returns which ways to sign in to the console this deployment offers.",
		tag: "Console",
		access: "open",
		response: SignInDoors,
	},
	({ ctx }) => ({
		key: true,
		oidc: oidcSettings(ctx.env) !== undefined,
		access: accessSettings(ctx.env) !== undefined,
	}),
);

doorRoutes.route(
	{
		method: "get",
		path: "/v1/console/oidc/start",
		operationId: "startOidcSignIn",
		summary: "Sign in with OpenID Connect",
		description:
			"Sends a browser to the identity provider: authorization code flow with PKCE. The provider sends it back to `/v1/console/oidc/callback`.",
		tag: "Console",
		access: "open",
		query: StartSignIn,
		status: 303,
		otherResponses: redirects,
	},
	async ({ ctx, query, request }) => {
		const url = new URL(request.url);
		try {
			const { location, flow } = await startOidc(ctx, query, url.origin);
			return redirect(location, flow ? [flowCookie(url, flow)] : []);
		} catch (error) {
			return toSignInPage(error, url, query.to, ctx.requestId);
		}
	},
);

doorRoutes.route(
	{
		method: "get",
		path: OIDC_CALLBACK,
		operationId: "finishOidcSignIn",
		summary: "Finish signing in with OpenID Connect",
		description:
			"Receives the identity provider's answer and opens a session. The answer counts once, in the browser that began the sign-in. The person must have been invited, and the provider must have verified the e-mail address.",
		tag: "Console",
		access: "open",
		query: OidcAnswer,
		status: 303,
		otherResponses: redirects,
	},
	async ({ ctx, request }) => {
		const url = new URL(request.url);
		const flow = readFlowCookie(request);
		const forget = clearedFlowCookie(url);
		try {
			const token = await finishOidc(ctx, flow, url.searchParams, browserOf(request));
			return redirect(ownAddress(url.origin, flow?.to), [forget, sessionCookie(url, token)]);
		} catch (error) {
			return toSignInPage(error, url, flow?.to, ctx.requestId, [forget]);
		}
	},
);

doorRoutes.route(
	{
		method: "get",
		path: "/v1/console/access",
		operationId: "signInWithAccess",
		summary: "Sign in with Cloudflare Access",
		description:
			"Opens a session for the person whom Cloudflare Access has let through. An Access application must protect this path.",
		tag: "Console",
		access: "open",
		query: StartSignIn,
		status: 303,
		otherResponses: redirects,
	},
	async ({ ctx, query, request }) => {
		const url = new URL(request.url);
		try {
			const assertion = request.headers.get("cf-access-jwt-assertion");
			const token = await signInWithAccess(ctx, assertion, query.organisation_id, browserOf(request));
			return redirect(ownAddress(url.origin, query.to), [sessionCookie(url, token)]);
		} catch (error) {
			return toSignInPage(error, url, query.to, ctx.requestId);
		}
	},
);

const browserOf = (request: Request) => ({
	userAgent: request.headers.get("user-agent") ?? "",
	token: readSessionCookie(request),
});

function redirect(location: URL, cookies: string[]): Response {
	const headers = new Headers({ location: location.href, "referrer-policy": "no-referrer" });
	for (const cookie of cookies) headers.append("set-cookie", cookie);
	return new Response(null, { status: 303, headers });
}

/** Shows the sign-in page with what went wrong. Faults of the provider go to the log, and only there. */
function toSignInPage(
	error: unknown,
	{ origin }: URL,
	to: string | undefined,
	requestId: string,
	cookies: string[] = [],
): Response {
	if (!(error instanceof SignInRefused)) throw error;
	if (error.fault !== undefined) logError("SIGN_IN_REFUSED", error.fault, { request_id: requestId });
	const page = new URL("/sign-in", origin);
	page.searchParams.set("problem", error.problem);
	if (to !== undefined && to !== "/") page.searchParams.set("to", to);
	return redirect(page, cookies);
}
