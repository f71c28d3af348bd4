import type { SearchedJob, SearchHit } from "@parley/contracts/batch/search";
import { Link } from "@tanstack/react-router";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/controls/button.tsx";
import { Time } from "../ui/data/time.tsx";
import { formatClock } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { toPieces, wordsToFind } from "./marks.ts";
import { texts } from "./texts.ts";
import type { ClipState } from "./use-clip-player.ts";

type Props = {
	job: SearchedJob;
	playing: ClipState;
	onToggle: (hit: SearchHit, index: number) => void;
};

/** A recording with the sentences in which the words were found. */
export function FoundJob({ job, playing, onToggle }: Props) {
	const name = job.title?.trim() || job.job_id;
	const [first] = job.hits;
	return (
		<article aria-label={name}>
			<h2 className="flex flex-wrap items-baseline gap-x-3 border-b border-line-strong pb-1.5 text-sm">
				<Link
					to="/jobs/$jobId"
					params={{ jobId: job.job_id }}
					className="min-w-0 truncate font-semibold hover:underline"
				>
					{name}
				</Link>
				<span className="font-normal text-soft">
					<Time value={job.submitted_at} />
					{job.duration_seconds !== null && ` · ${formatClock(job.duration_seconds)}`}
				</span>
			</h2>
			<ul>
				{job.hits.map((hit, index) => (
					<Hit
						key={`${hit.start_time}-${hit.text}`}
						jobId={job.job_id}
						index={index}
						hit={hit}
						progress={playing.id === `${job.job_id}-${index}` ? playing.progress : undefined}
						onToggle={() => onToggle(hit, index)}
					/>
				))}
			</ul>
			{job.has_more_hits && first && (
				<Link
					to="/jobs/$jobId"
					params={{ jobId: job.job_id }}
					search={{ find: wordsToFind(first) }}
					className="mt-2 ml-22 inline-block text-sm text-lead underline underline-offset-2 max-sm:ml-9"
				>
					{texts.moreInJob}
				</Link>
			)}
		</article>
	);
}

type HitProps = {
	jobId: string;
	index: number;
	hit: SearchHit;
	/** How much of it has been played; undefined while it does not play. */
	progress: number | undefined;
	onToggle: () => void;
};

function Hit({ jobId, index, hit, progress, onToggle }: HitProps) {
	const isPlaying = progress !== undefined;
	return (
		<li
			data-hit={index}
			data-job-id={jobId}
			className={classes(
				"group relative flex items-start gap-x-2 border-b border-line py-2 transition-colors focus-within:bg-hover hover:bg-hover",
				isPlaying && "bg-hover",
			)}
		>
			<IconButton
				label={isPlaying ? texts.stop : texts.play(hit.text)}
				icon={isPlaying ? icons.pause : icons.play}
				size="icon-small"
				onClick={onToggle}
				className={classes("relative z-1", isPlaying && "text-now")}
			/>
			<span className="tabular w-13 shrink-0 pt-1 text-right text-xs text-soft max-sm:hidden">
				{formatClock(hit.start_time)}
			</span>
			<Link
				to="/jobs/$jobId"
				params={{ jobId }}
				search={{ t: hit.start_time, find: wordsToFind(hit) }}
				data-row-link=""
				className="row-link min-w-0 grow pl-1"
			>
				<span className="tabular block font-sans text-xs text-soft sm:hidden">
					{formatClock(hit.start_time)}
				</span>
				{hit.speaker && <span className="mr-2 font-sans text-xs font-medium text-soft">{hit.speaker}</span>}
				<span dir="auto" className="font-serif text-base wrap-anywhere">
					{toPieces(hit).map(({ text, isMarked, start }) =>
						isMarked ? (
							<mark
								key={start}
								className="rounded-sm bg-lead-wash px-px text-ink underline decoration-lead underline-offset-2"
							>
								{text}
							</mark>
						) : (
							text
						),
					)}
				</span>
			</Link>
			{isPlaying && (
				<span
					aria-hidden="true"
					className="absolute inset-x-0 -bottom-px h-0.5 origin-left bg-now transition-transform duration-200 ease-linear"
					style={{ transform: `scaleX(${progress})` }}
				/>
			)}
		</li>
	);
}
