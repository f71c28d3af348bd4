import type { SessionEntry } from "@parley/contracts/platform/console";
import type { InviteUser, UpdateUser, User } from "@parley/contracts/platform/users";
import type { Role } from "@parley/contracts/shared/roles";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, callList } from "../api/client.ts";

export const PAGE_SIZE = 50;

export const usersQuery = (page = 1) =>
	queryOptions({
		queryKey: ["users", page],
		queryFn: ({ signal }) =>
			callList<User>("GET /v1/users", {
				query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
				signal,
			}),
		placeholderData: keepPreviousData,
	});

export const inviteUser = (body: InviteUser): Promise<User> => call("POST /v1/users", { body });

export const updateUser = (id: string, body: UpdateUser): Promise<User> =>
	call("PATCH /v1/users/{user_id}", { params: { user_id: id }, body });

export const removeUser = (id: string): Promise<void> =>
	call("DELETE /v1/users/{user_id}", { params: { user_id: id } });

export const sessionsQuery = queryOptions({
	queryKey: ["sessions"],
	queryFn: ({ signal }) => call<SessionEntry[]>("GET /v1/console/sessions", { signal }),
});

export const endSession = (id: string): Promise<void> =>
	call("DELETE /v1/console/sessions/{session_id}", { params: { session_id: id } });

/** Ends every session of the user but the present one. */
export const endOtherSessions = (): Promise<void> => call("DELETE /v1/console/sessions");

/** What people call a person: the name, else the address. */
export const userName = ({ name, email }: Pick<User, "name" | "email">, fallback: string): string =>
	name ?? email ?? fallback;

/** Every role, the most powerful first. */
export const ROLE_LIST = Object.keys({
	owner: true,
	admin: true,
	developer: true,
	viewer: true,
} satisfies Record<Role, true>) as Role[];
