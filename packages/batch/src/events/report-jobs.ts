import type { JobChanged, JobFeedReport } from "@parley/contracts/batch/events";
import type { JobRow } from "@parley/db/batch/jobs";
import type { JobKey } from "../object-keys.ts";
import { progressOf } from "../to-job.ts";
import type { JobFeed } from "./job-feed.ts";

export type ReportContext = {
	/** Typed loosely: the worker that does not own the class knows the binding without its methods. */
	env: { JOB_FEED: { getByName: (name: string) => unknown } };
	defer: (work: Promise<unknown>) => void;
};

type State = JobKey &
	Pick<
		JobRow,
		"status" | "chunkCount" | "chunksDone" | "error" | "submittedAt" | "updatedAt" | "completedAt"
	>;

/** Reports a job's state to whoever listens. A lost report changes nothing: listeners read the job itself. */
export const reportJob = (ctx: ReportContext, row: State): void =>
	report(ctx, row, { event: "job", data: toJobChanged(row) });

/** Reports that a job is gone. */
export const reportDeletedJob = (ctx: ReportContext, job: JobKey): void =>
	report(ctx, job, { event: "job_deleted", data: { job_id: job.jobId } });

function report({ env, defer }: ReportContext, { organisationId }: JobKey, report: JobFeedReport): void {
	const feed = env.JOB_FEED.getByName(organisationId) as DurableObjectStub<JobFeed>;
	defer(feed.report([report]));
}

const toJobChanged = (row: State): JobChanged => ({
	job_id: row.jobId,
	status: row.status,
	progress: progressOf(row),
	error: row.error,
	submitted_at: row.submittedAt,
	updated_at: row.updatedAt,
	completed_at: row.completedAt,
});
