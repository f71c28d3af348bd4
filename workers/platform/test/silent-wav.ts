import { wave } from "@parley/testing/wave";

/** Silence as a WAV file: 16 kHz, 16 bits, mono. */
export const silentWav = (seconds: number): Uint8Array<ArrayBuffer> => wave({ seconds }, () => 0);
