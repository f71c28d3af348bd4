import { createStore, type Store } from "../../ui/store.ts";

/** Seconds from the start of the recording. */
export type Span = { start: number; end: number };

export type PlayerState = {
	isPlaying: boolean;
	rate: number;
	skipsSilence: boolean;
	/** Stretch that is played again and again. */
	loop: Span | undefined;
	/** Why the recording cannot be played. */
	problem: unknown;
};

export type Player = {
	media: HTMLAudioElement;
	state: Store<PlayerState>;
	/** Sets the stretches that "skip silence" leaves out. */
	setSilences: (silences: Span[]) => void;
	seek: (time: number, play?: boolean) => void;
	toggle: () => void;
	setRate: (rate: number) => void;
	setSkipsSilence: (isOn: boolean) => void;
	setLoop: (loop: Span | undefined) => void;
	end: () => void;
};

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3];
const RATE_KEY = "parley:rate";
const MIN_LOOP_S = 0.2;

/**
 * Plays a job's recording. The address of the recording expires; when it has, the player asks for a new one and goes on where
 * it was.
 */
export function createPlayer(loadUrl: () => Promise<string>): Player {
	const media = new Audio();
	media.preload = "metadata";
	const state = createStore<PlayerState>({
		...{ isPlaying: false, rate: savedRate(), skipsSilence: false, loop: undefined, problem: undefined },
	});
	const set = (change: Partial<PlayerState>) => state.set((old) => ({ ...old, ...change }));
	let silences: Span[] = [];
	let timer = 0;
	let isLoading = false;
	let hasFailed = false;
	let wanted = 0;

	const load = async () => {
		if (isLoading) return;
		isLoading = true;
		try {
			const url = await loadUrl();
			const wasPlaying = state.get().isPlaying;
			media.src = url;
			media.playbackRate = state.get().rate;
			media.defaultPlaybackRate = state.get().rate;
			if (wanted > 0) media.currentTime = wanted;
			if (wasPlaying) await media.play();
		} catch (problem) {
			if ((problem as Error).name !== "AbortError") set({ problem, isPlaying: false });
		} finally {
			isLoading = false;
		}
	};
	const start = () => {
		set({ isPlaying: true, problem: undefined });
		if (!media.src) void load();
		else void media.play().catch(() => set({ isPlaying: !media.paused }));
	};
	const seek = (time: number, play = false) => {
		wanted = Math.max(0, Math.min(time, Number.isFinite(media.duration) ? media.duration : time));
		if (media.readyState > 0 || media.src) media.currentTime = wanted;
		else media.dispatchEvent(new Event("seeking"));
		if (play) start();
	};

	/** Jumps where a loop or a silence says so, and comes again when the next one begins. */
	const schedule = () => {
		clearTimeout(timer);
		if (media.paused) return;
		const { loop, skipsSilence } = state.get();
		const now = media.currentTime;
		if (loop && (now >= loop.end - 0.01 || now < loop.start - 0.25)) return seek(loop.start);
		const silence = skipsSilence ? silences.find(({ end }) => end > now + 0.05) : undefined;
		if (silence && silence.start <= now) return seek(silence.end);
		const next = Math.min(loop?.end ?? Number.POSITIVE_INFINITY, silence?.start ?? Number.POSITIVE_INFINITY);
		if (Number.isFinite(next))
			timer = window.setTimeout(schedule, ((next - now) / media.playbackRate) * 1000);
	};
	for (const name of ["play", "seeked", "ratechange", "timeupdate"]) media.addEventListener(name, schedule);
	media.addEventListener("timeupdate", () => {
		wanted = media.currentTime;
	});
	media.addEventListener("play", () => set({ isPlaying: true }));
	media.addEventListener("pause", () => {
		clearTimeout(timer);
		// A new address pauses too, but playing goes on.
		if (!isLoading) set({ isPlaying: false });
	});
	media.addEventListener("playing", () => {
		hasFailed = false;
	});
	media.addEventListener("error", () => {
		if (!hasFailed) {
			hasFailed = true;
			void load();
		} else set({ problem: media.error, isPlaying: false });
	});
	void load();

	return {
		media,
		state,
		setSilences: (found) => {
			silences = found;
			schedule();
		},
		seek,
		toggle: () => {
			if (state.get().isPlaying) {
				set({ isPlaying: false });
				media.pause();
			} else start();
		},
		setRate: (rate) => {
			media.playbackRate = rate;
			media.defaultPlaybackRate = rate;
			localStorage.setItem(RATE_KEY, String(rate));
			set({ rate });
		},
		setSkipsSilence: (skipsSilence) => {
			set({ skipsSilence });
			schedule();
		},
		setLoop: (loop) => {
			set({ loop: loop && loop.end - loop.start >= MIN_LOOP_S ? loop : undefined });
			if (loop && (media.currentTime < loop.start || media.currentTime > loop.end)) seek(loop.start);
			schedule();
		},
		end: () => {
			clearTimeout(timer);
			media.pause();
			media.removeAttribute("src");
			media.load();
		},
	};
}

function savedRate(): number {
	const rate = Number(localStorage.getItem(RATE_KEY));
	return RATES.includes(rate) ? rate : 1;
}
