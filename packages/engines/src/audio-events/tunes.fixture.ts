/** A signal: a value from -1 to 1 at a time in seconds. */
export type Signal = (time: number) => number;

const OVERTONES = [1, 0.5, 0.35, 0.2];
const tone = (phase: number) =>
	OVERTONES.reduce((sum, share, index) => sum + share * Math.sin(2 * Math.PI * (index + 1) * phase), 0) / 2.5;

/** Four chords of two seconds each. Their notes fade and are struck twice a second. */
export const tune: Signal = (time) => {
	const chords = [
		[262, 330, 392],
		[220, 262, 330],
		[175, 220, 262],
		[196, 247, 294],
	];
	const chord = chords[Math.floor(time / 2) % chords.length] ?? [];
	const fade = Math.exp(-2 * (time % 0.5));
	return (0.3 * fade * chord.reduce((sum, hertz) => sum + tone(hertz * time), 0)) / chord.length;
};

/** Resembles a voice: overtones of a changing pitch, five syllables per second, with pauses. */
export const babble: Signal = (time) => {
	if (time % 3 > 2.4) return 0;
	const phase = 140 * time + 9 * Math.sin(2.3 * time) + 4 * Math.sin(5.1 * time);
	return 0.5 * Math.max(0, Math.sin(2 * Math.PI * 5 * time)) * tone(phase);
};

/** Creates repeatable noise. */
export function noise(): Signal {
	let state = 1;
	return () => {
		state = (state * 48_271) % 2_147_483_647;
		return 0.2 * (state / 2_147_483_647 - 0.5);
	};
}

/** Plays signals one after another, each for so many seconds from its own start. */
export const inTurn =
	(parts: readonly [Signal, number][]): Signal =>
	(time) => {
		let from = 0;
		for (const [sound, seconds] of parts) {
			if (time < from + seconds) return sound(time - from);
			from += seconds;
		}
		return 0;
	};

/** Samples a signal as one channel of 16 bits. */
export const sampled = (sound: Signal, seconds: number, rate: number): Int16Array =>
	Int16Array.from({ length: seconds * rate }, (_, at) => 32_767 * sound(at / rate));
