import { wordAt } from "./paragraphs.ts";

/** Words are shown a little early, as the eye needs time too. */
const AHEAD_S = 0.02;
/** Longest wait, in case the media's clock drifts from the page's. */
const MAX_WAIT_MS = 1_000;

/** Reports which word is spoken, by a timer to the next word's start instead of once a frame. @returns what ends it. */
export function followWords(
	media: HTMLMediaElement,
	starts: Float64Array,
	show: (word: number) => void,
): () => void {
	let timer = 0;
	let shown = -2;
	const step = () => {
		clearTimeout(timer);
		const at = wordAt(starts, media.currentTime + AHEAD_S);
		if (at !== shown) {
			shown = at;
			show(at);
		}
		const next = starts[at + 1];
		if (media.paused || next === undefined) return;
		const wait = ((next - media.currentTime) / media.playbackRate) * 1000;
		timer = window.setTimeout(step, Math.min(MAX_WAIT_MS, Math.max(16, wait)));
	};
	const events = ["play", "pause", "seeked", "seeking", "ratechange", "timeupdate"];
	for (const name of events) media.addEventListener(name, step);
	step();
	return () => {
		clearTimeout(timer);
		for (const name of events) media.removeEventListener(name, step);
	};
}
