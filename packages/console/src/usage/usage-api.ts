import type { UsageReport } from "@parley/contracts/platform/usage";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import type { Days } from "./days.ts";
import type { Group } from "./usage-search.ts";

export const usageQuery = ({ since, until }: Days, group: Group) =>
	queryOptions({
		queryKey: ["usage", since, until, group],
		queryFn: ({ signal }) =>
			call<UsageReport>("GET /v1/usage", { query: { since, until, group_by: group }, signal }),
		placeholderData: keepPreviousData,
	});
