import {
	AuthorizationDecision,
	AuthorizationQuery,
	AuthorizationRequest,
	DecideAuthorization,
	OAuthGrant,
} from "@parley/contracts/platform/oauth";
import { z } from "zod";
import { createMcpRouter } from "../context.ts";
import { decideAuthorization, describeAuthorization, listGrants, revokeGrant } from "./consent.service.ts";

export const consentRoutes = createMcpRouter();

const originOf = (request: Request): string => new URL(request.url).origin;

consentRoutes.route(
	{
		method: "get",
		path: "/v1/oauth/authorization",
		operationId: "describeAuthorization",
		summary: "Describe an application's request",
		description:
			"Returns which application asks for access, to which MCP endpoint, with which scopes, and where the access is sent. The console's consent page shows it. It takes a person's console session.",
		tag: "Applications",
		access: "any-key",
		query: AuthorizationQuery,
		response: AuthorizationRequest,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, query, request }) => describeAuthorization(ctx, originOf(request), query.request),
);

consentRoutes.route(
	{
		method: "post",
		path: "/v1/oauth/authorization",
		operationId: "decideAuthorization",
		summary: "Approve or deny an application",
		description:
			"Gives an application access to one MCP endpoint, or refuses it, and returns where the browser goes next. The access never exceeds the person's role. It takes a person's console session.",
		tag: "Applications",
		access: "any-key",
		body: DecideAuthorization,
		response: AuthorizationDecision,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, body, request }) => decideAuthorization(ctx, originOf(request), body),
);

consentRoutes.route(
	{
		method: "get",
		path: "/v1/oauth/grants",
		operationId: "listGrants",
		summary: "List applications with access",
		description: "Returns the access that the person gave to applications, the latest first.",
		tag: "Applications",
		access: "any-key",
		response: z.array(OAuthGrant),
	},
	({ ctx, request }) => listGrants(ctx, originOf(request)),
);

consentRoutes.route(
	{
		method: "delete",
		path: "/v1/oauth/grants/{grant_id}",
		operationId: "revokeGrant",
		summary: "Revoke an application's access",
		description: "Ends the access of an application. Its tokens stop working everywhere within ten seconds.",
		tag: "Applications",
		access: "any-key",
		params: z.object({
			grant_id: z
				.string()
				.regex(/^[\w-]{16}$/, "Must be the id of a grant")
				.describe("Id of the grant")
				.meta({ example: "Xk2LwN7uBd9HsGfJ" }),
		}),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, request }) => revokeGrant(ctx, originOf(request), params.grant_id),
);
