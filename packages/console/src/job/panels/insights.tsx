import type { Transcript } from "@parley/contracts/batch/transcript";
import type { ExtraError } from "@parley/contracts/batch/transcript-extras";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatClock, formatList } from "../../ui/format.ts";
import { icons } from "../../ui/icons.tsx";
import { Section } from "../../ui/page.tsx";
import { texts } from "../texts.ts";
import { Sentiment } from "./sentiment.tsx";
import { Jump } from "./side.tsx";

const t = texts.insights;
type Props = { transcript: Transcript; seek: (time: number, play?: boolean) => void };

const SHOWN_SEGMENTS = 50;

/** What was made of the transcript: summary, chapters, topics, sentiment, sounds. */
export function Insights({ transcript, seek }: Props) {
	const { summary, chapters, topics, sentiment_analysis: sentiment, audio_events: events } = transcript;
	const problems = extraErrors(transcript);
	if (!summary && !chapters && !topics && !sentiment && !events && problems.length === 0)
		return (
			<EmptyState icon={icons.info} title={t.none}>
				{t.noneHint}
			</EmptyState>
		);
	const madeBy = (name: string) => {
		const engine = transcript.metadata.language_engines?.[name];
		return engine && <span className="text-xs text-soft">{t.by(engine)}</span>;
	};
	return (
		<div className="grid gap-x-10 gap-y-9 lg:grid-cols-2">
			{problems.length > 0 && (
				<div className="rounded-lg bg-warn-wash p-4 text-sm lg:col-span-2">
					<p className="font-medium text-warn">{t.missing}</p>
					<ul className="mt-1 space-y-0.5">
						{problems.map(({ message }) => (
							<li key={message} className="wrap-anywhere">
								{message}
							</li>
						))}
					</ul>
				</div>
			)}
			{summary && (
				<Section title={t.summary} actions={madeBy("summarization")} className="lg:col-span-2">
					<SummaryText content={summary.content} />
				</Section>
			)}
			<div className="space-y-9">
				{chapters && chapters.length > 0 && (
					<Section title={t.chapters} actions={madeBy("auto_chapters")}>
						<ol className="space-y-4">
							{chapters.map((chapter) => (
								<li key={chapter.start_time} className="text-sm">
									<div className="-mx-2 font-medium">
										<Jump time={chapter.start_time} seek={seek}>
											{chapter.title}
										</Jump>
									</div>
									<p dir="auto" className="text-soft wrap-anywhere">
										{chapter.summary}
									</p>
								</li>
							))}
						</ol>
					</Section>
				)}
				{sentiment && (
					<Section title={t.sentiment} actions={madeBy("sentiment_analysis")}>
						<Sentiment sentiment={sentiment} seek={seek} />
					</Section>
				)}
				{events && events.length > 0 && (
					<Section title={t.events} actions={madeBy("audio_events")}>
						<ul className="-mx-2 text-sm">
							{events.map(({ type, start_time, end_time }) => (
								<li key={`${type}${start_time}`}>
									<Jump time={start_time} seek={seek}>
										{t.eventTypes[type]} <span className="text-soft">–{formatClock(end_time)}</span>
									</Jump>
								</li>
							))}
						</ul>
					</Section>
				)}
			</div>
			{topics && (
				<Section title={t.topics} actions={madeBy("topic_detection")}>
					<TopicBars counts={topics.summary.overall} />
					<ul className="-mx-2 mt-4 text-sm">
						{topics.segments.slice(0, SHOWN_SEGMENTS).map((segment, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: segments have no identity
							<li key={index}>
								<Jump time={segment.start_time} seek={seek}>
									<span dir="auto" className="line-clamp-2">
										{segment.text}
									</span>
									<span className="text-xs text-soft">
										{formatList(segment.topics.map(({ topic }) => topic))}
									</span>
								</Jump>
							</li>
						))}
					</ul>
				</Section>
			)}
		</div>
	);
}

function SummaryText({ content }: { content: string }) {
	const lines = content.split("\n").filter((line) => line.trim());
	const isList = lines.length > 0 && lines.every((line) => /^\s*[-•*]\s/.test(line));
	return isList ? (
		<ul dir="auto" className="max-w-[68ch] list-disc space-y-1.5 pl-5 font-serif text-lg">
			{lines.map((line) => (
				<li key={line} className="wrap-anywhere">
					{line.replace(/^\s*[-•*]\s+/, "")}
				</li>
			))}
		</ul>
	) : (
		<div dir="auto" className="max-w-[68ch] space-y-2 font-serif text-lg">
			{lines.map((line) => (
				<p key={line} className="wrap-anywhere">
					{line}
				</p>
			))}
		</div>
	);
}

function TopicBars({ counts }: { counts: Record<string, number> }) {
	const rows = Object.entries(counts).sort(([, a], [, b]) => b - a);
	const most = Math.max(1, ...rows.map(([, count]) => count));
	return (
		<dl className="space-y-2 text-sm">
			{rows.map(([topic, count]) => (
				<div key={topic} className="grid grid-cols-[minmax(6rem,1fr)_2fr_auto] items-center gap-3">
					<dt dir="auto" className="truncate">
						{topic}
					</dt>
					<dd aria-hidden="true" className="h-1.5 rounded-full bg-sunken">
						<span
							className="block h-full rounded-full bg-lead"
							style={{ width: `${(count / most) * 100}%` }}
						/>
					</dd>
					<dd className="tabular text-xs text-soft">{t.segments(count)}</dd>
				</div>
			))}
		</dl>
	);
}

/** Why parts that were asked for are missing. */
function extraErrors({ metadata }: Transcript): ExtraError[] {
	return [
		metadata.summarization_errors,
		metadata.auto_chapters_errors,
		metadata.topic_detection_errors,
		metadata.sentiment_analysis_errors,
		metadata.audio_events_errors,
		metadata.translation_errors,
	].flatMap((errors) => errors ?? []);
}
