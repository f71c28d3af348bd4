import type { Organisation } from "@parley/contracts/platform/account";
import type { Deployment } from "@parley/contracts/platform/deployment";
import type { UpdateMe, User } from "@parley/contracts/platform/users";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/client.ts";

export const organisationQuery = queryOptions({
	queryKey: ["organisation"],
	queryFn: ({ signal }) => call<Organisation>("GET /v1/organisation", { signal }),
});

export const deploymentQuery = queryOptions({
	queryKey: ["deployment"],
	queryFn: ({ signal }) => call<Deployment>("GET /v1/deployment", { signal }),
});

export type Health = { status: string; checks: Record<string, { ok: boolean; ms: number }> };

/** State of the services behind the front door. The answer has a body also when one of them is down. */
export const healthQuery = queryOptions({
	queryKey: ["health"],
	queryFn: async ({ signal }): Promise<Health> => (await fetch("/health", { signal })).json(),
	refetchInterval: 30_000,
});

export const updateMe = (body: UpdateMe): Promise<User> => call("PATCH /v1/me", { body });
