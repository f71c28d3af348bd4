/** A value from -1 to 1 at a time in seconds. */
export type Sound = (time: number) => number;

const OVERTONES = [1, 0.5, 0.35, 0.2];
const tone = (phase: number) =>
	OVERTONES.reduce((sum, share, index) => sum + share * Math.sin(2 * Math.PI * (index + 1) * phase), 0) / 2.5;

/** Four chords in turn, two seconds each, of notes that die away and are struck anew twice a second. */
export const tune: Sound = (time) => {
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

/** Like a voice: overtones of a pitch that rises and falls all the time, five syllables a second, with pauses. */
export const babble: Sound = (time) => {
	if (time % 3 > 2.4) return 0;
	const phase = 140 * time + 9 * Math.sin(2.3 * time) + 4 * Math.sin(5.1 * time);
	return 0.5 * Math.max(0, Math.sin(2 * Math.PI * 5 * time)) * tone(phase);
};

/** The same at each run. */
export function noise(): Sound {
	let state = 1;
	return () => {
		state = (state * 48_271) % 2_147_483_647;
		return 0.2 * (state / 2_147_483_647 - 0.5);
	};
}

/** Sounds that follow one another, each for so many seconds; each keeps its own time. */
export const inTurn =
	(parts: readonly [Sound, number][]): Sound =>
	(time) => {
		let from = 0;
		for (const [sound, seconds] of parts) {
			if (time < from + seconds) return sound(time - from);
			from += seconds;
		}
		return 0;
	};

/** As one channel of 16 bits. */
export const sampled = (sound: Sound, seconds: number, rate: number): Int16Array =>
	Int16Array.from({ length: seconds * rate }, (_, at) => 32_767 * sound(at / rate));
