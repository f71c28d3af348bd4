import type { Key } from "@parley/contracts/platform/keys";
import type { User } from "@parley/contracts/platform/users";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callList } from "../api/client.ts";
import { useScope, useSession } from "../api/session.ts";

const MAX = 200;

/** Names of the people and keys of the organisation, by actor. */
export const actorNamesQuery = queryOptions({
	queryKey: ["actor-names"],
	queryFn: async ({ signal }) => {
		const query = { limit: MAX };
		const [users, keys] = await Promise.all([
			callList<User>("GET /v1/users", { query, signal }),
			callList<Key>("GET /v1/keys", { query, signal }),
		]);
		return new Map<string, string | undefined>([
			...users.items.map(
				({ id, name, email }) => [`user:${id}`, name ?? email ?? undefined] as [string, string | undefined],
			),
			...keys.items.map(({ id, label }) => [`api_key:${id}`, label] as [string, string]),
		]);
	},
	staleTime: 60_000,
});

/** Returns what turns an actor such as `user:<id>` into the name that people know. */
export function useActorNames(): (actor: string) => string {
	const { actor: self, user } = useSession();
	const { data } = useQuery({ ...actorNamesQuery, enabled: useScope("keys:manage") });
	return (actor) => {
		if (actor === self) return user?.name ?? user?.email ?? "You";
		const name = data?.get(actor);
		if (name) return name;
		const [type, rest = ""] = actor.split(/:(.*)/s);
		if (type === "user") return "Somebody who has left";
		if (type === "api_key") return "A revoked key";
		return rest || actor;
	};
}
