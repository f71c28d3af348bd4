import type { SentimentAnalysis } from "@parley/contracts/batch/transcript-extras";
import { Badge } from "../../ui/data/badge.tsx";
import { formatNumber } from "../../ui/format.ts";
import { texts } from "../texts.ts";
import { voiceName } from "../transcript/paragraphs.ts";
import { Jump } from "./side.tsx";

const t = texts.insights;
const SENTIMENTS = ["positive", "neutral", "negative"] as const;
const FILLS = { positive: "bg-good", neutral: "bg-line-strong", negative: "bg-bad" } as const;
const TONES = { positive: "good", neutral: "plain", negative: "bad" } as const;
const SHOWN_SENTENCES = 30;

type Props = { sentiment: SentimentAnalysis; seek: (time: number, play?: boolean) => void };

/** How many sentences are positive, neutral and negative, in all and of each voice, and which they are. */
export function Sentiment({ sentiment, seek }: Props) {
	const { overall, speakers, channels } = sentiment.summary;
	const rows = [
		{ name: t.overall, counts: overall },
		...speakers.map((counts) => ({ name: voiceName(counts.speaker), counts })),
		...channels.map((counts) => ({ name: voiceName(counts.channel), counts })),
	];
	const notable = sentiment.segments
		.filter((segment) => segment.sentiment !== "neutral")
		.slice(0, SHOWN_SENTENCES);
	return (
		<>
			<div className="space-y-3 text-sm">
				{rows.map(({ name, counts }) => {
					const total = Math.max(1, counts.positive_count + counts.neutral_count + counts.negative_count);
					return (
						<div key={name}>
							<p className="mb-1 flex justify-between gap-3">
								<span className="truncate">{name}</span>
								<span className="tabular text-xs text-soft">
									{SENTIMENTS.map(
										(kind) => `${t.sentimentOf[kind]} ${formatNumber(counts[`${kind}_count`])}`,
									).join(" · ")}
								</span>
							</p>
							<div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-full bg-sunken">
								{SENTIMENTS.map((kind) => (
									<span
										key={kind}
										className={FILLS[kind]}
										style={{ width: `${(counts[`${kind}_count`] / total) * 100}%` }}
									/>
								))}
							</div>
						</div>
					);
				})}
			</div>
			<ul className="-mx-2 mt-4 text-sm">
				{notable.map((segment, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: sentences have no identity
					<li key={index}>
						<Jump time={segment.start_time} seek={seek}>
							<Badge tone={TONES[segment.sentiment]}>{t.sentimentOf[segment.sentiment]}</Badge>{" "}
							<span dir="auto">{segment.text}</span>
						</Jump>
					</li>
				))}
			</ul>
		</>
	);
}
