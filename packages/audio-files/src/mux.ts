import {
	BufferTarget,
	type AudioCodec as BunnyCodec,
	EncodedAudioPacketSource,
	EncodedPacket,
	Mp4OutputFormat,
	Output,
} from "mediabunny";
import { BitReader } from "./bytes.ts";
import { type WebmCoding, webmFile } from "./formats/webm/webm-file.ts";
import type { SoundPacket } from "./packets.ts";

export type Coding = {
	codec: "aac" | "ac3" | "eac3";
	channels: number;
	sampleRate: number;
	config: Uint8Array;
};

/** An MP4 file of these packets, with times from zero. */
export async function muxMp4(
	coding: Coding,
	packets: readonly SoundPacket[],
): Promise<Uint8Array<ArrayBuffer>> {
	const format = new Mp4OutputFormat({ fastStart: "in-memory" });
	const output = new Output({ format, target: new BufferTarget() });
	const track = new EncodedAudioPacketSource(coding.codec satisfies BunnyCodec);
	output.addAudioTrack(track);
	await output.start();
	const times = steadyTimes(packets);
	for (const [index, packet] of packets.entries()) {
		const encoded = new EncodedPacket(packet.data, "key", times[index] as number, packet.duration);
		await track.add(encoded, index === 0 ? { decoderConfig: decoderConfig(coding) } : undefined);
	}
	await output.finalize();
	return new Uint8Array(output.target.buffer as ArrayBuffer);
}

/** A WebM file of these packets, with times from zero. */
export function muxWebm(coding: WebmCoding, packets: readonly SoundPacket[]): Uint8Array<ArrayBuffer> {
	const times = steadyTimes(packets);
	const timed = packets.map(({ data }, index) => ({ data, seconds: times[index] as number }));
	return webmFile(coding, timed, (times.at(-1) ?? 0) + (packets.at(-1)?.duration ?? 0));
}

/** Longest silence that a file may leave out between two packets; beyond it the clock has jumped. */
const MAX_GAP_SECONDS = 600;

/** Times from zero that never fall: a damaged clock is replaced by what the packets last. */
function steadyTimes(packets: readonly SoundPacket[]): number[] {
	let offset = -(packets[0]?.seconds ?? 0);
	let expected = 0;
	return packets.map((packet) => {
		let at = packet.seconds + offset;
		// Clocks that count milliseconds lie a little off.
		if (at < expected - 0.1 || at > expected + MAX_GAP_SECONDS) {
			offset += expected - at;
			at = expected;
		}
		at = Math.max(0, at);
		expected = at + packet.duration;
		return at;
	});
}

function decoderConfig(coding: Coding): AudioDecoderConfig {
	const { channels: numberOfChannels, sampleRate, config } = coding;
	const plain = { numberOfChannels, sampleRate };
	switch (coding.codec) {
		case "aac": {
			const bits = new BitReader(config);
			const first = bits.read(5);
			const objectType = first === 31 ? 32 + bits.read(6) : first;
			return { ...plain, codec: `mp4a.40.${objectType}`, description: config };
		}
		case "ac3":
			return { ...plain, codec: "ac-3" };
		case "eac3":
			return { ...plain, codec: "ec-3" };
	}
}
