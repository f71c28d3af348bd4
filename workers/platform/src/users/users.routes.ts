import { SessionEntry } from "@parley/contracts/platform/console";
import { InviteUser, UpdateUser, User, UsersQuery } from "@parley/contracts/platform/users";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createPlatformRouter } from "../context.ts";
import {
	deleteUser,
	endUserSessions,
	getUser,
	inviteUser,
	listUserSessions,
	listUsers,
	updateUser,
} from "./users.service.ts";

export const usersRoutes = createPlatformRouter();

const params = z.object({ user_id: Uuid });

usersRoutes.route(
	{
		method: "post",
		path: "/v1/users",
		operationId: "inviteUser",
		summary: "Invite a person",
		description:
			"Lets a person sign in with an e-mail address, in a role. Parley sends no mail: tell the person the console's address. The first person of an organisation must be an owner; later owners are made by owners only. Nobody gives a role that has a scope which they lack.",
		tag: "People",
		access: "keys:manage",
		body: InviteUser,
		status: 201,
		location: "/v1/users/{id}",
		response: User,
		errors: ["USER_EMAIL_CONFLICT"],
		idempotent: true,
	},
	({ ctx, body }) => inviteUser(ctx, body),
);

usersRoutes.route(
	{
		method: "get",
		path: "/v1/users",
		operationId: "listUsers",
		summary: "List people",
		description: "Returns the people of the organisation, invited ones too, in order of their invitation.",
		tag: "People",
		access: "keys:manage",
		query: UsersQuery,
		response: z.array(User),
	},
	({ ctx, query }) => listUsers(ctx, query),
);

usersRoutes.route(
	{
		method: "get",
		path: "/v1/users/{user_id}",
		operationId: "getUser",
		summary: "Get a person",
		description: "Returns a person with the role and the time of the last sign-in.",
		tag: "People",
		access: "keys:manage",
		params,
		response: User,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getUser(ctx, params.user_id),
);

usersRoutes.route(
	{
		method: "patch",
		path: "/v1/users/{user_id}",
		operationId: "updateUser",
		summary: "Change a person",
		description:
			"Changes a person's role, name or e-mail address. Open sessions get the new role within ten seconds. Only owners change owners, and one owner always remains.",
		tag: "People",
		access: "keys:manage",
		params,
		body: UpdateUser,
		response: User,
		errors: ["RESOURCE_NOT_FOUND", "USER_EMAIL_CONFLICT", "LAST_OWNER", "REVISION_CONFLICT"],
	},
	({ ctx, params, body }) => updateUser(ctx, params.user_id, body),
);

usersRoutes.route(
	{
		method: "delete",
		path: "/v1/users/{user_id}",
		operationId: "deleteUser",
		summary: "Remove a person",
		description:
			"Removes a person. Open sessions end within ten seconds. API keys that the person made stay valid. Only owners remove owners, and one owner always remains.",
		tag: "People",
		access: "keys:manage",
		params,
		errors: ["RESOURCE_NOT_FOUND", "LAST_OWNER", "REVISION_CONFLICT"],
	},
	({ ctx, params }) => deleteUser(ctx, params.user_id),
);

usersRoutes.route(
	{
		method: "get",
		path: "/v1/users/{user_id}/sessions",
		operationId: "listUserSessions",
		summary: "List a person's sessions",
		description: "Returns the open sessions of a person, the latest first.",
		tag: "People",
		access: "keys:manage",
		params,
		response: z.array(SessionEntry),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => listUserSessions(ctx, params.user_id),
);

usersRoutes.route(
	{
		method: "delete",
		path: "/v1/users/{user_id}/sessions",
		operationId: "endUserSessions",
		summary: "Sign a person out everywhere",
		description:
			"Ends every session of a person. They stop working everywhere within ten seconds. Only owners sign owners out.",
		tag: "People",
		access: "keys:manage",
		params,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => endUserSessions(ctx, params.user_id),
);
