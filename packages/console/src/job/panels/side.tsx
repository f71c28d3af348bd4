import type { Transcript } from "@parley/contracts/batch/transcript";
import { useMemo } from "react";
import { classes } from "../../ui/classes.ts";
import { formatClock, formatLength, formatPercent } from "../../ui/format.ts";
import { icons } from "../../ui/icons.tsx";
import { texts } from "../texts.ts";
import { type Reading, voiceColour, voiceName } from "../transcript/paragraphs.ts";
import { VOICE_CLASSES } from "../transcript/transcript.tsx";

type Seek = (time: number, play?: boolean) => void;
type Props = { transcript: Transcript; reading: Reading; seek: Seek };

const SHOWN_REMOVED = 12;

/** What there is to know beside the words: who speaks, chapters, gaps, removed words. */
export function TranscriptSide({ transcript, reading, seek }: Props) {
	const { metadata, chapters } = transcript;
	const gaps = metadata.missing ?? [];
	const removed = metadata.removed ?? [];
	const hiddenRemoved = (metadata.removed_count ?? removed.length) - SHOWN_REMOVED;
	const hasChannels = transcript.results.some(({ channel }) => channel !== undefined);
	return (
		<aside aria-label={texts.side.label} className="space-y-7 text-sm">
			{reading.voices.length > 0 && <Voices reading={reading} hasChannels={hasChannels} seek={seek} />}
			{chapters && chapters.length > 0 && (
				<Part title={texts.chapters}>
					<ol className="-mx-2">
						{chapters.map(({ title, start_time }) => (
							<li key={`${start_time}${title}`}>
								<Jump time={start_time} seek={seek}>
									{title}
								</Jump>
							</li>
						))}
					</ol>
				</Part>
			)}
			{metadata.warnings.length > 0 && (
				<Part title={texts.warnings}>
					<ul className="space-y-1.5">
						{metadata.warnings.map((warning) => (
							<li key={warning} className="flex gap-2 text-warn">
								<span className="mt-0.5">{icons.warning}</span>
								<span className="wrap-anywhere">{warning}</span>
							</li>
						))}
					</ul>
				</Part>
			)}
			{gaps.length > 0 && (
				<Part title={texts.gaps.title} hint={texts.gaps.hint}>
					<ul className="-mx-2">
						{gaps.map(({ start_time, end_time }) => (
							<li key={start_time}>
								<Jump time={start_time} seek={seek} mark="bg-warn">
									{formatLength(end_time - start_time)}
								</Jump>
							</li>
						))}
					</ul>
				</Part>
			)}
			{removed.length > 0 && (
				<Part title={texts.removed.title} hint={texts.removed.hint}>
					<ul className="-mx-2">
						{removed.slice(0, SHOWN_REMOVED).map(({ start_time, content }, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: two removed words may be alike
							<li key={index}>
								<Jump time={start_time} seek={seek} mark="bg-bad">
									<s dir="auto">{content}</s>
								</Jump>
							</li>
						))}
					</ul>
					{hiddenRemoved > 0 && <p className="mt-1 text-soft">{texts.removed.more(hiddenRemoved)}</p>}
				</Part>
			)}
		</aside>
	);
}

/** Whether there is anything to show beside the words. */
export const hasSide = ({ metadata, chapters }: Transcript, { voices }: Reading): boolean =>
	[voices, chapters, metadata.missing, metadata.removed, metadata.warnings].some(
		(list) => list && list.length > 0,
	);

function Voices({ reading, hasChannels, seek }: { reading: Reading; hasChannels: boolean; seek: Seek }) {
	const { paragraphs, voices, places } = reading;
	const shares = useMemo(() => {
		const counts = new Map<string, number>();
		for (const { voice, words } of paragraphs) counts.set(voice, (counts.get(voice) ?? 0) + words.length);
		const total = Math.max(1, places.length);
		return voices.map((voice) => ({
			voice,
			share: (counts.get(voice) ?? 0) / total,
			start: paragraphs.find((paragraph) => paragraph.voice === voice)?.start ?? 0,
		}));
	}, [paragraphs, voices, places]);
	return (
		<Part title={hasChannels ? texts.side.channels : texts.side.speakers}>
			<ul className="-mx-2">
				{shares.map(({ voice, share, start }) => {
					const colour = VOICE_CLASSES[voiceColour(voices, voice) - 1];
					return (
						<li key={voice}>
							<button
								type="button"
								onClick={() => seek(start)}
								className="block w-full cursor-pointer rounded-md px-2 py-1.5 text-left hover:bg-hover"
							>
								<span className="flex justify-between gap-3">
									<span dir="auto" className={classes("truncate font-medium", colour)}>
										{voiceName(voice)}
									</span>
									<span className="tabular text-xs text-soft">{formatPercent(share)}</span>
								</span>
								<span className={classes("mt-1 block h-1 rounded-full bg-line", colour)} aria-hidden="true">
									<span
										className="block h-full rounded-full bg-current"
										style={{ width: `${share * 100}%` }}
									/>
								</span>
							</button>
						</li>
					);
				})}
			</ul>
		</Part>
	);
}

type PartProps = { title: string; hint?: string; children: React.ReactNode };

const Part = ({ title, hint, children }: PartProps) => (
	<section aria-label={title}>
		<h2 className="mb-1.5 text-sm font-semibold">{title}</h2>
		{hint && <p className="mb-1.5 text-xs text-soft">{hint}</p>}
		{children}
	</section>
);

type JumpProps = { time: number; seek: Seek; mark?: string; children: React.ReactNode };

/** A line that plays from its time. */
export const Jump = ({ time, seek, mark, children }: JumpProps) => (
	<button
		type="button"
		onClick={() => seek(time, true)}
		className="flex w-full cursor-pointer items-baseline gap-2.5 rounded-md px-2 py-1 text-left hover:bg-hover"
	>
		<span className="tabular shrink-0 font-mono text-xs text-soft">{formatClock(time)}</span>
		{mark && (
			<span className={classes("size-1.5 shrink-0 self-center rounded-full", mark)} aria-hidden="true" />
		)}
		<span className="min-w-0 wrap-anywhere">{children}</span>
	</button>
);
