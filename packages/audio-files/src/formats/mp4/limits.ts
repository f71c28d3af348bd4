import type { AudioInfo } from "../../audio-info.ts";
import { AAC_SAMPLES } from "../../codecs/aac.ts";
import { broken } from "../../unsupported-audio.ts";

/** No codec that is taken has packets as large by far. */
const MAX_PACKET_BYTES = 4 * 1024 * 1024;

/** Packets are read whole. @throws UnsupportedAudio when one is too large for that. */
export function requirePacketSize(bytes: number): void {
	if (bytes > MAX_PACKET_BYTES) throw broken("one of its parts is too large");
}

/** A clock that leaps or halts in places says more than its packets hold, but not so many times more. */
const [MOST_TIMES, FREE_SECONDS] = [4, 600];

/** Whether so many packets can last as long as their container says. @throws UnsupportedAudio when they cannot. */
export function requireSound({ codec, sampleRate }: AudioInfo, packets: number, seconds: number): void {
	if (codec !== "aac" || seconds <= FREE_SECONDS + (MOST_TIMES * packets * AAC_SAMPLES) / sampleRate) return;
	const hours = (seconds / 3600).toFixed(1);
	throw broken(`it says that it lasts ${hours} hours, but holds far too little sound for that`);
}
