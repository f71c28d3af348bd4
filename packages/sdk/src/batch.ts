import type { PresignedUpload, QueuedJob } from "@parley/contracts/batch/job-submission";
import type { Job, JobPage } from "@parley/contracts/batch/jobs";
import type { RevisionPage } from "@parley/contracts/batch/revisions";
import { type ClientOptions, createHttp } from "./http.ts";
import { type Audio, type Uploaded, type UploadOptions, uploadAudio } from "./upload.ts";

export type BatchClient = {
	/** An upload URL, good for one hour; no job exists yet. */
	presign: (request: object) => Promise<PresignedUpload>;
	/** Brings audio into the storage, a large file in parts that go on after a break. Submit what it answers. */
	upload: (audio: Audio, options: UploadOptions) => Promise<Uploaded>;
	submit: (submission: object) => Promise<QueuedJob>;
	list: (query: Record<string, string | undefined>) => Promise<JobPage>;
	get: (jobId: string) => Promise<Job>;
	/** Follows a job until it ends, telling each state on the way. */
	wait: (jobId: string, onProgress?: (job: Job) => void, signal?: AbortSignal) => Promise<Job>;
	/** Reads the transcript: the engine's own result, or a revision of it by its number or `latest`. */
	transcript: (jobId: string, format: string, revision?: number | "latest") => Promise<string>;
	/** Lists the revisions of the transcript, newest first. The last one is 0, the engine's own result. */
	revisions: (jobId: string, query?: Record<string, string | undefined>) => Promise<RevisionPage>;
};

const ENDED = new Set<Job["status"]>(["DONE", "FAILED", "CANCELLED"]);
const POLL_SECONDS = 2;

/** The batch API. Every call throws ParleyError when the service refuses it. */
export function createBatchClient(options: ClientOptions): BatchClient {
	const http = createHttp(options);
	const path = (jobId: string) => `/v1/batch/jobs/${encodeURIComponent(jobId)}`;
	return {
		presign: (request) => http.json("POST", "/v1/batch/jobs", { body: { ...request, mode: "presign" } }),
		upload: (audio, upload) => uploadAudio({ http, fetch: options.fetch ?? globalThis.fetch }, audio, upload),
		submit: (submission) => http.json("POST", "/v1/batch/jobs", { body: submission }),
		list: (query) => http.json("GET", "/v1/batch/jobs", { query }),
		get: (jobId) => http.json("GET", path(jobId)),
		transcript: (jobId, format, revision) =>
			http.text("GET", `${path(jobId)}/transcript`, { query: { format, revision } }),
		revisions: (jobId, query = {}) => http.json("GET", `${path(jobId)}/revisions`, { query }),
		wait: async (jobId, onProgress, signal) => {
			for (;;) {
				// The service answers early when the job ends; the short wait is for the progress shown between.
				const job = await http.json<Job>("GET", path(jobId), { query: { wait: POLL_SECONDS }, signal });
				onProgress?.(job);
				if (ENDED.has(job.status)) return job;
			}
		},
	};
}
