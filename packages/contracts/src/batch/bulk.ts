import { z } from "zod";
import { JobStatus, TRANSCRIPT_FORMATS } from "./jobs.ts";

/** Jobs that one call works on. */
export const MAX_BULK_JOBS = 100;

const time = (what: string) => z.iso.datetime({ offset: true }).optional().describe(what);

export const BulkFilter = z
	.strictObject({
		status: z.array(JobStatus).min(1).max(7).optional().describe("Jobs with one of these statuses"),
		model_code: z.string().min(1).max(200).optional().describe("Jobs of this model"),
		tag: z.string().min(1).max(100).optional().describe("Jobs with this one among `tracking.tags`"),
		reference: z.string().min(1).max(500).optional().describe("Jobs with this `tracking.reference`"),
		submitted_after: time("Jobs submitted at this time or later"),
		submitted_before: time("Jobs submitted at this time or earlier"),
	})
	.refine((filter) => Object.values(filter).some((value) => value !== undefined), "Give at least one filter")
	.meta({ id: "BulkFilter", description: "Filters of the list of jobs. A job must match all of them." });
export type BulkFilter = z.infer<typeof BulkFilter>;

const selection = {
	job_ids: z
		.array(z.string().max(128))
		.min(1)
		.max(MAX_BULK_JOBS)
		.optional()
		.describe(`Ids of the jobs, 1 to ${MAX_BULK_JOBS}`),
	filter: BulkFilter.optional().describe(
		`Selects jobs by their properties, the oldest first, at most ${MAX_BULK_JOBS} per call. Jobs in a status that the call cannot work on are left out.`,
	),
};
const exactlyOne = ({ job_ids, filter }: { job_ids?: unknown; filter?: unknown }) =>
	(job_ids === undefined) !== (filter === undefined);
const ONE_OF = { path: ["job_ids"], message: "Give exactly one of job_ids and filter" };

export const BulkSelection = z
	.strictObject(selection)
	.refine(exactlyOne, ONE_OF)
	.meta({ id: "BulkSelection", example: { job_ids: ["job7f3a", "job7f3b"] } });
export type BulkSelection = z.infer<typeof BulkSelection>;

export const BulkDownload = z
	.strictObject({
		...selection,
		format: z.enum(TRANSCRIPT_FORMATS).default("txt").describe("Format of the transcripts. Default txt."),
		revision: z
			.enum(["engine", "latest"])
			.default("latest")
			.describe("engine: the engine's own results. latest: the latest revision of each. Default latest."),
		as: z
			.enum(["zip", "links"])
			.default("zip")
			.describe("zip: one archive. links: one signed URL per transcript. Default zip."),
	})
	.refine(exactlyOne, ONE_OF)
	.meta({ id: "BulkDownload", example: { job_ids: ["job7f3a", "job7f3b"], format: "srt" } });
export type BulkDownload = z.infer<typeof BulkDownload>;

const Failure = z.object({
	job_id: z.string().describe("Id of the job"),
	error: z.string().describe("Why the call did nothing to this job"),
});

const hasMore = z
	.boolean()
	.describe("Whether further jobs match the filter. Repeat the call until it is false.");

export const BulkResult = z
	.object({
		done: z.array(z.string()).describe("Ids of the jobs that the call changed"),
		failed: z.array(Failure).describe("Jobs that it could not change, each with the reason"),
		has_more: hasMore,
	})
	.meta({
		id: "BulkResult",
		example: {
			done: ["job7f3a"],
			failed: [{ job_id: "job7f3b", error: "Job not found: job7f3b" }],
			has_more: false,
		},
	});
export type BulkResult = z.infer<typeof BulkResult>;

export const BulkLinks = z
	.object({
		items: z
			.array(
				z.object({
					job_id: z.string().describe("Id of the job"),
					filename: z.string().describe("Name of the file, unique in this answer"),
					download_url: z.url().describe("Signed URL, valid for one hour"),
				}),
			)
			.describe("One entry per transcript"),
		failed: z.array(Failure).describe("Jobs without a transcript, each with the reason"),
		has_more: hasMore,
	})
	.meta({ id: "BulkLinks" });
export type BulkLinks = z.infer<typeof BulkLinks>;
