import {
	BufferTarget,
	type AudioCodec as BunnyCodec,
	EncodedAudioPacketSource,
	EncodedPacket,
	Mp4OutputFormat,
	Output,
} from "mediabunny";
import { BitReader } from "./bytes.ts";
import { type WebmCoding, writeWebm } from "./formats/webm/write.ts";
import type { AudioPacket } from "./packets.ts";

/** How the packets of an MP4 track are encoded. `config` is the decoder configuration. */
export type Mp4Coding = {
	codec: "aac" | "ac3" | "eac3";
	channels: number;
	sampleRate: number;
	config: Uint8Array;
};

/** Writes packets into an MP4 file. Times begin at zero. */
export async function muxMp4(
	coding: Mp4Coding,
	packets: readonly AudioPacket[],
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

/** Writes packets into a WebM file. Times begin at zero. */
export function muxWebm(coding: WebmCoding, packets: readonly AudioPacket[]): Uint8Array<ArrayBuffer> {
	const times = steadyTimes(packets);
	const timed = packets.map(({ data }, index) => ({ data, seconds: times[index] as number }));
	return writeWebm(coding, timed, (times.at(-1) ?? 0) + (packets.at(-1)?.duration ?? 0));
}

/** Longest gap between two packets that counts as silence. A longer one means that the timestamps are wrong. */
const MAX_GAP_SECONDS = 600;

/** Returns times that begin at zero and never fall. Replaces wrong timestamps by the durations of the packets. */
function steadyTimes(packets: readonly AudioPacket[]): number[] {
	let offset = -(packets[0]?.seconds ?? 0);
	let expected = 0;
	return packets.map((packet) => {
		let at = packet.seconds + offset;
		// Timestamps in milliseconds are a little off.
		if (at < expected - 0.1 || at > expected + MAX_GAP_SECONDS) {
			offset += expected - at;
			at = expected;
		}
		at = Math.max(0, at);
		expected = at + packet.duration;
		return at;
	});
}

function decoderConfig(coding: Mp4Coding): AudioDecoderConfig {
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
