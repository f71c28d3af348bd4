import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { formatClock, formatLength } from "../../ui/format.ts";
import { useStore } from "../../ui/store.ts";
import { texts } from "../texts.ts";
import type { Player, Span } from "./player.ts";

/** What the time line shows besides the sound. */
export type Marks = {
	/** Starts of chapters. */
	chapters: { start: number; title: string }[];
	/** Speech that has no words. */
	gaps: Span[];
	/** Words that were removed because nothing was spoken. */
	removed: number[];
	/** Places where the searched words are. */
	found: number[];
};

type Props = {
	player: Player;
	/** One lane each; empty when there are none. */
	channels: Uint8Array[];
	duration: number;
	marks: Marks;
	/** Number of the colour of each channel, from 1. Absent when channels are not told apart. */
	colours?: number[] | undefined;
};

const BAR = 3;
const DRAG_PX = 5;
const LOUDNESS = 0.7;

/** The recording as peaks that the server has made. A press seeks, dragging chooses a stretch to loop. */
export function Waveform({ player, channels, duration, marks, colours }: Props) {
	const box = useRef<HTMLDivElement>(null);
	const played = useRef<HTMLDivElement>(null);
	const press = useRef<{ x: number; time: number } | undefined>(undefined);
	const [selection, setSelection] = useState<Span>();
	const [hover, setHover] = useState<{ x: number; time: number }>();
	const { loop } = useStore(player.state);
	const shown = selection ?? loop;

	useDrawing(box, "rest", (to, element) => drawPeaks(to, element, channels, colours), [channels, colours]);
	useDrawing(box, "played", (to, element) => drawPeaks(to, element, channels), [channels]);
	useDrawing(box, "marks", (to, element) => drawMarks(to, element, marks, duration), [marks, duration]);

	useEffect(() => {
		const { media } = player;
		let shownSecond = -1;
		const show = () => {
			if (played.current)
				played.current.style.clipPath = `inset(0 ${100 - (media.currentTime / duration) * 100}% 0 0)`;
			const second = Math.floor(media.currentTime);
			if (second === shownSecond) return;
			shownSecond = second;
			box.current?.setAttribute("aria-valuenow", String(second));
			box.current?.setAttribute("aria-valuetext", texts.player.position(formatClock(second)));
		};
		show();
		for (const name of ["timeupdate", "seeking", "loadedmetadata"]) media.addEventListener(name, show);
		return () => {
			for (const name of ["timeupdate", "seeking", "loadedmetadata"]) media.removeEventListener(name, show);
		};
	}, [player, duration]);

	const timeAt = (event: PointerEvent<HTMLDivElement>) => {
		const { left, width } = event.currentTarget.getBoundingClientRect();
		return Math.min(duration, Math.max(0, ((event.clientX - left) / width) * duration));
	};
	const move = (event: PointerEvent<HTMLDivElement>) => {
		const time = timeAt(event);
		if (event.pointerType === "mouse")
			setHover({
				x: event.nativeEvent.offsetX || event.clientX - event.currentTarget.getBoundingClientRect().left,
				time,
			});
		const from = press.current;
		if (!from || (!selection && Math.abs(event.clientX - from.x) < DRAG_PX)) return;
		setSelection({ start: Math.min(from.time, time), end: Math.max(from.time, time) });
	};
	const release = () => {
		const from = press.current;
		press.current = undefined;
		if (!from) return;
		if (selection) {
			player.setLoop(selection);
			player.seek(selection.start, true);
		} else {
			if (loop && (from.time < loop.start || from.time > loop.end)) player.setLoop(undefined);
			player.seek(from.time);
		}
		setSelection(undefined);
	};
	const keys = (event: KeyboardEvent) => {
		const now = player.media.currentTime;
		const steps: Record<string, number> = {
			...{ ArrowRight: now + 5, ArrowUp: now + 5, ArrowLeft: now - 5, ArrowDown: now - 5 },
			...{ PageUp: now + 60, PageDown: now - 60, Home: 0, End: duration },
		};
		const to = steps[event.key];
		if (to === undefined) return;
		player.seek(Math.min(duration, to));
		event.preventDefault();
	};
	const chapter = hover && marks.chapters.findLast(({ start }) => start <= hover.time);
	const gap = hover && marks.gaps.find(({ start, end }) => start <= hover.time && hover.time < end);
	return (
		<div
			ref={box}
			role="slider"
			tabIndex={0}
			aria-label={texts.player.waveform}
			aria-valuemin={0}
			aria-valuemax={Math.floor(duration)}
			aria-valuenow={0}
			className="relative h-16 cursor-pointer touch-pan-y rounded-sm select-none"
			onPointerDown={(event) => {
				if (event.button !== 0) return;
				event.currentTarget.setPointerCapture(event.pointerId);
				press.current = { x: event.clientX, time: timeAt(event) };
			}}
			onPointerMove={move}
			onPointerUp={release}
			onPointerCancel={() => {
				press.current = undefined;
				setSelection(undefined);
			}}
			onPointerLeave={() => setHover(undefined)}
			onKeyDown={keys}
		>
			<canvas
				data-layer="rest"
				className="pointer-events-none absolute inset-x-0 top-0 h-13 w-full text-edge"
			/>
			<div ref={played} className="pointer-events-none absolute inset-0">
				<canvas data-layer="played" className="absolute inset-x-0 top-0 h-13 w-full text-now" />
			</div>
			<canvas data-layer="marks" className="pointer-events-none absolute inset-x-0 bottom-0 h-2.5 w-full" />
			{shown && (
				<div
					className="pointer-events-none absolute inset-y-0 rounded-sm border-x-2 border-lead bg-lead/15"
					style={{
						left: `${(shown.start / duration) * 100}%`,
						width: `${((shown.end - shown.start) / duration) * 100}%`,
					}}
				/>
			)}
			{hover && !selection && (
				<>
					<div className="pointer-events-none absolute inset-y-0 w-px bg-ink/40" style={{ left: hover.x }} />
					<p
						aria-hidden="true"
						className="tabular pointer-events-none absolute -top-8 z-10 max-w-64 -translate-x-1/2 truncate rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-canvas"
						style={{ left: `clamp(4rem, ${hover.x}px, calc(100% - 4rem))` }}
					>
						{formatClock(hover.time)}
						{chapter && ` · ${chapter.title}`}
						{gap && ` · ${texts.gaps.one(formatLength(gap.end - gap.start))}`}
					</p>
				</>
			)}
		</div>
	);
}

type Draw = (to: CanvasRenderingContext2D, element: HTMLElement) => void;

/** Draws a layer again when what it shows, its size or the theme changes. */
function useDrawing(
	box: RefObject<HTMLDivElement | null>,
	layer: string,
	draw: Draw,
	inputs: readonly unknown[],
): void {
	// biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what the layer shows
	useEffect(() => {
		const element = box.current;
		const canvas = element?.querySelector<HTMLCanvasElement>(`[data-layer=${layer}]`);
		if (!element || !canvas) return;
		const redraw = () => {
			const to = fit(canvas);
			if (to) draw(to, element);
		};
		redraw();
		const size = new ResizeObserver(redraw);
		size.observe(element);
		const theme = new MutationObserver(redraw);
		theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
		const system = matchMedia("(prefers-color-scheme: dark)");
		system.addEventListener("change", redraw);
		return () => {
			size.disconnect();
			theme.disconnect();
			system.removeEventListener("change", redraw);
		};
	}, [box, layer, ...inputs]);
}

/** Gives a canvas the resolution of its place on the screen. */
function fit(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
	const { width, height } = canvas.getBoundingClientRect();
	const ratio = window.devicePixelRatio;
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	const to = canvas.getContext("2d");
	to?.scale(ratio, ratio);
	return to;
}

/** Reads a colour of the theme, which a canvas cannot resolve by itself. */
function colourOf(element: HTMLElement, name: string): string {
	const before = element.style.color;
	element.style.color = `var(--color-${name})`;
	const { color } = getComputedStyle(element);
	element.style.color = before;
	return color;
}

function drawPeaks(
	to: CanvasRenderingContext2D,
	element: HTMLElement,
	channels: readonly Uint8Array[],
	colours?: readonly number[],
): void {
	const { width, height } = to.canvas.getBoundingClientRect();
	const lane = height / Math.max(1, channels.length);
	const bars = Math.floor(width / BAR);
	const plain = getComputedStyle(to.canvas).color;
	for (const [row, peaks] of (channels.length > 0 ? channels : [new Uint8Array(1)]).entries()) {
		const colour = colours?.[row];
		to.fillStyle = colour === undefined ? plain : colourOf(element, `voice-${colour}`);
		const middle = (row + 0.5) * lane;
		for (let bar = 0; bar < bars; bar++) {
			const from = Math.floor((bar / bars) * peaks.length);
			const until = Math.max(from + 1, Math.floor(((bar + 1) / bars) * peaks.length));
			let high = 0;
			for (let at = from; at < until; at++) high = Math.max(high, peaks[at] ?? 0);
			// Speech is far below full scale: the power shows soft voices too.
			const tall = Math.max(1.5, (high / 255) ** LOUDNESS * (lane - 2));
			to.fillRect(bar * BAR, middle - tall / 2, BAR - 1, tall);
		}
	}
}

function drawMarks(
	to: CanvasRenderingContext2D,
	element: HTMLElement,
	{ chapters, gaps, removed, found }: Marks,
	duration: number,
): void {
	const { width, height } = to.canvas.getBoundingClientRect();
	const place = (time: number) => (time / duration) * width;
	to.fillStyle = colourOf(element, "line");
	to.fillRect(0, height / 2 - 1, width, 2);
	to.fillStyle = colourOf(element, "warn");
	for (const { start, end } of gaps)
		to.fillRect(place(start), height / 2 - 2, Math.max(2, place(end) - place(start)), 4);
	to.fillStyle = colourOf(element, "bad");
	for (const time of removed) to.fillRect(place(time) - 1, height / 2 - 3, 2, 6);
	to.fillStyle = colourOf(element, "lead");
	for (const time of found) to.fillRect(place(time) - 0.5, 0, 1.5, height);
	to.fillStyle = colourOf(element, "ink");
	for (const { start } of chapters) to.fillRect(Math.min(width - 2, place(start)), 1, 2, height - 2);
}
