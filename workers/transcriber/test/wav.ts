import { wave } from "@parley/testing/wave";

const LOUDEST = 8000 / 32_767;

/** A PCM file of 16 kHz: on each channel a tone, 0 for silence, that swells and fades once a second, so that it has pauses. */
export const wav = (seconds: number, hertz: readonly number[] = [220]): Uint8Array<ArrayBuffer> =>
	wave({ seconds, channels: hertz.length }, (time, channel) => {
		const envelope = Math.max(0, Math.sin(2 * Math.PI * time));
		return LOUDEST * envelope * Math.sin(2 * Math.PI * (hertz[channel] ?? 0) * time);
	});
