import { concat } from "@parley/bytes/concat";
import { fixture } from "./recordings.fixture.ts";

// Small files that keep a parser busy or fill its memory.

const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));
const number32 = (value: number): number[] => [
	value >>> 24,
	(value >>> 16) & 255,
	(value >>> 8) & 255,
	value & 255,
];

/** Repeats bytes. */
function repeated(bytes: readonly number[], times: number): Uint8Array {
	const all = new Uint8Array(bytes.length * times);
	for (let index = 0; index < times; index++) all.set(bytes, index * bytes.length);
	return all;
}

const box = (type: string, ...content: (number | readonly number[])[]): number[] => {
	const body = content.flat();
	return [...number32(body.length + 8), ...letters(type), ...body];
};
const FTYP = box("ftyp", letters("M4A "), number32(0));

/** Nested boxes that all reach to the end. Parsing each one twice doubles the work at each level. */
export function nestedBoxes(levels: number): Uint8Array {
	const length = levels * 16;
	const inner = Array.from({ length: levels }, (_, level) => [
		...number32(16),
		...letters("mdia"),
		...number32(length - level * 16 - 8),
		...letters("mdia"),
	]).flat();
	return Uint8Array.from([...FTYP, ...box("moov", box("trak", inner))]);
}

/** Empty boxes and nothing else. */
export const endlessBoxes = (count: number): Uint8Array =>
	concat([Uint8Array.from(FTYP), repeated(box("free"), count)]);

/** Fragments of a few bytes that declare half a million samples each. */
export function emptyFragments(count: number): Uint8Array {
	const decoder = [5, 2, 0x12, 0x08];
	const esds = [3, 25, 0, 0, 0, 4, 17, 0x40, 0x15, ...Array<number>(11).fill(0), ...decoder, 6, 1, 2];
	const entry = box(
		"mp4a",
		Array<number>(17).fill(0),
		1,
		0,
		16,
		Array<number>(4).fill(0),
		[0xac, 0x44, 0, 0],
		[...box("esds", number32(0), esds)],
	);
	const table = box(
		"stbl",
		box("stsd", number32(0), number32(1), entry),
		...["stts", "stsc", "stco"].map((type) => box(type, number32(0), number32(0))),
		box("stsz", number32(0), number32(0), number32(0)),
	);
	const track = box(
		"trak",
		box("tkhd", Array<number>(12).fill(0), number32(1), Array<number>(64).fill(0)),
		box(
			"mdia",
			box("mdhd", Array<number>(12).fill(0), number32(44_100), Array<number>(8).fill(0)),
			box("hdlr", Array<number>(8).fill(0), letters("soun"), Array<number>(13).fill(0)),
			box("minf", table),
		),
	);
	const defaults = box("trex", [0, 1, 1, 0, 0, 0].flatMap(number32));
	const run = box("trun", number32(0), number32(499_999));
	const moof = box("moof", box("traf", box("tfhd", [0, 2, 0, 0], number32(1)), run));
	return concat([
		Uint8Array.from([...FTYP, ...box("moov", track, box("mvex", defaults))]),
		repeated(moof, count),
	]);
}

const EBML = [0x1a, 0x45, 0xdf, 0xa3, 0x80];
const SEGMENT = [0x18, 0x53, 0x80, 0x67];
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75];
const TRACKS = [0x16, 0x54, 0xae, 0x6b];
const UNKNOWN = [0x01, ...Array<number>(7).fill(255)];
const element = (id: readonly number[], body: readonly number[]): number[] => [
	...id,
	0x10 | (body.length >> 24),
	(body.length >> 16) & 255,
	(body.length >> 8) & 255,
	body.length & 255,
	...body,
];

/** Lists of tracks of unknown length. Each seems to contain all that follow. */
export const nestedTracks = (bytes: number): Uint8Array =>
	concat([Uint8Array.from(EBML), repeated([...SEGMENT, 0x85, ...TRACKS, 0xff], bytes / 10)]);

/** A list of empty tracks. */
export function endlessTracks(count: number): Uint8Array {
	const head = [...EBML, ...SEGMENT, ...UNKNOWN, ...element(TRACKS, Array<number>(2 * count).fill(0))];
	const entries = repeated([0xae, 0x80], count);
	return concat([Uint8Array.from(head.slice(0, -2 * count)), entries]);
}

const OPUS_HEAD = [...letters("OpusHead"), 1, 1, 0, 0, 0x80, 0xbb, ...Array<number>(5).fill(0)];
const OPUS_TAGS = [...letters("OpusTags"), ...Array<number>(8).fill(0)];

/** One packet every ten minutes, the longest gap between timestamps that counts as valid. */
export function packetsFarApart(count: number): Uint8Array {
	const track = [
		...element([0xd7], [1]),
		...element([0x83], [2]),
		...element([0x86], letters("A_OPUS")),
		...element([0x63, 0xa2], OPUS_HEAD),
	];
	const clusters = Array.from({ length: count }, (_, index) => [
		...[...CLUSTER, ...UNKNOWN, ...element([0xe7], number32(index * 599_000))],
		...element([0xa3], [0x81, 0, 0, 0x80, 0x78, 1, 2]),
	]);
	const head = [...EBML, ...SEGMENT, ...UNKNOWN, ...element(TRACKS, element([0xae], track))];
	return Uint8Array.from([...head, ...clusters.flat()]);
}

/** Blocks of seven bytes with 256 empty frames each. */
export function emptyFrames(blocks: number): Uint8Array {
	const track = [
		...element([0xd7], [1]),
		...element([0x83], [2]),
		...element([0x86], letters("A_OPUS")),
		...element([0x63, 0xa2], OPUS_HEAD),
	];
	const head = [
		...EBML,
		...SEGMENT,
		...UNKNOWN,
		...element(TRACKS, element([0xae], track)),
		...CLUSTER,
		...UNKNOWN,
	];
	return concat([
		Uint8Array.from([...head, 0xe7, 0x81, 0]),
		repeated([0xa3, 0x85, 0x81, 0, 0, 4, 255], blocks),
	]);
}

function page(
	serial: number,
	flags: number,
	granule: number,
	laces: readonly number[],
	body: readonly number[],
) {
	const bytes = new Uint8Array(27 + laces.length + body.length);
	const view = new DataView(bytes.buffer);
	bytes.set([...letters("OggS"), 0, flags], 0);
	view.setBigInt64(6, BigInt(granule), true);
	view.setUint32(14, serial, true);
	bytes[26] = laces.length;
	bytes.set([...laces, ...body], 27);
	return [...bytes];
}

const OPUS_STREAM = [
	...page(1, 2, 0, [OPUS_HEAD.length], OPUS_HEAD),
	...page(1, 0, 0, [OPUS_TAGS.length], OPUS_TAGS),
];

/** An Ogg file of empty packets, which have no duration. */
export const emptyPackets = (pages: number): Uint8Array =>
	concat([
		Uint8Array.from(OPUS_STREAM),
		repeated(page(1, 0, -1, Array<number>(255).fill(0), []), pages),
		Uint8Array.from(page(1, 4, 48_000, [3], [0x78, 1, 2])),
	]);

/** A chain whose second stream begins with an endless header. */
export const endlessHeader = (pages: number): Uint8Array =>
	concat([
		Uint8Array.from([
			...OPUS_STREAM,
			...page(1, 4, 48_000, [3], [0x78, 1, 2]),
			...page(2, 2, 0, [OPUS_HEAD.length], OPUS_HEAD),
		]),
		repeated(page(2, 1, -1, Array<number>(255).fill(255), Array<number>(255 * 255).fill(65)), pages),
	]);

/** A Vorbis file whose header declares a sample rate of zero. */
export function vorbisWithoutRate(): Uint8Array {
	const bytes = fixture("vorbis.ogg").slice();
	const header = bytes.findIndex(
		(byte, at) => byte === 1 && bytes[at + 1] === 0x76 && bytes[at + 2] === 0x6f,
	);
	bytes.fill(0, header + 12, header + 16);
	return bytes;
}

/** A WAV file of chunks that hold nothing. */
export function emptyRiffChunks(size: number): Uint8Array {
	const bytes = new Uint8Array(size);
	bytes.set(letters("RIFF"), 0);
	bytes.set(letters("WAVE"), 8);
	return bytes;
}

/** A WAV file with one sample per second. */
export function wavWithSlowSamples(seconds: number): Uint8Array {
	const bytes = new Uint8Array(44 + seconds);
	const view = new DataView(bytes.buffer);
	bytes.set(letters("RIFF"), 0);
	bytes.set(letters("WAVEfmt "), 8);
	view.setUint32(16, 16, true);
	view.setUint16(20, 1, true);
	view.setUint16(22, 1, true);
	view.setUint32(24, 1, true);
	view.setUint16(32, 1, true);
	view.setUint16(34, 8, true);
	bytes.set(letters("data"), 36);
	view.setUint32(40, seconds, true);
	return bytes;
}

/** MP3 frames, then many other bytes, then frames again. */
export const audioFarApart = (gapBytes: number): Uint8Array =>
	concat([fixture("cbr.mp3"), new Uint8Array(gapBytes), fixture("cbr.mp3")]);

/** A fixture with another 32-bit number `at` bytes behind a name. */
export function withNumber(
	name: string,
	behind: string | readonly number[],
	at: number,
	value: number,
): Uint8Array {
	const bytes = fixture(name);
	const pattern = typeof behind === "string" ? letters(behind) : behind;
	const found = bytes.findIndex((_, place) => pattern.every((byte, index) => bytes[place + index] === byte));
	bytes.set(number32(value), found + at);
	return bytes;
}

/** An Ogg file in which each page states an earlier time than the one before. */
export function oggWithFallingTime(name: string): Uint8Array {
	const bytes = fixture(name);
	const view = new DataView(bytes.buffer);
	let left = 480_000n;
	for (let at = 0; at + 27 <= bytes.length; at++) {
		if (view.getUint32(at) !== 0x4f676753 || view.getBigInt64(at + 6, true) <= 0n) continue;
		left -= 48_000n;
		view.setBigInt64(at + 6, left > 0n ? left : 1n, true);
	}
	return bytes;
}

/** An Ogg file whose ends are a day apart. The bytes between look like the start of pages. */
export function oggWithHole(holeBytes: number): Uint8Array {
	const packets = (from: number, count: number, flags: number) =>
		Array.from({ length: count }, (_, index) => {
			const bytes = Uint8Array.from(
				page(1, flags, 0, Array<number>(50).fill(3), Array<number>(150).fill(0x78)),
			);
			new DataView(bytes.buffer).setBigInt64(6, BigInt((from + index + 1) * 48_000), true);
			new DataView(bytes.buffer).setUint32(18, from + index, true);
			return bytes;
		});
	return concat([
		Uint8Array.from(OPUS_STREAM),
		...packets(0, 60, 0),
		new Uint8Array(holeBytes).fill(0x4f),
		...packets(86_400, 60, 0),
	]);
}
