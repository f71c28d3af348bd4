import type { AgentListItem } from "@parley/contracts/agents/agents";
import type { RotatedWebhookSecret, WebhookSecret } from "@parley/contracts/batch/webhooks";
import type { CreatedKey, CreateKey, Key } from "@parley/contracts/platform/keys";
import type { UsageReport } from "@parley/contracts/platform/usage";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, callList } from "../api/client.ts";

export const PAGE_SIZE = 50;

export const keysQuery = (page = 1) =>
	queryOptions({
		queryKey: ["keys", page],
		queryFn: ({ signal }) =>
			callList<Key>("GET /v1/keys", {
				query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
				signal,
			}),
		placeholderData: keepPreviousData,
	});

/** Agents that a key can be bound to. */
export const agentsQuery = queryOptions({
	queryKey: ["agents", "of-keys"],
	queryFn: async ({ signal }) =>
		(await callList<AgentListItem>("GET /v1/agents", { query: { limit: 200 }, signal })).items,
	staleTime: 30_000,
});

/** Requests of the last 30 days by the key's id. */
export const keyRequestsQuery = queryOptions({
	queryKey: ["usage", "key-requests"],
	queryFn: ({ signal }) => call<UsageReport>("GET /v1/usage", { query: { group_by: "key" }, signal }),
	select: ({ items }) => new Map(items.map((item) => [item.api_key_id, item.requests])),
	staleTime: 60_000,
});

/** @param attempt the same for each try of one creation, so that it makes one key */
export const createKey = (body: CreateKey, attempt: string): Promise<CreatedKey> =>
	call("POST /v1/keys", { body, headers: { "idempotency-key": attempt } });

export const revokeKey = (id: string): Promise<void> =>
	call("DELETE /v1/keys/{key_id}", { params: { key_id: id } });

export const webhookSecretQuery = queryOptions({
	queryKey: ["webhook-secret"],
	queryFn: ({ signal }) => call<WebhookSecret>("GET /v1/batch/webhook-secret", { signal }),
});

/** @param attempt the same for each try of one rotation, so that it makes one secret */
export const rotateWebhookSecret = (overlapHours: number, attempt: string): Promise<RotatedWebhookSecret> =>
	call("POST /v1/batch/webhook-secret/rotate", {
		body: { overlap_hours: overlapHours },
		headers: { "idempotency-key": attempt },
	});
