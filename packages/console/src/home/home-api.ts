import type { Agent, AgentListItem } from "@parley/contracts/agents/agents";
import type { McpServerListItem } from "@parley/contracts/agents/mcp-servers";
import type { ToolListItem } from "@parley/contracts/agents/tools";
import type { JobPage } from "@parley/contracts/batch/jobs";
import type { Organisation } from "@parley/contracts/platform/account";
import type { Key } from "@parley/contracts/platform/keys";
import type { UsageReport } from "@parley/contracts/platform/usage";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { settleAll } from "../ui/concurrency.ts";

const DAY_MS = 86_400_000;
const MAX_LISTED = 100;
/** Agents whose attachments are looked through for drift. */
const MAX_AGENTS = 25;

export const recentJobsQuery = queryOptions({
	queryKey: ["jobs", "home", "recent"],
	queryFn: ({ signal }) => call<JobPage>("GET /v1/batch/jobs", { query: { page_size: 6 }, signal }),
});

export const failedJobsQuery = queryOptions({
	queryKey: ["jobs", "home", "failed"],
	queryFn: ({ signal }) =>
		call<JobPage>("GET /v1/batch/jobs", {
			query: { status: "FAILED", page_size: 1, submitted_after: daysAgo(7).toISOString() },
			signal,
		}),
});

export const usageQuery = queryOptions({
	queryKey: ["usage", "day"],
	queryFn: ({ signal }) => call<UsageReport>("GET /v1/usage", { query: { group_by: "day" }, signal }),
});

export const organisationQuery = queryOptions({
	queryKey: ["organisation"],
	queryFn: ({ signal }) => call<Organisation>("GET /v1/organisation", { signal }),
});

export const keysQuery = queryOptions({
	queryKey: ["keys", "home"],
	queryFn: ({ signal }) => call<Key[]>("GET /v1/keys", { query: { limit: MAX_LISTED }, signal }),
});

export const serversQuery = queryOptions({
	queryKey: ["mcp-servers", "home"],
	queryFn: ({ signal }) =>
		call<McpServerListItem[]>("GET /v1/agents/mcp-servers", { query: { limit: MAX_LISTED }, signal }),
});

export const toolsQuery = queryOptions({
	queryKey: ["tools", "home"],
	queryFn: ({ signal }) =>
		call<ToolListItem[]>("GET /v1/agents/tools", { query: { limit: MAX_LISTED }, signal }),
});

/** Agents that have an MCP tool whose definition differs from the pinned one. */
export const driftedAgentsQuery = queryOptions({
	queryKey: ["agents", "home", "drifted"],
	queryFn: async ({ signal }) => {
		const agents = await call<AgentListItem[]>("GET /v1/agents", { query: { limit: MAX_AGENTS }, signal });
		const results = await settleAll(agents, 4, ({ id }) =>
			call<Agent>("GET /v1/agents/{agent_id}", { params: { agent_id: id }, signal }),
		);
		return results
			.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
			.filter(({ mcp_refs }) => mcp_refs.some(({ drifted }) => drifted))
			.map(({ id, name }) => ({ id, name }));
	},
	staleTime: 60_000,
});

export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
