import type { Transcript } from "@parley/contracts/batch/transcript";
import { useState } from "react";
import { Select } from "../../ui/controls/field.tsx";
import { formatClock } from "../../ui/format.ts";
import { texts } from "../texts.ts";
import { type Reading, voiceName, wordAt } from "../transcript/paragraphs.ts";

const t = texts.translation;
const names = new Intl.DisplayNames(undefined, { type: "language" });

type Props = {
	transcript: Transcript;
	reading: Reading;
	seek: (time: number, play?: boolean) => void;
};

/** The transcript and a translation side by side, sentence by sentence. */
export function Translation({ transcript, reading, seek }: Props) {
	const languages = Object.keys(transcript.translations ?? {});
	const [chosen, setChosen] = useState(languages[0] ?? "");
	const segments = transcript.translations?.[chosen] ?? [];
	return (
		<>
			{languages.length > 1 && (
				<div className="mb-4 w-48">
					<Select
						label={t.language}
						options={Object.fromEntries(languages.map((tag) => [tag, names.of(tag) ?? tag]))}
						value={chosen}
						onChange={({ target }) => setChosen(target.value)}
					/>
				</div>
			)}
			<div
				aria-hidden="true"
				className="hidden gap-6 border-b border-line pb-2 pl-16 text-xs font-medium text-soft sm:grid sm:grid-cols-2"
			>
				<span>{t.original}</span>
				<span>{names.of(chosen) ?? chosen}</span>
			</div>
			<ol>
				{segments.map((segment, index) => (
					<li
						// biome-ignore lint/suspicious/noArrayIndexKey: sentences have no identity
						key={index}
						className="grid grid-cols-[3.25rem_minmax(0,1fr)] gap-x-3 border-b border-line py-2.5 [contain-intrinsic-block-size:auto_4rem] [content-visibility:auto]"
					>
						<button
							type="button"
							onClick={() => seek(segment.start_time, true)}
							className="tabular h-6 cursor-pointer self-start rounded-sm text-right font-mono text-xs text-soft hover:text-lead"
						>
							<span className="sr-only">{texts.transcript.playFromShort} </span>
							{formatClock(segment.start_time)}
						</button>
						<div className="grid gap-x-6 gap-y-1 font-serif text-base sm:grid-cols-2">
							<p dir="auto" lang={transcript.metadata.languages[0]} className="text-soft wrap-anywhere">
								{segment.speaker && (
									<span className="font-sans text-sm font-medium">{voiceName(segment.speaker)} </span>
								)}
								{textBetween(
									reading,
									segment.start_time,
									segment.end_time,
									segment.speaker ?? segment.channel,
								)}
							</p>
							<p dir="auto" lang={chosen} className="wrap-anywhere">
								{segment.content}
							</p>
						</div>
					</li>
				))}
			</ol>
		</>
	);
}

/** Returns the words that are spoken in a stretch of time. */
function textBetween(
	{ paragraphs, places, starts }: Reading,
	from: number,
	to: number,
	voice: string | undefined,
): string {
	const parts: string[] = [];
	for (let at = wordAt(starts, from - 0.001) + 1; at < places.length && (starts[at] ?? 0) < to; at++) {
		const place = places[at];
		const paragraph = place && paragraphs[place.paragraph];
		const word = place && paragraph?.words[place.word];
		if (!paragraph || !word || (voice !== undefined && paragraph.voice !== voice)) continue;
		parts.push(paragraph.text.slice(word.tokenFrom, word.tokenTo));
	}
	return parts.join(" ");
}
