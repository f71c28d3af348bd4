import type { Job } from "@parley/contracts/batch/jobs";
import type { Revision } from "@parley/contracts/batch/revisions";
import type { RemovedWord, Transcript } from "@parley/contracts/batch/transcript";
import { useQuery } from "@tanstack/react-query";
import { Link, useBlocker } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useScope } from "../api/session.ts";
import { loadAudioUrl, peaksQuery } from "../job/job-api.ts";
import { PlayerBar } from "../job/player/player-bar.tsx";
import { usePlayer } from "../job/player/use-player.ts";
import type { Marks } from "../job/player/waveform.tsx";
import type { Hit } from "../job/transcript/find.ts";
import { type Reading, toReading, voiceColour, type Word, wordAt } from "../job/transcript/paragraphs.ts";
import { revealText } from "../job/transcript/reveal-text.ts";
import { jobName } from "../jobs/job-name.ts";
import { useShortcuts } from "../ui/controls/shortcuts.ts";
import { icons } from "../ui/icons.tsx";
import { Confirm } from "../ui/overlays/dialog.tsx";
import { PageHeader } from "../ui/page.tsx";
import { runsOf } from "./draft/draft.ts";
import { useDraft } from "./draft/use-draft.ts";
import { EditorActions, EditorTools } from "./editor-tools.tsx";
import { FindReplace } from "./find-replace.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { ParagraphEditor, setCaret } from "./paragraph-editor.tsx";
import { ReviewBar } from "./review-bar.tsx";
import { texts } from "./texts.ts";
import { useEditorPaint } from "./use-editor-paint.ts";
import { useSave } from "./use-save.ts";

const HistoryDialog = lazy(() => import("./history-dialog.tsx").then((m) => ({ default: m.HistoryDialog })));
const SpeakersDialog = lazy(() =>
	import("./speakers-dialog.tsx").then((m) => ({ default: m.SpeakersDialog })),
);
const NewSpeakerDialog = lazy(() =>
	import("./speakers-dialog.tsx").then((m) => ({ default: m.NewSpeakerDialog })),
);

type Props = { job: Job; revision: Revision; transcript: Transcript };
type Overlay = { kind: "history" } | { kind: "speakers" } | { kind: "new-speaker"; ranges: Range[] };
type Range = { start: number; end: number };

const NO_HITS: readonly Hit[] = [];

/** Corrects a transcript paragraph by paragraph. Saving makes a new revision. */
export function Editor({ job, revision, transcript }: Props) {
	const reading = useMemo(() => toReading(transcript.results), [transcript]);
	const { paragraphs, voices } = reading;
	const mayWrite = useScope("batch:write");
	const editing = useDraft(job.job_id, revision.revision, reading);
	const { draft } = editing;
	const saving = useSave(job, revision, reading, editing.reset);
	const player = usePlayer(() => loadAudioUrl(job.job_id), undefined);
	const peaks = useQuery(peaksQuery(job.job_id));
	const box = useRef<HTMLDivElement>(null);
	const [isFinding, setFinding] = useState(false);
	const [isReviewing, setReviewing] = useState(false);
	const [overlay, setOverlay] = useState<Overlay>();
	const [{ hits, hit }, setFound] = useState<{ hits: readonly Hit[]; hit: Hit | undefined }>({
		hits: NO_HITS,
		hit: undefined,
	});
	const isDirty = draft.size > 0;
	const leaving = useBlocker({
		shouldBlockFn: () => isDirty,
		enableBeforeUnload: isDirty,
		withResolver: true,
	});

	const current = useMemo(
		() =>
			draft.size === 0
				? paragraphs
				: paragraphs.map((paragraph, place) => ({ ...paragraph, text: draft.get(place) ?? paragraph.text })),
		[paragraphs, draft],
	);
	useEditorPaint({ box, reading, draft, player, hits, hit, isReviewing });
	const onHits = useCallback(
		(found: readonly Hit[], at: Hit | undefined) => setFound({ hits: found, hit: at }),
		[],
	);
	const save = () => void saving.save(draft);
	const group = texts.group;
	useShortcuts([
		{ keys: "mod+s", label: texts.save, group, isGlobal: true, run: save },
		{ keys: "mod+z", label: texts.undo, group, isGlobal: true, run: editing.undo },
		{ keys: "mod+shift+z", label: texts.redo, group, isGlobal: true, run: editing.redo },
		{ keys: "mod+y", label: texts.redo, group, isGlobal: true, run: editing.redo },
		{ keys: "mod+h", label: texts.findReplace, group, isGlobal: true, run: () => setFinding(true) },
		{ keys: "mod+enter", label: texts.playPause, group, isGlobal: true, run: () => player?.toggle() },
	]);

	const play = useCallback((time: number) => player?.seek(time, true), [player]);
	// The rows keep their handlers while somebody types, so that only one of them renders.
	const latest = useRef({ draft, saveSpeakers: saving.saveSpeakers });
	latest.current = { draft, saveSpeakers: saving.saveSpeakers };
	const assign = useCallback(
		(place: number, voice: string | undefined) => {
			const ranges = selectedRanges(reading, place);
			if (voice === undefined) return setOverlay({ kind: "new-speaker", ranges });
			const change = { assign: ranges.map((range) => ({ ...range, speaker: voice })) };
			void latest.current.saveSpeakers(latest.current.draft, change);
		},
		[reading],
	);
	const showWord = (word: Word, place: number) => {
		player?.seek(word.start);
		const element = box.current?.querySelector<HTMLElement>(`[data-p="${place}"]`);
		if (!element) return;
		revealText(element, word.from, word.to);
		setCaret(element, word.from, word.to);
	};
	const showTime = ({ start_time: time }: RemovedWord) => {
		player?.seek(time);
		const place = reading.places[Math.max(0, wordAt(reading.starts, time))];
		if (place)
			box.current?.querySelector(`[data-p="${place.paragraph}"]`)?.scrollIntoView({ block: "center" });
	};
	const insert = ({ start_time: time, content }: RemovedWord) => {
		const place = reading.places[Math.max(0, wordAt(reading.starts, time))];
		const paragraph = place && paragraphs[place.paragraph];
		const word = place && paragraph?.words[place.word];
		if (!place || !paragraph || !word) return;
		const text = draft.get(place.paragraph) ?? paragraph.text;
		const at = text.startsWith(paragraph.text.slice(0, word.tokenTo)) ? word.tokenTo : text.length;
		editing.writeAll(new Map([[place.paragraph, `${text.slice(0, at)} ${content}${text.slice(at)}`]]));
	};
	const duration = job.input_metadata.duration_seconds ?? transcript.job.duration ?? 0;
	const channels = useMemo(() => peaks.data?.channels.map((channel) => channel.peaks) ?? [], [peaks.data]);
	const marks = useMemo<Marks>(
		() => ({
			chapters: [],
			gaps:
				transcript.metadata.missing?.map(({ start_time, end_time }) => ({
					start: start_time,
					end: end_time,
				})) ?? [],
			removed: transcript.metadata.removed?.map(({ start_time }) => start_time) ?? [],
			found: hits.map(({ start }) => start),
		}),
		[transcript, hits],
	);
	return (
		<>
			<PageHeader
				title={texts.title(jobName(job))}
				before={
					<Link
						to="/jobs/$jobId"
						params={{ jobId: job.job_id }}
						className="mb-1 inline-flex items-center gap-1 rounded-sm text-sm text-soft hover:text-ink"
					>
						{icons.left}
						{texts.back}
					</Link>
				}
				description={
					<span role="status">
						{texts.revision(revision.revision)} ·{" "}
						{isDirty ? <span className="text-lead">{texts.unsaved(draft.size)}</span> : texts.saved}
					</span>
				}
			/>
			{player && (
				<PlayerBar
					player={player}
					duration={duration}
					channels={channels}
					marks={marks}
					loopTarget={() => {
						const place = reading.places[Math.max(0, wordAt(reading.starts, player.media.currentTime))];
						return place && paragraphs[place.paragraph];
					}}
				>
					<EditorTools
						isFinding={isFinding}
						isReviewing={isReviewing}
						onFind={() => setFinding(!isFinding)}
						onReview={() => setReviewing(!isReviewing)}
						onSpeakers={() => setOverlay({ kind: "speakers" })}
						onHistory={() => setOverlay({ kind: "history" })}
						actions={
							<EditorActions
								canUndo={editing.canUndo}
								canRedo={editing.canRedo}
								onUndo={editing.undo}
								onRedo={editing.redo}
								canSave={isDirty && mayWrite}
								isSaving={saving.isSaving}
								onSave={save}
							/>
						}
					/>
					{isFinding && (
						<FindReplace
							paragraphs={current}
							onHits={onHits}
							onReplace={editing.writeAll}
							onClose={() => setFinding(false)}
						/>
					)}
					{isReviewing && (
						<ReviewBar
							reading={reading}
							removed={transcript.metadata.removed ?? []}
							onWord={showWord}
							onRemoved={showTime}
							onInsert={insert}
							onClose={() => setReviewing(false)}
						/>
					)}
				</PlayerBar>
			)}
			<div ref={box} lang={transcript.metadata.languages[0]} className="mt-4">
				{paragraphs.map((paragraph, place) => (
					<ParagraphEditor
						key={`${revision.revision} ${paragraph.start} ${paragraph.words[0]?.index}`}
						paragraph={paragraph}
						place={place}
						text={draft.get(place) ?? paragraph.text}
						isChanged={draft.has(place)}
						colour={voiceColour(voices, paragraph.voice)}
						voices={voices}
						isReadOnly={!mayWrite}
						onWrite={editing.type}
						onVoice={assign}
						onPlay={play}
					/>
				))}
			</div>
			<Suspense>
				{overlay?.kind === "history" && <HistoryDialog job={job} onClose={() => setOverlay(undefined)} />}
				{overlay?.kind === "speakers" && (
					<SpeakersDialog
						reading={reading}
						isBusy={saving.isSaving}
						onRename={(rename) =>
							void saving.saveSpeakers(draft, { rename }).then((saved) => saved && setOverlay(undefined))
						}
						onClose={() => setOverlay(undefined)}
					/>
				)}
				{overlay?.kind === "new-speaker" && (
					<NewSpeakerDialog
						onAdd={(speaker) => {
							const assigned = overlay.ranges.map((range) => ({ ...range, speaker }));
							setOverlay(undefined);
							void saving.saveSpeakers(draft, { assign: assigned });
						}}
						onClose={() => setOverlay(undefined)}
					/>
				)}
			</Suspense>
			{saving.pending && (
				<MergeDialog
					{...saving.pending}
					onMerge={(merged, andSave) => void saving.finishMerge(merged, andSave)}
					onClose={saving.leaveMerge}
				/>
			)}
			{leaving.status === "blocked" && (
				<Confirm
					title={texts.leave}
					description={texts.leaveText}
					action={texts.leaveAction}
					isDangerous
					onConfirm={() => {
						editing.reset(new Map());
						leaving.proceed();
					}}
					onClose={leaving.reset}
				/>
			)}
		</>
	);
}

/** Returns the words of a paragraph that are selected, or all of them when none is. */
function selectedRanges({ paragraphs }: Reading, place: number): Range[] {
	const words = paragraphs[place]?.words ?? [];
	const element = document.querySelector(`[data-p="${place}"]`);
	const selection = getSelection();
	const text = element?.firstChild;
	if (
		!selection ||
		selection.isCollapsed ||
		!text ||
		selection.anchorNode !== text ||
		selection.focusNode !== text
	)
		return runsOf(words);
	const [from, to] = [selection.anchorOffset, selection.focusOffset].sort((a, b) => a - b) as [
		number,
		number,
	];
	const selected = words.filter((word) => word.tokenTo > from && word.tokenFrom < to);
	return runsOf(selected.length > 0 ? selected : words);
}
