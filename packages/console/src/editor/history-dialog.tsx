import type { Job, TranscriptFormat } from "@parley/contracts/batch/jobs";
import type { Revision, RevisionChange } from "@parley/contracts/batch/revisions";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { downloadTranscript } from "../job/job-api.ts";
import { texts as jobTexts } from "../job/texts.ts";
import { voiceName } from "../job/transcript/paragraphs.ts";
import { transcriptName } from "../jobs/bulk.ts";
import { classes } from "../ui/classes.ts";
import { buttonClass } from "../ui/controls/button.tsx";
import { Menu, MenuItem } from "../ui/controls/menu.tsx";
import { Time } from "../ui/data/time.tsx";
import { Failure } from "../ui/failure.tsx";
import { saveFile } from "../ui/files/save-file.ts";
import { formatClock } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { toastFailure } from "../ui/overlays/toast.tsx";
import { SkeletonText } from "../ui/skeleton.tsx";
import { revisionQuery, revisionsQuery } from "./editor-api.ts";
import { texts } from "./texts.ts";

const t = texts.historyDialog;

/** Every revision with its author, what it changed, and its text in any format. */
export function HistoryDialog({ job, onClose }: { job: Job; onClose: () => void }) {
	const revisions = useQuery(revisionsQuery(job.job_id));
	const [chosen, setChosen] = useState<number>();
	const shown = chosen ?? revisions.data?.items[0]?.revision;
	return (
		<Dialog title={t.title} description={t.description} width="large" onClose={onClose}>
			{revisions.isError && <Failure error={revisions.error} onRetry={() => void revisions.refetch()} />}
			{revisions.isPending && <SkeletonText lines={4} />}
			<div className="grid gap-5 pb-4 sm:grid-cols-[17rem_minmax(0,1fr)]">
				<ol className="space-y-1">
					{revisions.data?.items.map((revision) => (
						<li
							key={revision.revision}
							className={classes(
								"relative rounded-md p-2 text-sm",
								revision.revision === shown ? "bg-lead-wash" : "hover:bg-hover",
							)}
						>
							<RevisionLine job={job} revision={revision} onChoose={() => setChosen(revision.revision)} />
						</li>
					))}
				</ol>
				{shown !== undefined && shown > 0 && <Changes jobId={job.job_id} revision={shown} />}
			</div>
		</Dialog>
	);
}

type LineProps = { job: Job; revision: Revision; onChoose: () => void };

function RevisionLine({ job, revision, onChoose }: LineProps) {
	const { words_added, words_removed, words_replaced, words_reassigned } = revision.summary;
	const save = async (format: TranscriptFormat) => {
		try {
			const name = `${transcriptName(job)}-r${revision.revision}.${format}`;
			saveFile(await downloadTranscript(job.job_id, format, revision.revision), name);
		} catch (error) {
			toastFailure(error);
		}
	};
	return (
		<div className="flex items-start gap-2">
			<div className="min-w-0 grow">
				<button type="button" onClick={onChoose} className="row-link cursor-pointer font-medium">
					{texts.revision(revision.revision)}
				</button>
				<p className="truncate text-soft">
					<Time value={revision.created_at} /> {t.by} {revision.author_name ?? t.engine}
				</p>
				<p className="text-xs text-soft">
					{revision.revision > 0 && t.summary(words_added, words_removed, words_replaced, words_reassigned)}
				</p>
				{revision.comment && (
					<p dir="auto" className="mt-0.5 wrap-anywhere">
						{revision.comment}
					</p>
				)}
			</div>
			<div className="relative z-1">
				<Menu
					label={t.download}
					triggerClass={buttonClass({ size: "icon-small", look: "quiet" })}
					trigger={icons.download}
				>
					{(Object.keys(jobTexts.formats) as TranscriptFormat[]).map((format) => (
						<MenuItem key={format} onSelect={() => void save(format)}>
							{jobTexts.formats[format]}
						</MenuItem>
					))}
				</Menu>
			</div>
		</div>
	);
}

function Changes({ jobId, revision }: { jobId: string; revision: number }) {
	const details = useQuery(revisionQuery(jobId, revision));
	if (details.isError) return <Failure error={details.error} onRetry={() => void details.refetch()} />;
	if (!details.data) return <SkeletonText lines={5} />;
	return (
		<section aria-label={t.changes(revision)} className="min-w-0">
			<ul className="divide-y divide-line">
				{details.data.changes.map((change) => (
					<li key={`${change.start} ${change.end} ${change.after}`} className="flex gap-3 py-2 text-sm">
						<span className="tabular mt-1 font-mono text-xs text-soft">{formatClock(change.start_time)}</span>
						<ChangeText change={change} />
					</li>
				))}
			</ul>
			{details.data.changes_truncated && <p className="mt-2 text-sm text-soft">{t.truncated}</p>}
		</section>
	);
}

function ChangeText({ change }: { change: RevisionChange }) {
	const { before, after, speaker_before: from, speaker_after: to } = change;
	return (
		<div dir="auto" className="min-w-0 font-serif text-base wrap-anywhere">
			{before !== after ? (
				<>
					{before && <del className="rounded-sm bg-bad-wash px-0.5 text-bad">{before}</del>}{" "}
					{after && <ins className="rounded-sm bg-good-wash px-0.5 text-good no-underline">{after}</ins>}
				</>
			) : (
				<span className="text-soft">{after}</span>
			)}
			{from !== to && (
				<p className="font-sans text-xs text-soft">
					{t.speaker(voiceName(from ?? "–"), voiceName(to ?? "–"))}
				</p>
			)}
		</div>
	);
}
