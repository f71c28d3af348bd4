import { STREAM_SAMPLE_RATE } from "@parley/contracts/platform/speech-stream";

/** Audio since the last final text. Lengths are in samples. */
export type Window = {
	start: number;
	length: number;
	/** Whether the window contains a voice. */
	voiced: boolean;
	/** Length of the silence at its end. */
	silence: number;
	/** Length at the last partial text. */
	partialLength: number;
	noise: Noise;
};

/** Background noise as mean squares: the quietest block of the last five seconds. Voices pause, noise does not. */
type Noise = { floor: number; lowest: number; samples: number };

/** Window after a block, and the action on it: none, transcribe a partial text, transcribe the final text, or drop silence. */
export type Step = { window: Window; act: "none" | "partial" | "final" | "drop" };

const seconds = (count: number): number => Math.round(count * STREAM_SAMPLE_RATE);
export const BLOCK = seconds(0.03);
const PAUSE = seconds(0.6);
const PARTIAL_EVERY = seconds(1.5);
const LONGEST = seconds(15);
const SILENT = seconds(1);
/** Samples kept of dropped silence, so that the next word keeps its onset. */
export const PRE_ROLL = seconds(0.3);

// -44 dB of full scale: quieter than any voice near a microphone.
const QUIET = (32_768 * 10 ** (-44 / 20)) ** 2;
const ABOVE_FLOOR = 6;
const NOISE_SPAN = seconds(5);

export const firstWindow: Window = {
	start: 0,
	length: 0,
	voiced: false,
	silence: 0,
	partialLength: 0,
	noise: { floor: QUIET, lowest: Number.POSITIVE_INFINITY, samples: 0 },
};

/** Returns the window after a block of at most 30 ms, and the action on it. */
export function addBlock(window: Window, block: Int16Array): Step {
	const power = meanSquare(block);
	const isVoice = power > Math.max(QUIET, window.noise.floor * ABOVE_FLOOR);
	const next: Window = {
		...window,
		length: window.length + block.length,
		voiced: window.voiced || isVoice,
		silence: isVoice ? 0 : window.silence + block.length,
		noise: addToNoise(window.noise, power, block.length),
	};
	return { window: next, act: actOn(next) };
}

function actOn({ voiced, silence, length, partialLength }: Window): Step["act"] {
	if (!voiced) return length >= SILENT ? "drop" : "none";
	if (silence >= PAUSE || length >= LONGEST) return "final";
	return silence === 0 && length - partialLength >= PARTIAL_EVERY ? "partial" : "none";
}

function addToNoise(noise: Noise, power: number, length: number): Noise {
	const lowest = Math.min(noise.lowest, power);
	const samples = noise.samples + length;
	if (samples >= NOISE_SPAN) return { floor: lowest, lowest: Number.POSITIVE_INFINITY, samples: 0 };
	return { floor: Math.min(noise.floor, power), lowest, samples };
}

/** Returns the window after a completed one. The last `kept` samples of the old window begin the new one. */
export const nextWindow = (window: Window, kept = 0): Window => ({
	...firstWindow,
	start: window.start + window.length - kept,
	length: kept,
	silence: kept,
	noise: window.noise,
});

function meanSquare(block: Int16Array): number {
	let sum = 0;
	for (const sample of block) sum += sample * sample;
	return block.length > 0 ? sum / block.length : 0;
}
