import type { ConsoleSession, SignInDoors } from "@parley/contracts/platform/console";
import type { Scope } from "@parley/contracts/shared/scopes";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { call } from "./client.ts";

export const sessionQuery = queryOptions({
	queryKey: ["session"],
	queryFn: () => call<ConsoleSession>("GET /v1/console/session", { handles401: true }),
	staleTime: 60_000,
});

export const doorsQuery = queryOptions({
	queryKey: ["doors"],
	queryFn: () => call<SignInDoors>("GET /v1/console/doors", { handles401: true }),
	staleTime: Number.POSITIVE_INFINITY,
});

/** Pages of the API that a browser opens to sign in, with the page to go to as `to`. */
export const OIDC_START = "/v1/console/oidc/start";
export const ACCESS_START = "/v1/console/access";

/** Exchanges a key or a one-time code for a session. */
export const signIn = (proof: { key: string } | { code: string }): Promise<ConsoleSession> =>
	call("POST /v1/console/session", { body: proof, isSecret: true, handles401: true });

export const signOut = (): Promise<void> => call("DELETE /v1/console/session", { handles401: true });

/** Returns who is signed in. Below the frame there always is somebody. */
export const useSession = (): ConsoleSession => useSuspenseQuery(sessionQuery).data;

/** Returns whether the user may do what a scope allows. Screens hide or disable what would be refused. */
export function useScope(scope: Scope): boolean {
	return useSession().scopes.includes(scope);
}
