import type { QueuedJob, SubmitJob } from "@parley/contracts/batch/job-submission";
import type { Job, JobPage, TranscriptFormat } from "@parley/contracts/batch/jobs";
import type { CatalogPage } from "@parley/contracts/platform/catalog";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, send } from "../api/client.ts";
import type { JobsSearch } from "./jobs-search.ts";

export const PAGE_SIZE = 25;

export const jobsQuery = (search: JobsSearch) => {
	const { page = 1, status, model, tag, reference, after, before, sort, order } = search;
	const query = {
		...{ page, page_size: PAGE_SIZE, status: status?.join(","), model_code: model, tag, reference },
		submitted_after: after && startOfDay(after).toISOString(),
		submitted_before: before && endOfDay(before).toISOString(),
		...{ sort_by: sort, sort_order: order },
	};
	return queryOptions({
		queryKey: ["jobs", query],
		queryFn: ({ signal }) => call<JobPage>("GET /v1/batch/jobs", { query, signal }),
		placeholderData: keepPreviousData,
	});
};

export const jobQuery = (jobId: string) =>
	queryOptions({
		queryKey: ["job", jobId],
		queryFn: ({ signal }) => call<Job>("GET /v1/batch/jobs/{job_id}", { params: { job_id: jobId }, signal }),
	});

/** Models that transcribe in batch, the default first. */
export const speechModelsQuery = queryOptions({
	queryKey: ["catalog", "speech"],
	queryFn: ({ signal }) =>
		call<CatalogPage>("GET /v1/catalog/models", {
			query: { service_type: "speech_to_text", page_size: 100 },
			signal,
		}),
	select: ({ items }) =>
		items.filter(({ batch }) => batch).sort((a, b) => Number(b.is_default) - Number(a.is_default)),
	staleTime: 300_000,
});

/** Names of the extras that some engine of this deployment makes. */
export const extrasQuery = queryOptions({
	queryKey: ["catalog", "extras"],
	queryFn: ({ signal }) =>
		call<CatalogPage>("GET /v1/catalog/models", {
			query: { service_type: "audio_intelligence", page_size: 100 },
			signal,
		}),
	select: ({ items }) => new Set(items.flatMap(({ capabilities }) => capabilities)),
	staleTime: 300_000,
});

export const submitJob = (body: Partial<SubmitJob>): Promise<QueuedJob> =>
	call("POST /v1/batch/jobs", { body });

export const cancelJob = (jobId: string): Promise<Job> =>
	call("POST /v1/batch/jobs/{job_id}/cancel", { params: { job_id: jobId } });

export const deleteJob = (jobId: string): Promise<void> =>
	call("DELETE /v1/batch/jobs/{job_id}", { params: { job_id: jobId } });

/** Loads the transcript as it was last edited, or a revision of it. */
export async function fetchTranscript(
	jobId: string,
	format: TranscriptFormat,
	revision: number | "latest" = "latest",
): Promise<Blob> {
	const response = await send("GET /v1/batch/jobs/{job_id}/transcript", {
		params: { job_id: jobId },
		query: { format, revision },
	});
	return response.blob();
}

/** Makes an id as the API makes them. */
export const newJobId = (): string => `job${crypto.randomUUID().replaceAll("-", "")}`;

const startOfDay = (day: string): Date => new Date(`${day}T00:00:00`);
const endOfDay = (day: string): Date => new Date(`${day}T23:59:59.999`);
