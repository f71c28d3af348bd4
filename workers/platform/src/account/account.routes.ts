import { Me, Organisation } from "@parley/contracts/platform/account";
import { UpdateMe, User } from "@parley/contracts/platform/users";
import { createPlatformRouter } from "../context.ts";
import { updateOwnUser } from "../users/users.service.ts";
import { getMe, getOrganisation } from "./account.service.ts";

export const accountRoutes = createPlatformRouter();

accountRoutes.route(
	{
		method: "get",
		path: "/v1/me",
		operationId: "getMe",
		summary: "Get the account of the key",
		description:
			"Returns the person who is signed in or who made the API key, the organisation, the key's label and the organisation's tier. Every valid key may call it, batch keys too.",
		tag: "Account",
		access: "any-key",
		response: Me,
	},
	({ ctx }) => getMe(ctx),
);

accountRoutes.route(
	{
		method: "patch",
		path: "/v1/me",
		operationId: "updateMe",
		summary: "Change your name",
		description:
			"Changes the name of the person who is signed in to the console. An owner who came with an API key can also set an e-mail address, once.",
		tag: "Account",
		access: "any-key",
		body: UpdateMe,
		response: User,
		errors: ["RESOURCE_NOT_FOUND", "USER_EMAIL_CONFLICT", "REVISION_CONFLICT"],
	},
	({ ctx, body }) => updateOwnUser(ctx, body),
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
