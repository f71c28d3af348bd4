import type { AudioInfo } from "../../audio-info.ts";
import { AAC_SAMPLES } from "../../codecs/aac.ts";
import { broken } from "../../unsupported-audio.ts";

/** Maximum packet size. Packets of supported codecs are far smaller. */
const MAX_PACKET_BYTES = 4 * 1024 * 1024;

/** Checks that a packet is small enough to be read into memory. @throws UnsupportedAudio if it is not. */
export function checkPacketSize(bytes: number): void {
	if (bytes > MAX_PACKET_BYTES) throw broken("one of its packets is too large");
}

/** Timestamps with gaps may exceed the duration of the packets, but at most by this factor and this many seconds. */
const [MAX_STRETCH, FREE_SECONDS] = [4, 600];

/** Checks that so many packets can last as long as the container declares. @throws UnsupportedAudio if they cannot. */
export function checkDuration({ codec, sampleRate }: AudioInfo, packets: number, seconds: number): void {
	if (codec !== "aac" || seconds <= FREE_SECONDS + (MAX_STRETCH * packets * AAC_SAMPLES) / sampleRate) return;
	const hours = (seconds / 3600).toFixed(1);
	throw broken(`it declares a duration of ${hours} hours, but contains far too little audio for that`);
}
