import type { Job } from "@parley/contracts/batch/jobs";
import { useQuery } from "@tanstack/react-query";
import { latestRevisionQuery } from "../job/job-api.ts";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Badge } from "../ui/data/badge.tsx";
import { Time } from "../ui/data/time.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatClock, formatNumber, formatPercent } from "../ui/format.ts";
import { PeekPanel } from "../ui/overlays/peek-panel.tsx";
import { Details } from "../ui/page.tsx";
import { SkeletonText } from "../ui/skeleton.tsx";
import { jobName } from "./job-name.ts";
import { JobStatusBadge } from "./job-status.tsx";
import { fetchTranscript } from "./jobs-api.ts";
import { texts } from "./texts.ts";

const t = texts.peek;
const MAX_CHARACTERS = 3_000;

/** A job beside the list: what it is, and how its transcript begins. */
export function JobPeek({ job, onClose }: { job: Job; onClose: () => void }) {
	const { duration_seconds: seconds } = job.input_metadata;
	const isDone = job.status === "DONE";
	const latest = useQuery({ ...latestRevisionQuery(job.job_id), enabled: isDone });
	const revision = latest.data?.revision ?? (latest.isSuccess ? 0 : "latest");
	const text = useQuery({
		queryKey: ["transcript-text", job.job_id, revision],
		queryFn: async () => (await fetchTranscript(job.job_id, "txt", revision)).text(),
		enabled: isDone && !latest.isPending,
		staleTime: Number.POSITIVE_INFINITY,
	});
	return (
		<PeekPanel
			title={jobName(job)}
			link={{ to: "/jobs/$jobId", params: { jobId: job.job_id } }}
			onClose={onClose}
		>
			<JobStatusBadge job={job} />
			<div className="mt-4">
				<Details
					items={[
						[t.submitted, <Time key="submitted" value={job.submitted_at} exact />],
						...(seconds === null ? [] : [[t.length, formatClock(seconds)] as [string, string]]),
						[t.model, job.model_code],
						...(job.output_metadata
							? ([[t.words, formatNumber(job.output_metadata.word_count)]] as [string, string][])
							: []),
						...(job.output_metadata?.coverage != null
							? ([[t.coverage, formatPercent(job.output_metadata.coverage)]] as [string, string][])
							: []),
						...(job.tracking?.reference
							? ([[t.reference, job.tracking.reference]] as [string, string][])
							: []),
						...(job.tracking?.tags?.length
							? [
									[
										t.tags,
										<span key="tags" className="flex flex-wrap gap-1">
											{job.tracking.tags.map((tag) => (
												<Badge key={tag}>{tag}</Badge>
											))}
										</span>,
									] as [string, React.ReactNode],
								]
							: []),
						[
							t.id,
							<span key="id" className="flex items-center gap-1">
								<code className="truncate font-mono text-xs">{job.job_id}</code>
								<CopyButton value={job.job_id} isIcon />
							</span>,
						],
					]}
				/>
			</div>
			{job.error && (
				<div className="mt-5 rounded-lg bg-bad-wash p-3 text-sm">
					<h3 className="font-medium text-bad">{t.error}</h3>
					<p className="mt-0.5 wrap-anywhere">{job.error.message}</p>
				</div>
			)}
			<h3 className="mt-6 mb-2 flex flex-wrap items-baseline gap-x-2 text-sm font-semibold">
				{t.text}
				{typeof revision === "number" && revision > 0 && (
					<span className="font-normal text-lead">{t.edited(revision)}</span>
				)}
			</h3>
			{text.isError && <Failure error={text.error} onRetry={() => void text.refetch()} />}
			{isDone && text.isPending && <SkeletonText lines={6} />}
			{text.data !== undefined && (
				<p dir="auto" className="font-serif text-base whitespace-pre-line wrap-anywhere">
					{text.data.slice(0, MAX_CHARACTERS)}
					{text.data.length > MAX_CHARACTERS && "…"}
				</p>
			)}
			{!isDone && <p className="text-sm text-soft">{t.noText}</p>}
		</PeekPanel>
	);
}
