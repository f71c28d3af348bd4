import { SearchQuery, SearchResults } from "@parley/contracts/batch/search";
import { createBatchRouter } from "../context.ts";
import { searchTranscripts } from "./search.service.ts";

export const searchRoutes = createBatchRouter();

searchRoutes.route(
	{
		method: "get",
		path: "/v1/batch/search",
		operationId: "searchTranscripts",
		summary: "Search transcripts",
		description:
			"Finds words in the organisation's transcripts, in their latest revisions. Hits are grouped by job, the newest job first; each is a sentence with its time. A transcript is searchable from the end of its job until the end of the retention.",
		tag: "Batch",
		access: "batch:read",
		mcp: true,
		query: SearchQuery,
		response: SearchResults,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, query }) => searchTranscripts(ctx, query),
);
