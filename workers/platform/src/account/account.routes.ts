import { Me } from "@parley/contracts/account";
import { createPlatformRouter } from "../context.ts";
import { getMe } from "./account.service.ts";

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
