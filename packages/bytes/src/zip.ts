import { concat } from "./concat.ts";

/** A file of an archive. Its name is UTF-8, with `/` between folders. */
export type ZipEntry = { name: string; bytes: Uint8Array<ArrayBuffer> };

const DEFLATE = 8;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** 1 January 1980, the first date that the format knows: equal files give equal archives. */
const DATE = 0x21;

/**
 * Writes a ZIP archive (APPNOTE 6.3.10) with deflated files, one after the other: only one is in memory at a time. At most 65,535
 * files and 4 GiB.
 */
export function zipStream(entries: AsyncIterable<ZipEntry>): ReadableStream<Uint8Array<ArrayBuffer>> {
	const parts = zipParts(entries);
	return new ReadableStream({
		async pull(controller) {
			const { value, done } = await parts.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		cancel: async () => void (await parts.return(undefined)),
	});
}

async function* zipParts(
	entries: AsyncIterable<ZipEntry>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
	const directory: Uint8Array<ArrayBuffer>[] = [];
	let [offset, count] = [0, 0];
	for await (const { name, bytes } of entries) {
		const path = concat([new TextEncoder().encode(name)]);
		const packed = await deflate(bytes);
		const shared = [VERSION, UTF8_NAMES, DEFLATE, 0, DATE];
		const sizes = [crc32(bytes), packed.length, bytes.length];
		const local = record(0x04034b50, shared, sizes, [path.length, 0]);
		directory.push(
			record(0x02014b50, [VERSION, ...shared], sizes, [path.length, 0, 0, 0, 0], [0, offset]),
			path,
		);
		offset += local.length + path.length + packed.length;
		count += 1;
		yield local;
		yield path;
		yield packed;
	}
	const central = concat(directory);
	yield central;
	yield record(0x06054b50, [0, 0, count, count], [central.length, offset], [0]);
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
	const packed = new Response(bytes).body?.pipeThrough(new CompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(packed ?? null).arrayBuffer());
}

/** Returns a signature, then groups of numbers: of 16 bits, of 32, of 16, of 32 and so on. */
function record(signature: number, ...groups: number[][]): Uint8Array<ArrayBuffer> {
	const size = (group: number) => (group % 2 === 0 ? 2 : 4);
	const length = groups.reduce((sum, numbers, group) => sum + numbers.length * size(group), 4);
	const view = new DataView(new ArrayBuffer(length));
	view.setUint32(0, signature, true);
	let at = 4;
	for (const [group, numbers] of groups.entries()) {
		for (const number of numbers) {
			if (size(group) === 2) view.setUint16(at, number, true);
			else view.setUint32(at, number, true);
			at += size(group);
		}
	}
	return new Uint8Array(view.buffer);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
	let crc = byte;
	for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
	return crc;
});

function crc32(bytes: Uint8Array): number {
	let crc = 0xffffffff;
	for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
	return (crc ^ 0xffffffff) >>> 0;
}
