import { type RefObject, useEffect, useMemo, useRef } from "react";
import type { Player } from "../job/player/player.ts";
import type { Hit } from "../job/transcript/find.ts";
import { followWords } from "../job/transcript/follow.ts";
import { createPainter } from "../job/transcript/painter.ts";
import type { Reading } from "../job/transcript/paragraphs.ts";
import { revealText } from "../job/transcript/reveal-text.ts";
import { usePaint } from "../job/transcript/use-paint.ts";
import { addedInDraft, type Draft, wordsInDraft } from "./draft/draft.ts";

const UNSURE_BELOW = 0.5;
const MARKS = ["unsure", "edited", "found", "found-now"] as const;

type Options = {
	box: RefObject<HTMLElement | null>;
	reading: Reading;
	draft: Draft;
	player: Player | undefined;
	hits: readonly Hit[];
	hit: Hit | undefined;
	/** Whether unsure words are marked. */
	isReviewing: boolean;
};

/** Marks the spoken word, unsure and found words, and what was changed. */
export function useEditorPaint({ box, reading, draft, player, hits, hit, isReviewing }: Options): void {
	const { paragraphs, places, starts } = reading;
	const latest = useRef(draft);
	latest.current = draft;
	useEffect(() => {
		if (!player) return;
		const spoken = createPainter("spoken", 3);
		const stop = followWords(player.media, starts, (at) => {
			spoken.clear();
			const place = places[at];
			const paragraph = place && paragraphs[place.paragraph];
			const element = place && box.current?.querySelector(`[data-p="${place.paragraph}"]`);
			if (!paragraph || !element) return;
			const word = wordsInDraft(paragraph, latest.current.get(place.paragraph)).find(
				({ index }) => index === at,
			);
			if (word) spoken.paint(element, [word]);
		});
		return () => {
			stop();
			spoken.end();
		};
	}, [box, player, paragraphs, places, starts]);

	const hitsByParagraph = useMemo(() => Map.groupBy(hits, ({ paragraph }) => paragraph), [hits]);
	usePaint({
		...{ box, paragraphs, names: MARKS, inputs: [draft, hitsByParagraph, hit, isReviewing] },
		marksOf: (index) => {
			const paragraph = paragraphs[index];
			const text = draft.get(index);
			return {
				unsure: paragraph && isReviewing ? wordsInDraft(paragraph, text).filter(isUnsure) : [],
				edited: paragraph ? addedInDraft(paragraph, text) : [],
				found: hitsByParagraph.get(index) ?? [],
				"found-now": hit?.paragraph === index ? [hit] : [],
			};
		},
	});

	useEffect(() => {
		const element = hit && box.current?.querySelector<HTMLElement>(`[data-p="${hit.paragraph}"]`);
		if (hit && element) revealText(element, hit.from, hit.to);
	}, [box, hit]);
}

const isUnsure = ({ confidence }: { confidence: number | null }): boolean =>
	confidence !== null && confidence < UNSURE_BELOW;
