import type { Job } from "@parley/contracts/batch/jobs";
import { Time } from "../../ui/data/time.tsx";
import { formatPercent } from "../../ui/format.ts";
import { icons } from "../../ui/icons.tsx";
import { texts } from "../texts.ts";

/** What a job without a transcript shows in its place: progress, or why there is none. */
export function Unfinished({ job }: { job: Job }) {
	if (job.status === "FAILED")
		return (
			<div role="alert" className="mb-6 flex gap-3 rounded-lg border border-bad/30 bg-bad-wash p-4 text-sm">
				<span className="mt-0.5 text-bad">{icons.warning}</span>
				<div className="min-w-0">
					<p className="font-medium">{texts.failedTitle}</p>
					{job.error && (
						<>
							<p className="mt-0.5 wrap-anywhere">{job.error.message}</p>
							<p className="mt-1.5 text-xs text-soft">
								<code className="font-mono">{job.error.code}</code> ·{" "}
								{job.error.retryable ? texts.failedRetryable : texts.failedFinal}
							</p>
						</>
					)}
				</div>
			</div>
		);
	if (job.status === "CANCELLED" || job.status === "DONE")
		return (
			<div className="mb-6 rounded-lg border border-line bg-raised p-4 text-sm">
				<p className="font-medium">{texts.cancelledTitle}</p>
				<p className="text-soft">{texts.cancelledText}</p>
			</div>
		);
	const isDecoding = job.status === "DECODING";
	return (
		<div className="mb-6 rounded-lg border border-line bg-raised p-4 text-sm shadow-edge" role="status">
			<p className="font-medium">{texts.running[job.status]}</p>
			<p className="text-soft">{texts.runningHint}</p>
			<div
				role="progressbar"
				aria-label={texts.progress}
				aria-valuemin={0}
				aria-valuemax={100}
				{...(isDecoding && { "aria-valuenow": Math.round(job.progress * 100) })}
				className="mt-3 h-1.5 overflow-hidden rounded-full bg-sunken"
			>
				<div
					className={
						isDecoding
							? "h-full rounded-full bg-lead transition-[width]"
							: "pulse h-full w-full bg-line-strong"
					}
					style={isDecoding ? { width: `${Math.max(2, job.progress * 100)}%` } : undefined}
				/>
			</div>
			{isDecoding && <p className="tabular mt-1.5 text-xs text-soft">{formatPercent(job.progress)}</p>}
			{job.last_error && (
				<p className="mt-3 text-warn">
					{texts.retries(job.attempts)} {job.last_error.message}{" "}
					{job.next_attempt_at && <Time value={job.next_attempt_at} />}
				</p>
			)}
		</div>
	);
}
