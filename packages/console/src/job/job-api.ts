import type { TranscriptFormat } from "@parley/contracts/batch/jobs";
import type { JobAudio, JobPeaks } from "@parley/contracts/batch/peaks";
import type { Revision, RevisionPage } from "@parley/contracts/batch/revisions";
import type { Transcript } from "@parley/contracts/batch/transcript";
import type { Delivery, DeliveryPage } from "@parley/contracts/batch/webhooks";
import { queryOptions } from "@tanstack/react-query";
import { call, send } from "../api/client.ts";
import { isStatus } from "../api/failures.ts";

const of = (jobId: string) => ({ job_id: jobId });

/** The transcript as JSON: the engine's own, or a revision of it. */
export const transcriptQuery = (jobId: string, revision?: number | "latest") =>
	queryOptions({
		queryKey: ["transcript", jobId, revision ?? 0],
		queryFn: ({ signal }) =>
			call<Transcript>("GET /v1/batch/jobs/{job_id}/transcript", {
				params: of(jobId),
				query: { format: "json", revision: revision || undefined },
				signal,
			}),
		staleTime: Number.POSITIVE_INFINITY,
		structuralSharing: false,
	});

export async function fetchLatestRevision(jobId: string, signal?: AbortSignal): Promise<Revision | null> {
	const page = await call<RevisionPage>("GET /v1/batch/jobs/{job_id}/revisions", {
		params: of(jobId),
		query: { page_size: 1 },
		...(signal && { signal }),
	});
	return page.items[0] ?? null;
}

/** The newest revision. Number 0 is the engine's own result. */
export const latestRevisionQuery = (jobId: string) =>
	queryOptions({
		queryKey: ["revisions", jobId, "latest"],
		queryFn: ({ signal }) => fetchLatestRevision(jobId, signal),
		retry: false,
	});

export async function downloadTranscript(
	jobId: string,
	format: TranscriptFormat,
	revision: number,
): Promise<Blob> {
	const response = await send("GET /v1/batch/jobs/{job_id}/transcript", {
		params: of(jobId),
		query: { format, revision: revision || undefined },
	});
	return response.blob();
}

export type Peaks = { perSecond: number; channels: { label: string | null; peaks: Uint8Array }[] };

/** Loudness of the recording; without channels when there is none. */
export const peaksQuery = (jobId: string) =>
	queryOptions({
		queryKey: ["peaks", jobId],
		queryFn: async ({ signal }): Promise<Peaks> => {
			const answer = await call<JobPeaks>("GET /v1/batch/jobs/{job_id}/peaks", { params: of(jobId), signal });
			const channels = answer.channels.map(({ label, peaks }) => ({ label, peaks: fromBase64(peaks) }));
			return { perSecond: answer.peaks_per_second, channels };
		},
		staleTime: Number.POSITIVE_INFINITY,
		structuralSharing: false,
	});

function fromBase64(text: string): Uint8Array {
	return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Asks for an address of the recording, which expires. */
export const loadAudioUrl = async (jobId: string): Promise<string> =>
	(await call<JobAudio>("GET /v1/batch/jobs/{job_id}/audio", { params: of(jobId) })).url;

export const deliveriesQuery = (jobId: string) =>
	queryOptions({
		queryKey: ["deliveries", jobId],
		queryFn: async ({ signal }) =>
			(
				await call<DeliveryPage>("GET /v1/batch/jobs/{job_id}/deliveries", {
					params: of(jobId),
					query: { page_size: 100 },
					signal,
				})
			).items,
		refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === "pending") ? 3_000 : false),
	});

export const redeliver = (jobId: string, deliveryId: string): Promise<Delivery> =>
	call("POST /v1/batch/jobs/{job_id}/deliveries/{delivery_id}/redeliver", {
		params: { job_id: jobId, delivery_id: deliveryId },
	});

/** Whether the recording or transcript was deleted when its retention ended. */
export const isGone = (error: unknown): boolean => isStatus(error, 404, 410);
