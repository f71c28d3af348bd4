import { Me, Organisation } from "@parley/contracts/account";
import { createPlatformRouter } from "../context.ts";
import { getMe, getOrganisation } from "./account.service.ts";

export const accountRoutes = createPlatformRouter();

accountRoutes.route(
	{
		method: "get",
		path: "/v1/me",
		operationId: "getMe",
		summary: "Who the API key belongs to",
		tag: "Account",
		access: "any-key",
		response: Me,
	},
	({ ctx }) => getMe(ctx),
);

accountRoutes.route(
	{
		method: "get",
		path: "/v1/organisation",
		operationId: "getOrganisation",
		summary: "The organisation of the API key, its features and its balance",
		tag: "Account",
		access: "any-key",
		etag: true,
		response: Organisation,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx }) => getOrganisation(ctx),
);
