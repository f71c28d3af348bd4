import type { Job, JobStatus } from "@parley/contracts/batch/jobs";
import { Badge, type Tone } from "../ui/data/badge.tsx";
import { formatPercent } from "../ui/format.ts";

export const STATUS_LABELS: Record<JobStatus, string> = {
	QUEUED: "Queued",
	IN_PROGRESS: "Fetching",
	DECODING: "Transcribing",
	POST_PROCESSING: "Finishing",
	DONE: "Done",
	FAILED: "Failed",
	CANCELLED: "Cancelled",
};

const TONES: Record<JobStatus, Tone> = {
	QUEUED: "plain",
	IN_PROGRESS: "warn",
	DECODING: "warn",
	POST_PROCESSING: "warn",
	DONE: "good",
	FAILED: "bad",
	CANCELLED: "plain",
};

export const isTerminal = (status: JobStatus): boolean =>
	status === "DONE" || status === "FAILED" || status === "CANCELLED";

/** The status of a job, with its progress while it is transcribed. */
export function JobStatusBadge({ job }: { job: Pick<Job, "status" | "progress"> }) {
	const isRunning = !isTerminal(job.status) && job.status !== "QUEUED";
	return (
		<Badge tone={TONES[job.status]} hasDot isPulsing={isRunning}>
			{STATUS_LABELS[job.status]}
			{job.status === "DECODING" && job.progress > 0 && (
				<span className="tabular">{formatPercent(job.progress)}</span>
			)}
		</Badge>
	);
}
