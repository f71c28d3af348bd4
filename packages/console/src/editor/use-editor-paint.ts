import { type RefObject, useEffect } from "react";
import type { Player } from "../job/player/player.ts";
import type { Hit } from "../job/transcript/find.ts";
import { followWords } from "../job/transcript/follow.ts";
import { createPainter } from "../job/transcript/painter.ts";
import type { Paragraph, Reading } from "../job/transcript/paragraphs.ts";
import { changedPart, type Draft, wordsInDraft } from "./draft.ts";

const UNSURE_BELOW = 0.5;

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
	useEffect(() => {
		if (!player) return;
		const spoken = createPainter("spoken", 3);
		const stop = followWords(player.media, starts, (at) => {
			spoken.clear();
			const place = places[at];
			const paragraph = place && paragraphs[place.paragraph];
			const element = place && box.current?.querySelector(`[data-p="${place.paragraph}"]`);
			if (!paragraph || !element) return;
			const word = wordsInDraft(paragraph, draft.get(place.paragraph)).find(({ index }) => index === at);
			if (word) spoken.paint(element, [word]);
		});
		return () => {
			stop();
			spoken.end();
		};
	}, [box, player, paragraphs, places, starts, draft]);

	useEffect(() => {
		if (!box.current) return;
		const painters = {
			unsure: createPainter("unsure", 0),
			found: createPainter("found", 1),
			edited: createPainter("edited", 0),
		};
		const byParagraph = Map.groupBy(hits, ({ paragraph }) => paragraph);
		const paint = (element: Element) => {
			const index = Number((element as HTMLElement).dataset.p);
			const paragraph = paragraphs[index];
			if (!paragraph) return;
			const text = draft.get(index);
			painters.unsure.paint(element, isReviewing ? wordsInDraft(paragraph, text).filter(isUnsure) : []);
			painters.found.paint(element, byParagraph.get(index) ?? []);
			painters.edited.paint(element, editedPart(paragraph, text));
		};
		const seen = new IntersectionObserver(
			(entries) => {
				for (const { target, isIntersecting } of entries) if (isIntersecting) paint(target);
			},
			{ rootMargin: "600px" },
		);
		for (const element of box.current.querySelectorAll("[data-p]")) seen.observe(element);
		return () => {
			seen.disconnect();
			for (const painter of Object.values(painters)) painter.end();
		};
	}, [box, paragraphs, draft, hits, isReviewing]);

	useEffect(() => {
		const element = hit && box.current?.querySelector(`[data-p="${hit.paragraph}"]`);
		if (!hit || !element) return;
		element.scrollIntoView({ block: "center" });
		const painter = createPainter("found-now", 2);
		painter.paint(element, [hit]);
		return painter.end;
	}, [box, hit]);
}

const isUnsure = ({ confidence }: { confidence: number | null }): boolean =>
	confidence !== null && confidence < UNSURE_BELOW;

function editedPart(paragraph: Paragraph, text: string | undefined): { from: number; to: number }[] {
	const part = text === undefined ? undefined : changedPart(paragraph, text);
	return part && part.to > part.from ? [part] : [];
}
