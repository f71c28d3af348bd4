import { BitReader, u8, u16 } from "../bytes.ts";
import type { AudioPacket } from "../packets.ts";
import type { FrameFormat } from "./frames.ts";
import { GAIN_DB, SILENT } from "./loudness.ts";

/** Samples per packet. */
export const AAC_SAMPLES = 1024;

const AAC_RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/** Frames of AAC with ADTS headers (ISO 14496-3, 1.A.2.2). */
export const adtsFrames: FrameFormat = {
	headerBytes: 7,
	needsConfirmation: true,
	read(b, at) {
		if (u8(b, at) !== 0xff || (u8(b, at + 1) & 0xf6) !== 0xf0) return null;
		const rate = AAC_RATES[(u8(b, at + 2) >> 2) & 15];
		const size = ((u8(b, at + 3) & 3) << 11) | (u16(b, at + 4) >> 5);
		if (rate === undefined || size < 8) return null;
		const channels = ((u8(b, at + 2) & 1) << 2) | (u8(b, at + 3) >> 6);
		const samples = 1024 * ((u8(b, at + 6) & 3) + 1);
		return {
			size,
			meanSize: null,
			samples,
			rate,
			channels: channels === 7 ? 8 : channels,
			kind: u8(b, at + 2) >> 6,
		};
	},
	level: (b, at, size) => aacLevel(b.subarray(at + adtsHeaderBytes(b, at), at + size)),
};

/** Returns the length of an ADTS header: 9 with a checksum, otherwise 7. */
const adtsHeaderBytes = (b: Uint8Array, at: number): number => (u8(b, at + 1) & 1 ? 7 : 9);

/** Builds the AudioSpecificConfig that matches an ADTS header. */
export function adtsToAacConfig(b: Uint8Array, at: number): Uint8Array {
	const objectType = (u8(b, at + 2) >> 6) + 1;
	const rateIndex = (u8(b, at + 2) >> 2) & 15;
	const channels = ((u8(b, at + 2) & 1) << 2) | (u8(b, at + 3) >> 6);
	return Uint8Array.of((objectType << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (channels << 3));
}

/** Returns the packets of consecutive ADTS frames, without their headers. */
export function readAdtsPackets(b: Uint8Array): AudioPacket[] {
	const packets: AudioPacket[] = [];
	let seconds = 0;
	for (let at = 0; at + adtsFrames.headerBytes <= b.length; ) {
		const frame = adtsFrames.read(b, at);
		if (!frame || at + frame.size > b.length) {
			at++;
			continue;
		}
		const duration = frame.samples / frame.rate;
		packets.push({ data: b.subarray(at + adtsHeaderBytes(b, at), at + frame.size), seconds, duration });
		seconds += duration;
		at += frame.size;
	}
	return packets;
}

/** Reads channels and core sample rate from an AudioSpecificConfig (ISO 14496-3, 1.6.2.1). Values that it omits stay unset. */
export function readAacConfig(config: Uint8Array): { channels?: number; sampleRate?: number } {
	const bits = new BitReader(config);
	if (bits.read(5) === 31) bits.skip(6);
	const rateIndex = bits.read(4);
	const sampleRate = rateIndex === 15 ? bits.read(24) : AAC_RATES[rateIndex];
	const channels = bits.read(4);
	return {
		...(channels > 0 ? { channels: channels === 7 ? 8 : channels } : {}),
		...(sampleRate ? { sampleRate } : {}),
	};
}

/** Syntactic elements: single channel, channel pair, data stream, fill (ISO 14496-3, 4.4.2.1). */
const [SCE, CPE, DSE, FIL] = [0, 1, 4, 6];

/** Returns the level of an AAC packet by `global_gain` of its first channel (ISO 14496-3, 4.4.2). Null if it cannot be read. */
export function aacLevel(packet: Uint8Array): number | null {
	const bits = new BitReader(packet);
	for (let element = bits.read(3); !bits.done; element = bits.read(3)) {
		if (element === SCE || element === CPE) {
			bits.skip(4);
			return element === CPE && bits.read(1) === 1 ? pairGain(bits) : channelGain(bits);
		}
		if (element === FIL) {
			const count = bits.read(4);
			bits.skip(8 * (count === 15 ? 14 + bits.read(8) : count));
		} else if (element === DSE) {
			bits.skip(4);
			const aligned = bits.read(1) === 1;
			const count = bits.read(8);
			const bytes = count === 255 ? 255 + bits.read(8) : count;
			if (aligned) bits.skip(-bits.position & 7);
			bits.skip(8 * bytes);
		} else return null;
	}
	return null;
}

function channelGain(bits: BitReader): number | null {
	const gain = bits.read(8);
	const info = readBands(bits);
	return info && (info.bands === 0 ? SILENT : (gain - 100) * GAIN_DB);
}

function pairGain(bits: BitReader): number | null {
	const info = readBands(bits);
	if (!info) return null;
	if (bits.read(2) === 1) bits.skip(info.bands * info.groups);
	const gain = bits.read(8);
	return info.bands === 0 ? SILENT : (gain - 100) * GAIN_DB;
}

/** Reads `ics_info`: the number of scale factor bands and window groups. Null with prediction, which speech coders do not use. */
function readBands(bits: BitReader): { bands: number; groups: number } | null {
	bits.skip(1);
	const shortWindows = bits.read(2) === 2;
	bits.skip(1);
	if (!shortWindows) {
		const bands = bits.read(6);
		return bits.read(1) === 1 ? null : { bands, groups: 1 };
	}
	const bands = bits.read(4);
	const grouping = bits.read(7);
	let groups = 1;
	for (let bit = 0; bit < 7; bit++) if (((grouping >> bit) & 1) === 0) groups++;
	return { bands, groups };
}
