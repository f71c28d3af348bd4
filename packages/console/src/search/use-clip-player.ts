import { useEffect, useRef, useState } from "react";
import { loadAudioUrl } from "../job/job-api.ts";

/** A stretch of a job's recording. */
export type Clip = { id: string; jobId: string; start: number; end: number };

export type ClipState = {
	/** Clip that plays or loads. */
	id: string | undefined;
	/** How much of it has been played, from 0 to 1. */
	progress: number;
};

/** Seconds that are played before and after the sentence, so that its first and last word are whole. */
const MARGIN_S = 0.25;
const SILENT: ClipState = { id: undefined, progress: 0 };

/** Plays one stretch of one recording at a time. */
export function useClipPlayer(onProblem: (error: unknown) => void) {
	const [state, setState] = useState(SILENT);
	const media = useRef<HTMLAudioElement>(undefined);
	const playing = useRef<Clip>(undefined);
	const urls = useRef(new Map<string, Promise<string>>());

	const stop = () => {
		media.current?.pause();
		playing.current = undefined;
		setState(SILENT);
	};
	const begin = () => {
		const audio = new Audio();
		audio.addEventListener("timeupdate", () => {
			const clip = playing.current;
			if (!clip || audio.paused) return;
			const length = Math.max(0.1, clip.end - clip.start);
			setState({
				id: clip.id,
				progress: Math.min(1, Math.max(0, (audio.currentTime - clip.start) / length)),
			});
			if (audio.currentTime >= clip.end + MARGIN_S) stop();
		});
		audio.addEventListener("ended", stop);
		return audio;
	};
	const play = async (clip: Clip) => {
		media.current ??= begin();
		const audio = media.current;
		playing.current = clip;
		setState({ id: clip.id, progress: 0 });
		try {
			const asked = urls.current.get(clip.jobId) ?? loadAudioUrl(clip.jobId);
			urls.current.set(clip.jobId, asked);
			const url = await asked;
			if (playing.current !== clip) return;
			if (audio.src !== url) audio.src = url;
			audio.currentTime = Math.max(0, clip.start - MARGIN_S);
			await audio.play();
		} catch (error) {
			// The address may have expired; the next press asks for another.
			urls.current.delete(clip.jobId);
			if (playing.current !== clip || (error as Error).name === "AbortError") return;
			stop();
			onProblem(error);
		}
	};
	useEffect(
		() => () => {
			playing.current = undefined;
			media.current?.pause();
			media.current?.removeAttribute("src");
		},
		[],
	);
	return { state, stop, toggle: (clip: Clip) => (state.id === clip.id ? stop() : void play(clip)) };
}
