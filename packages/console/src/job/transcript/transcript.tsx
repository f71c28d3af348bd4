import {
	type MouseEvent,
	memo,
	type RefObject,
	useEffect,
	useImperativeHandle,
	useMemo,
	useRef,
	useState,
} from "react";
import { classes } from "../../ui/classes.ts";
import { Button } from "../../ui/controls/button.tsx";
import { useShortcuts } from "../../ui/controls/shortcuts.ts";
import { formatClock } from "../../ui/format.ts";
import { icons } from "../../ui/icons.tsx";
import type { Player } from "../player/player.ts";
import { texts } from "../texts.ts";
import type { Hit } from "./find.ts";
import { followWords } from "./follow.ts";
import { createPainter } from "./painter.ts";
import { type Paragraph, type Reading, voiceColour, voiceName, wordAtOffset } from "./paragraphs.ts";
import { isTextVisible, revealText } from "./reveal-text.ts";
import { usePaint } from "./use-paint.ts";

const t = texts.transcript;
const MARKS = ["unsure", "found", "found-now"] as const;

export const VOICE_CLASSES = [
	"text-voice-1",
	"text-voice-2",
	"text-voice-3",
	"text-voice-4",
	"text-voice-5",
	"text-voice-6",
] as const;

export type TranscriptHandle = {
	/** Brings a paragraph into view. */
	reveal: (paragraph: number) => void;
	/** Stretch of time of the selected text, else of the paragraph that is played. */
	selectedSpan: () => { start: number; end: number } | undefined;
};

type Props = {
	reading: Reading;
	player: Player;
	hits: readonly Hit[];
	/** The hit that the reader is at. */
	hit: Hit | undefined;
	/** Words below it are marked. Zero marks none. */
	threshold: number;
	isFollowing: boolean;
	onFollow: (isFollowing: boolean) => void;
	handle: RefObject<TranscriptHandle | null>;
	lang: string | undefined;
};

/** The words in step with the recording. Each paragraph is one text node, so that ten hours stay smooth and Ctrl-F works. */
export function Transcript({
	reading,
	player,
	hits,
	hit,
	threshold,
	isFollowing,
	onFollow,
	handle,
	lang,
}: Props) {
	const box = useRef<HTMLDivElement>(null);
	const { paragraphs, places, starts, voices } = reading;
	const [isAway, setAway] = useState(false);
	const elements = useRef<HTMLElement[]>([]);
	const current = useRef(-1);
	const follows = useRef(isFollowing);
	follows.current = isFollowing;

	// biome-ignore lint/correctness/useExhaustiveDependencies: the elements are those of the paragraphs
	useEffect(() => {
		elements.current = [...(box.current?.querySelectorAll<HTMLElement>("[data-p]") ?? [])];
	}, [paragraphs]);

	const reveal = useMemo(
		() =>
			(paragraph: number, block: ScrollLogicalPosition = "center") =>
				elements.current[paragraph]?.scrollIntoView({ block, behavior: smooth() }),
		[],
	);

	useEffect(() => {
		const spoken = createPainter("spoken", 3);
		let painted: HTMLElement | undefined;
		const stop = followWords(player.media, starts, (at) => {
			const place = places[at];
			const element = place && elements.current[place.paragraph];
			const word = place && paragraphs[place.paragraph]?.words[place.word];
			if (painted && painted !== element) spoken.clear();
			painted = element;
			if (!place || !element || !word) return spoken.clear();
			spoken.paint(element, [word]);
			current.current = place.paragraph;
			if (!player.state.get().isPlaying) return;
			const isVisible = isTextVisible(element, word.from, word.to);
			if (follows.current && !isVisible) revealText(element, word.from, word.to);
			setAway(!follows.current && !isVisible);
		});
		return () => {
			stop();
			spoken.end();
		};
	}, [player, paragraphs, places, starts]);

	useUnfollow(player, () => {
		if (follows.current) onFollow(false);
	});
	const hitsByParagraph = useMemo(() => Map.groupBy(hits, ({ paragraph }) => paragraph), [hits]);
	usePaint({
		...{ box, paragraphs, names: MARKS, inputs: [threshold, hitsByParagraph, hit] },
		marksOf: (paragraph) => ({
			unsure:
				threshold > 0
					? paragraphs[paragraph]?.words.filter(
							({ confidence }) => confidence !== null && confidence < threshold,
						)
					: [],
			found: hitsByParagraph.get(paragraph) ?? [],
			"found-now": hit?.paragraph === paragraph ? [hit] : [],
		}),
	});

	useEffect(() => {
		const element = hit && elements.current[hit.paragraph];
		if (hit && element) revealText(element, hit.from, hit.to);
	}, [hit]);

	const step = (by: 1 | -1) => {
		const at = Math.max(0, current.current);
		const isBack = by === -1 && player.media.currentTime - (paragraphs[at]?.start ?? 0) > 2;
		const next = paragraphs[isBack ? at : at + by];
		if (next) player.seek(next.start);
		reveal(isBack ? at : at + by);
	};
	useShortcuts([
		{ keys: "j", label: t.nextParagraph, group: texts.player.group, run: () => step(1) },
		{ keys: "k", label: t.previousParagraph, group: texts.player.group, run: () => step(-1) },
	]);
	useImperativeHandle(handle, () => ({
		reveal,
		selectedSpan: () => selectedSpan(paragraphs) ?? paragraphs[current.current],
	}));

	const jump = () => {
		onFollow(true);
		setAway(false);
		reveal(Math.max(0, current.current));
	};
	const click = (event: MouseEvent) => {
		if (!getSelection()?.isCollapsed) return;
		const place = caretAt(event.clientX, event.clientY);
		const element = place?.node.parentElement?.closest<HTMLElement>("[data-p]");
		const paragraph = element && paragraphs[Number(element.dataset.p)];
		const word = paragraph && place && wordAtOffset(paragraph, place.offset);
		if (word) player.seek(word.start);
	};
	return (
		<>
			{/* biome-ignore lint/a11y/useKeyWithClickEvents: a way of the pointer; keys have the times beside the paragraphs */}
			{/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
			<div ref={box} onClick={click} lang={lang}>
				{paragraphs.map((paragraph, index) => (
					<ParagraphRow
						key={`${paragraph.start} ${paragraph.words[0]?.index}`}
						paragraph={paragraph}
						index={index}
						colour={voiceColour(voices, paragraph.voice)}
						isNamed={paragraph.voice !== "" && paragraphs[index - 1]?.voice !== paragraph.voice}
						seek={player.seek}
					/>
				))}
			</div>
			{isAway && !isFollowing && (
				<div className="pointer-events-none sticky bottom-5 z-10 flex justify-center">
					<Button look="lead" className="rise pointer-events-auto rounded-full shadow-float" onClick={jump}>
						{icons.down}
						{t.jump}
					</Button>
				</div>
			)}
		</>
	);
}

type RowProps = {
	paragraph: Paragraph;
	index: number;
	colour: number;
	/** Whether somebody else spoke before. */
	isNamed: boolean;
	seek: (time: number, play?: boolean) => void;
};

const ParagraphRow = memo(({ paragraph, index, colour, isNamed, seek }: RowProps) => (
	<div className="grid grid-cols-[3.25rem_minmax(0,1fr)] gap-x-3 py-2 [contain-intrinsic-block-size:auto_9rem] [content-visibility:auto] sm:grid-cols-[4rem_minmax(0,1fr)] sm:gap-x-4">
		{isNamed && (
			<p
				dir="auto"
				className={classes("col-start-2 text-sm font-semibold wrap-anywhere", VOICE_CLASSES[colour - 1])}
			>
				{voiceName(paragraph.voice)}
			</p>
		)}
		<button
			type="button"
			title={t.playFrom(formatClock(paragraph.start))}
			onClick={() => seek(paragraph.start, true)}
			className="tabular col-start-1 mt-1 h-6 cursor-pointer self-start rounded-sm text-right font-mono text-xs text-soft hover:text-lead"
		>
			<span className="sr-only">{t.playFromShort} </span>
			{formatClock(paragraph.start)}
		</button>
		<p
			data-p={index}
			dir="auto"
			className={classes(
				"col-start-2 max-w-[68ch] cursor-text border-l-2 border-transparent font-serif text-lg leading-8 wrap-anywhere",
			)}
		>
			{paragraph.text}
		</p>
	</div>
));

/** Stops following when the reader scrolls while the recording plays. */
function useUnfollow(player: Player, unfollow: () => void): void {
	const latest = useRef(unfollow);
	latest.current = unfollow;
	useEffect(() => {
		const leave = (event: Event) => {
			if (!player.state.get().isPlaying) return;
			if (event instanceof KeyboardEvent && !/^(Page(Up|Down)|Home|End)$/.test(event.key)) return;
			if (
				event.target instanceof Element &&
				event.target.closest("[role=slider], input, dialog, [role=menu]")
			)
				return;
			latest.current();
		};
		const names = ["wheel", "touchmove", "keydown"] as const;
		for (const name of names) window.addEventListener(name, leave, { passive: true });
		return () => {
			for (const name of names) window.removeEventListener(name, leave);
		};
	}, [player]);
}

const smooth = (): ScrollBehavior =>
	matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";

/** Finds the letter at a point. Safari has its own name for it. */
function caretAt(x: number, y: number): { node: Node; offset: number } | undefined {
	if (document.caretPositionFromPoint) {
		const caret = document.caretPositionFromPoint(x, y);
		return caret ? { node: caret.offsetNode, offset: caret.offset } : undefined;
	}
	const range = document.caretRangeFromPoint?.(x, y);
	return range ? { node: range.startContainer, offset: range.startOffset } : undefined;
}

function selectedSpan(paragraphs: readonly Paragraph[]): { start: number; end: number } | undefined {
	const selection = getSelection();
	if (!selection || selection.isCollapsed || selection.rangeCount === 0) return;
	const range = selection.getRangeAt(0);
	const wordOf = (node: Node, offset: number) => {
		const element = (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>("[data-p]");
		const paragraph = element && paragraphs[Number(element.dataset.p)];
		return paragraph && wordAtOffset(paragraph, offset);
	};
	const first = wordOf(range.startContainer, range.startOffset + 1);
	const last = wordOf(range.endContainer, range.endOffset);
	return first && last && last.end > first.start ? { start: first.start, end: last.end } : undefined;
}
