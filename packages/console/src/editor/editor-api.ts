import type {
	CreateRevision,
	Revision,
	RevisionDetails,
	RevisionPage,
	UpdateSpeakers,
} from "@parley/contracts/batch/revisions";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/client.ts";

export const revisionsQuery = (jobId: string) =>
	queryOptions({
		queryKey: ["revisions", jobId, "list"],
		queryFn: ({ signal }) =>
			call<RevisionPage>("GET /v1/batch/jobs/{job_id}/revisions", {
				params: { job_id: jobId },
				query: { page_size: 100 },
				signal,
			}),
	});

export const revisionQuery = (jobId: string, revision: number) =>
	queryOptions({
		queryKey: ["revisions", jobId, revision],
		queryFn: ({ signal }) =>
			call<RevisionDetails>("GET /v1/batch/jobs/{job_id}/revisions/{revision}", {
				params: { job_id: jobId, revision: String(revision) },
				signal,
			}),
		staleTime: Number.POSITIVE_INFINITY,
	});

const headersOf = (etag: string | undefined) => (etag ? { "if-match": etag } : undefined);

/** Saves edits on top of a revision. Fails with 412 when there is a newer one. */
export const createRevision = (
	jobId: string,
	body: CreateRevision,
	etag: string | undefined,
): Promise<Revision> =>
	call("POST /v1/batch/jobs/{job_id}/revisions", {
		params: { job_id: jobId },
		body,
		...(headersOf(etag) && { headers: headersOf(etag) }),
	});

export const updateSpeakers = (
	jobId: string,
	body: UpdateSpeakers,
	etag: string | undefined,
): Promise<Revision> =>
	call("PUT /v1/batch/jobs/{job_id}/speakers", {
		params: { job_id: jobId },
		body,
		...(headersOf(etag) && { headers: headersOf(etag) }),
	});
