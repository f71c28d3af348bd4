import { Me, Organisation } from "@parley/contracts/platform/account";
import { createPlatformRouter } from "../context.ts";
import { getMe, getOrganisation } from "./account.service.ts";

export const accountRoutes = createPlatformRouter();

accountRoutes.route(
	{
		method: "get",
		path: "/v1/me",
		operationId: "getMe",
		summary: "Get the account of the key",
		description:
			"Returns the organisation of the API key, the key's label and the organisation's tier. Every valid key may call it, batch keys too.",
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
		summary: "Get the organisation",
		description:
			"Returns the organisation of the API key with its feature switches and its balance of audio seconds.",
		tag: "Account",
		access: "any-key",
		etag: true,
		response: Organisation,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx }) => getOrganisation(ctx),
);
