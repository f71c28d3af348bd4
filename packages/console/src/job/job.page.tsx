import type { Job } from "@parley/contracts/batch/jobs";
import type { Transcript as TranscriptFile } from "@parley/contracts/batch/transcript";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { isStatus } from "../api/failures.ts";
import { useScope } from "../api/session.ts";
import { liveState } from "../frame/live.ts";
import { jobName } from "../jobs/job-name.ts";
import { isTerminal, JobStatusBadge } from "../jobs/job-status.tsx";
import { jobQuery } from "../jobs/jobs-api.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { useShortcuts } from "../ui/controls/shortcuts.ts";
import { Tabs } from "../ui/controls/tabs.tsx";
import { Time } from "../ui/data/time.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatClock, formatPercent } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page.tsx";
import { Skeleton, SkeletonText } from "../ui/skeleton.tsx";
import { useStore } from "../ui/store.ts";
import { latestRevisionQuery, loadAudioUrl, peaksQuery, transcriptQuery } from "./job-api.ts";
import { JOB_TABS, type JobTab } from "./job-search.ts";
import { DownloadMenu, JobActions } from "./panels/actions.tsx";
import { Deliveries } from "./panels/deliveries.tsx";
import { JobDetails } from "./panels/details.tsx";
import { Insights } from "./panels/insights.tsx";
import { hasSide, TranscriptSide } from "./panels/side.tsx";
import { Translation } from "./panels/translation.tsx";
import { Unfinished } from "./panels/unfinished.tsx";
import { PlayerBar } from "./player/player-bar.tsx";
import { findSilences } from "./player/silences.ts";
import { usePlayer } from "./player/use-player.ts";
import type { Marks } from "./player/waveform.tsx";
import { texts } from "./texts.ts";
import { findHits, hitFrom } from "./transcript/find.ts";
import { type Reading, toReading, voiceColour, wordAt } from "./transcript/paragraphs.ts";
import { Transcript, type TranscriptHandle } from "./transcript/transcript.tsx";
import { TranscriptToolbar } from "./transcript/transcript-toolbar.tsx";

const route = getRouteApi("/shell/jobs/$jobId");
const POLL_MS = 2_000;

/** A job: its recording and its words in step, and everything else that is known of it. */
export function JobPage() {
	const { jobId } = route.useParams();
	const isLive = useStore(liveState) === "live";
	const job = useQuery({
		...jobQuery(jobId),
		refetchInterval: ({ state }) =>
			!isLive && state.data && !isTerminal(state.data.status) ? POLL_MS : false,
	});
	if (isStatus(job.error, 404))
		return (
			<EmptyState
				icon={icons.jobs}
				title={texts.notFoundTitle}
				action={<ButtonLink to="/jobs">{texts.toJobs}</ButtonLink>}
			>
				{texts.notFound}
			</EmptyState>
		);
	if (job.isError && !job.data) return <Failure error={job.error} onRetry={() => void job.refetch()} />;
	if (!job.data) return <JobSkeleton />;
	return <LoadedJob key={jobId} job={job.data} />;
}

function LoadedJob({ job }: { job: Job }) {
	const isDone = job.status === "DONE";
	const revision = useQuery({ ...latestRevisionQuery(job.job_id), enabled: isDone });
	const number = revision.data?.revision ?? 0;
	const transcript = useQuery({
		...transcriptQuery(job.job_id, number),
		enabled: isDone && !revision.isPending,
	});
	const mayWrite = useScope("batch:write");
	const { duration_seconds: seconds } = job.input_metadata;
	const output = job.output_metadata;
	const facts = [
		seconds !== null && formatClock(seconds),
		job.model_code,
		output && texts.words(output.word_count),
		output?.coverage != null && `${texts.coverage} ${formatPercent(output.coverage)}`,
	].filter(Boolean);
	return (
		<>
			<PageHeader
				title={jobName(job)}
				before={
					<Link
						to="/jobs"
						className="mb-1 inline-flex items-center gap-1 rounded-sm text-sm text-soft hover:text-ink"
					>
						{icons.left}
						{texts.back}
					</Link>
				}
				description={
					<span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1">
						<JobStatusBadge job={job} />
						<span className="tabular">{facts.join(" · ")}</span>
						<Time value={job.submitted_at} />
						{number > 0 && <span className="text-lead">{texts.edited(number)}</span>}
					</span>
				}
				actions={
					<>
						{isDone && transcript.data && <DownloadMenu job={job} revision={number} />}
						{isDone && mayWrite && transcript.data && (
							<ButtonLink to="/jobs/$jobId/edit" params={{ jobId: job.job_id }} look="lead">
								{icons.edit}
								{texts.edit}
							</ButtonLink>
						)}
						<JobActions job={job} />
					</>
				}
			/>
			{!isDone && <Unfinished job={job} />}
			{isDone && transcript.isError && (
				<Failure error={transcript.error} onRetry={() => void transcript.refetch()} />
			)}
			{isDone && transcript.isPending && <SkeletonText lines={9} />}
			{isDone && transcript.data ? (
				<Listen job={job} transcript={transcript.data} />
			) : (
				<JobTabs job={job} transcript={undefined} reading={undefined} seek={() => {}} />
			)}
		</>
	);
}

/** The recording above its words. */
function Listen({ job, transcript }: { job: Job; transcript: TranscriptFile }) {
	const { t: sentenceAt, find } = route.useSearch();
	const reading = useMemo(() => toReading(transcript.results), [transcript]);
	// A search leads to the sentence; the recording starts at its first found word.
	const startAt = useMemo(() => {
		if (sentenceAt === undefined || !find) return sentenceAt;
		return findHits(reading.paragraphs, find).find(({ start }) => start >= sentenceAt)?.start ?? sentenceAt;
	}, [reading, sentenceAt, find]);
	const peaks = useQuery(peaksQuery(job.job_id));
	const player = usePlayer(() => loadAudioUrl(job.job_id), startAt);
	const [isFollowing, setFollowing] = useState(true);
	const [found, setFound] = useState<number[]>([]);
	const handle = useRef<TranscriptHandle>(null);
	const duration = job.input_metadata.duration_seconds ?? transcript.job.duration ?? 0;

	const channels = useMemo(() => peaks.data?.channels.map((channel) => channel.peaks) ?? [], [peaks.data]);
	const colours = useMemo(() => {
		const labels = peaks.data?.channels.map(({ label }) => label) ?? [];
		const areVoices =
			labels.length > 0 && labels.every((label) => label !== null && reading.voices.includes(label));
		return areVoices ? labels.map((label) => voiceColour(reading.voices, label ?? "")) : undefined;
	}, [peaks.data, reading]);
	useEffect(() => {
		if (peaks.data) player?.setSilences(findSilences(channels, peaks.data.perSecond));
	}, [player, channels, peaks.data]);
	const marks = useMemo<Marks>(
		() => ({
			chapters: transcript.chapters?.map(({ start_time, title }) => ({ start: start_time, title })) ?? [],
			gaps:
				transcript.metadata.missing?.map(({ start_time, end_time }) => ({
					start: start_time,
					end: end_time,
				})) ?? [],
			removed: transcript.metadata.removed?.map(({ start_time }) => start_time) ?? [],
			found,
		}),
		[transcript, found],
	);
	if (!player) return null;
	return (
		<>
			<PlayerBar
				player={player}
				duration={duration}
				channels={channels}
				colours={colours}
				marks={marks}
				isFollowing={isFollowing}
				onFollow={setFollowing}
				loopTarget={() => handle.current?.selectedSpan()}
			/>
			<div className="mt-3">
				<JobTabs job={job} transcript={transcript} reading={reading} seek={player.seek}>
					<ReadTab
						transcript={transcript}
						reading={reading}
						player={player}
						isFollowing={isFollowing}
						onFollow={setFollowing}
						onFound={setFound}
						handle={handle}
					/>
				</JobTabs>
			</div>
		</>
	);
}

type TabsProps = {
	job: Job;
	transcript: TranscriptFile | undefined;
	reading: Reading | undefined;
	seek: (time: number, play?: boolean) => void;
	/** The words; absent while there are none. */
	children?: React.ReactNode;
};

function JobTabs({ job, transcript, reading, seek, children }: TabsProps) {
	const { tab } = route.useSearch();
	const navigate = useNavigate({ from: "/jobs/$jobId" });
	const hasTranslation = Object.keys(transcript?.translations ?? {}).length > 0;
	const offered = JOB_TABS.filter(
		(id) =>
			(transcript || id === "deliveries" || id === "details") && (id !== "translation" || hasTranslation),
	);
	if (!transcript) offered.reverse();
	const current: JobTab = tab && offered.includes(tab) ? tab : (offered[0] ?? "details");
	const choose = (chosen: JobTab) =>
		void navigate({
			search: (old) => ({ ...old, tab: chosen === offered[0] ? undefined : chosen }),
			replace: true,
			resetScroll: false,
		});
	return (
		<Tabs
			label={texts.tabs.label}
			tabs={offered.map((id) => ({ id, label: texts.tabs[id] }))}
			current={current}
			onChange={choose}
		>
			{/* The words stay, so that neither place nor search is lost while another part is read. */}
			<div hidden={current !== "transcript"}>{children}</div>
			{current === "insights" && transcript && <Insights transcript={transcript} seek={seek} />}
			{current === "translation" && transcript && reading && (
				<Translation transcript={transcript} reading={reading} seek={seek} />
			)}
			{current === "deliveries" && <Deliveries jobId={job.job_id} />}
			{current === "details" && <JobDetails job={job} transcript={transcript} />}
		</Tabs>
	);
}

type ReadProps = {
	transcript: TranscriptFile;
	reading: Reading;
	player: NonNullable<ReturnType<typeof usePlayer>>;
	isFollowing: boolean;
	onFollow: (isFollowing: boolean) => void;
	onFound: (times: number[]) => void;
	handle: React.RefObject<TranscriptHandle | null>;
};

const THRESHOLD_KEY = "parley:unsure-below";
/** What is typed reaches the URL when it pauses. */
const URL_DELAY_MS = 300;

function ReadTab({ transcript, reading, player, isFollowing, onFollow, onFound, handle }: ReadProps) {
	const { find: inUrl = "", t: startAt = 0 } = route.useSearch();
	const navigate = useNavigate({ from: "/jobs/$jobId" });
	const field = useRef<HTMLInputElement>(null);
	const [find, setFind] = useState(inUrl);
	const searched = useDeferredValue(find);
	const [threshold, setThreshold] = useState(() => Number(localStorage.getItem(THRESHOLD_KEY) ?? 0.5) || 0);
	const hits = useMemo(() => findHits(reading.paragraphs, searched.trim()), [reading, searched]);
	const [hitAt, setHitAt] = useState(() => hitFrom(hits, startAt));
	useEffect(() => onFound(hits.map(({ start }) => start)), [hits, onFound]);
	const unsure = useMemo(
		() =>
			reading.paragraphs.flatMap(({ words }) =>
				words.filter(({ confidence }) => confidence !== null && confidence < threshold),
			),
		[reading, threshold],
	);
	const hasConfidence = useMemo(
		() => reading.paragraphs.some(({ words }) => words.some(({ confidence }) => confidence !== null)),
		[reading],
	);
	const changeFind = (text: string) => {
		setFind(text);
		setHitAt(0);
	};
	useEffect(() => {
		if (searched.trim() === inUrl) return;
		const timer = setTimeout(
			() =>
				void navigate({
					search: (old) => ({ ...old, find: searched.trim() || undefined }),
					...{ replace: true, resetScroll: false },
				}),
			URL_DELAY_MS,
		);
		return () => clearTimeout(timer);
	}, [searched, inUrl, navigate]);
	const stepHit = (step: 1 | -1) => {
		const next = (hitAt + step + hits.length) % Math.max(1, hits.length);
		setHitAt(next);
		const hit = hits[next];
		if (hit) player.seek(hit.start);
	};
	const nextUnsure = () => {
		const now = player.media.currentTime;
		const next = unsure.find(({ start }) => start > now + 0.05) ?? unsure[0];
		if (!next) return;
		player.seek(next.start);
		const place = reading.places[wordAt(reading.starts, next.start)];
		if (place) handle.current?.reveal(place.paragraph);
	};
	useShortcuts([
		{ keys: "/", label: texts.transcript.find, group: texts.player.group, run: () => field.current?.focus() },
		{ keys: "n", label: texts.transcript.nextUnsure, group: texts.player.group, run: nextUnsure },
	]);
	if (reading.places.length === 0)
		return (
			<EmptyState icon={icons.jobs} title={texts.noWords}>
				{texts.noWordsHint}
			</EmptyState>
		);
	const isWide = hasSide(transcript, reading);
	return (
		<div className={isWide ? "grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_15rem]" : undefined}>
			<section aria-label={texts.transcript.region} className="min-w-0">
				<TranscriptToolbar
					find={find}
					onFind={changeFind}
					field={field}
					hitCount={hits.length}
					hitAt={hitAt}
					onStep={stepHit}
					unsure={
						hasConfidence
							? {
									threshold,
									count: unsure.length,
									onThreshold: (value) => {
										setThreshold(value);
										localStorage.setItem(THRESHOLD_KEY, String(value));
									},
									onNext: nextUnsure,
								}
							: undefined
					}
				/>
				<Transcript
					reading={reading}
					player={player}
					hits={hits}
					hit={hits[hitAt]}
					threshold={threshold}
					isFollowing={isFollowing}
					onFollow={onFollow}
					handle={handle}
					lang={transcript.metadata.languages[0]}
				/>
			</section>
			{isWide && (
				<div className="lg:sticky lg:top-44 lg:max-h-[calc(100dvh-12rem)] lg:self-start lg:overflow-y-auto">
					<TranscriptSide transcript={transcript} reading={reading} seek={player.seek} />
				</div>
			)}
		</div>
	);
}

const JobSkeleton = () => (
	<div>
		<Skeleton className="mb-2 h-5 w-16" />
		<Skeleton className="mb-3 h-7 w-72 max-w-full" />
		<Skeleton className="mb-6 h-5 w-96 max-w-full" />
		<Skeleton className="mb-8 h-24 w-full" />
		<SkeletonText lines={8} />
	</div>
);
