import {
	assertOwnOrigin,
	clearedSessionCookie,
	readSessionCookie,
	sessionCookie,
} from "@parley/auth/session-cookie";
import { ConsoleSession, SessionEntry, SignIn, SignInCode } from "@parley/contracts/platform/console";
import { Uuid } from "@parley/contracts/shared/common";
import { addressOf } from "@parley/http/rate-limit/address-limit";
import { z } from "zod";
import { createPlatformRouter } from "../context.ts";
import {
	createSignInCode,
	endOtherSessions,
	endSession,
	getSession,
	listSessions,
	signIn,
	signOut,
} from "./session.service.ts";

export const sessionRoutes = createPlatformRouter();

const browserOf = (request: Request) => ({
	userAgent: request.headers.get("user-agent") ?? "",
	token: readSessionCookie(request),
	address: addressOf(request.headers),
});

sessionRoutes.route(
	{
		method: "post",
		path: "/v1/console/session",
		operationId: "signIn",
		summary: "Sign in to the console",
		description:
			"Opens a session with an API key or a one-time code and sets its cookie. The session replaces the one that the browser had. The first key that holds every write scope, `vault:read`, `audit:read` and `keys:manage` makes its holder the organisation's owner. Any later key acts for itself. Ten failures within a minute block an address.",
		tag: "Console",
		access: "open",
		body: SignIn,
		response: ConsoleSession,
		errors: ["FORBIDDEN", "RESOURCE_NOT_FOUND"],
	},
	async ({ ctx, body, request, reply }) => {
		assertOwnOrigin(request, { required: false });
		const { token, session } = await signIn(ctx, body, browserOf(request));
		return reply(200, session, { "set-cookie": sessionCookie(new URL(request.url), token) });
	},
);

sessionRoutes.route(
	{
		method: "get",
		path: "/v1/console/session",
		operationId: "getSession",
		summary: "Get the session",
		description:
			"Returns who is signed in: the person, the role, the scopes, and the organisation with its features.",
		tag: "Console",
		access: "any-key",
		response: ConsoleSession,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx }) => getSession(ctx),
);

sessionRoutes.route(
	{
		method: "delete",
		path: "/v1/console/session",
		operationId: "signOut",
		summary: "Sign out of the console",
		description:
			"Ends the session of the cookie and clears the cookie, also when the session is over already.",
		tag: "Console",
		access: "open",
		errors: ["FORBIDDEN"],
	},
	async ({ ctx, request, reply }) => {
		assertOwnOrigin(request, { required: readSessionCookie(request) !== undefined });
		await signOut(ctx, readSessionCookie(request));
		return reply(204, undefined, { "set-cookie": clearedSessionCookie(new URL(request.url)) });
	},
);

sessionRoutes.route(
	{
		method: "get",
		path: "/v1/console/sessions",
		operationId: "listSessions",
		summary: "List your sessions",
		description: "Returns the open sessions of the caller, the latest first.",
		tag: "Console",
		access: "any-key",
		response: z.array(SessionEntry),
	},
	({ ctx }) => listSessions(ctx),
);

sessionRoutes.route(
	{
		method: "delete",
		path: "/v1/console/sessions",
		operationId: "endOtherSessions",
		summary: "End your other sessions",
		description:
			"Ends every session of the caller but the one of the request. They stop working everywhere within ten seconds.",
		tag: "Console",
		access: "any-key",
	},
	({ ctx }) => endOtherSessions(ctx),
);

sessionRoutes.route(
	{
		method: "delete",
		path: "/v1/console/sessions/{session_id}",
		operationId: "endSession",
		summary: "End a session",
		description: "Ends one of the caller's sessions. It stops working everywhere within ten seconds.",
		tag: "Console",
		access: "any-key",
		params: z.object({ session_id: Uuid }),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => endSession(ctx, params.session_id),
);

sessionRoutes.route(
	{
		method: "post",
		path: "/v1/console/codes",
		operationId: "createSignInCode",
		summary: "Create a sign-in code",
		description:
			"Returns a code that opens one session, once and within 60 seconds, as the API key of the request would. It takes a consumer key.",
		tag: "Console",
		access: "any-key",
		response: SignInCode,
	},
	({ ctx, request }) => createSignInCode(ctx, new URL(request.url).origin),
);
