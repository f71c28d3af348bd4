import { concat } from "@parley/bytes/concat";
import { latin1 } from "../../bytes.ts";
import { CLUSTER, SEGMENT } from "./blocks.ts";

export type WebmCoding = {
	codec: "opus" | "vorbis";
	channels: number;
	sampleRate: number;
	/** CodecPrivate, as in the source file. */
	config: Uint8Array;
};

/** A packet and its time in seconds. Packets come in order. */
export type TimedPacket = { data: Uint8Array; seconds: number };

const CLUSTER_SECONDS = 5;
const CODEC_IDS = { opus: "A_OPUS", vorbis: "A_VORBIS" };
/** Audio that an Opus decoder needs before its output is right, in nanoseconds (RFC 7845, 4.6). */
const OPUS_PRE_ROLL = 80_000_000;
/** Bytes before the data of a block: its id, its length in four bytes, track, time and flags. */
const BLOCK_HEAD = 1 + 4 + 4;

/**
 * Writes a WebM file of one track (RFC 9559) with clusters of five seconds and no index. Mediabunny, which writes MP4 here, takes ten times
 * as long for WebM.
 */
export function writeWebm(
	coding: WebmCoding,
	packets: readonly TimedPacket[],
	durationSeconds: number,
): Uint8Array<ArrayBuffer> {
	const head = element(0x1a45dfa3, [
		number(0x4286, 1),
		number(0x42f7, 1),
		number(0x42f2, 4),
		number(0x42f3, 8),
		text(0x4282, "webm"),
		number(0x4287, 4),
		number(0x4285, 2),
	]);
	const info = element(0x1549a966, [
		number(0x2ad7b1, 1_000_000),
		float(0x4489, durationSeconds * 1000),
		text(0x4d80, "parley"),
		text(0x5741, "parley"),
	]);
	const body = [info, tracks(coding), ...clusters(packets)];
	return concat([head, element(SEGMENT, body)]);
}

const tracks = ({ codec, channels, sampleRate, config }: WebmCoding): Uint8Array =>
	element(0x1654ae6b, [
		element(0xae, [
			number(0xd7, 1),
			number(0x73c5, 1),
			number(0x9c, 0),
			number(0x83, 2),
			text(0x86, CODEC_IDS[codec]),
			...(config.length > 0 ? [element(0x63a2, [config])] : []),
			...(codec === "opus" ? [number(0x56bb, OPUS_PRE_ROLL)] : []),
			element(0xe1, [float(0xb5, sampleRate), number(0x9f, channels)]),
		]),
	]);

function clusters(packets: readonly TimedPacket[]): Uint8Array[] {
	const written: Uint8Array[] = [];
	for (let from = 0; from < packets.length; ) {
		const start = (packets[from] as TimedPacket).seconds;
		let to = from;
		let size = 0;
		while (to < packets.length && (packets[to] as TimedPacket).seconds < start + CLUSTER_SECONDS) {
			size += BLOCK_HEAD + (packets[to++] as TimedPacket).data.length;
		}
		const ticks = Math.round(start * 1000);
		written.push(element(CLUSTER, [number(0xe7, ticks), blocks(packets, from, to, ticks, size)]));
		from = to;
	}
	return written;
}

function blocks(
	packets: readonly TimedPacket[],
	from: number,
	to: number,
	ticks: number,
	size: number,
): Uint8Array {
	const bytes = new Uint8Array(size);
	const view = new DataView(bytes.buffer);
	let at = 0;
	for (let index = from; index < to; index++) {
		const { data, seconds } = packets[index] as TimedPacket;
		bytes[at] = 0xa3;
		view.setUint32(at + 1, 0x10000000 | (data.length + 4));
		bytes[at + 5] = 0x81;
		view.setInt16(at + 6, Math.round(seconds * 1000) - ticks);
		bytes[at + 8] = 0x80;
		bytes.set(data, at + BLOCK_HEAD);
		at += BLOCK_HEAD + data.length;
	}
	return bytes;
}

/** Writes an element. Its length always takes eight bytes. */
function element(id: number, children: readonly Uint8Array[]): Uint8Array {
	const idBytes = [24, 16, 8, 0]
		.map((shift) => (id >>> shift) & 255)
		.filter((byte, at, all) => byte > 0 || at === all.length - 1);
	const size = children.reduce((sum, child) => sum + child.length, 0);
	const head = new Uint8Array(idBytes.length + 8);
	head.set(idBytes);
	new DataView(head.buffer).setBigUint64(idBytes.length, 0x0100000000000000n | BigInt(size));
	return concat([head, ...children]);
}

function number(id: number, value: number): Uint8Array {
	const bytes = new Uint8Array(8);
	new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
	const first = bytes.findIndex((byte) => byte > 0);
	return element(id, [bytes.subarray(first === -1 ? 7 : first)]);
}

function float(id: number, value: number): Uint8Array {
	const bytes = new Uint8Array(8);
	new DataView(bytes.buffer).setFloat64(0, value);
	return element(id, [bytes]);
}

const text = (id: number, value: string): Uint8Array => element(id, [latin1(value)]);
