import { inflateRawSync, crc32 as referenceCrc } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ZipEntry, zipStream } from "./zip.ts";

async function* each(entries: ZipEntry[]) {
	yield* entries;
}

const zip = async (entries: ZipEntry[]) =>
	new Uint8Array(await new Response(zipStream(each(entries))).arrayBuffer());

/** Reads an archive by its directory, as other programs do. */
function unzip(archive: Uint8Array): Map<string, Uint8Array> {
	const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
	const end = archive.length - 22;
	expect(view.getUint32(end, true)).toBe(0x06054b50);
	const files = new Map<string, Uint8Array>();
	let at = view.getUint32(end + 16, true);
	for (let count = view.getUint16(end + 10, true); count > 0; count--) {
		expect(view.getUint32(at, true)).toBe(0x02014b50);
		const [crc, packed, size] = [16, 20, 24].map((offset) => view.getUint32(at + offset, true));
		const nameLength = view.getUint16(at + 28, true);
		const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength));
		const local = view.getUint32(at + 42, true);
		const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
		const bytes = inflateRawSync(archive.subarray(start, start + (packed ?? 0)));
		expect([bytes.length, referenceCrc(bytes)]).toEqual([size, crc]);
		files.set(name, new Uint8Array(bytes));
		at += 46 + nameLength;
	}
	return files;
}

test("an archive holds its files as they were", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.uint8Array()),
			async (files) => {
				const entries = Object.entries(files).filter(([name]) => name.isWellFormed());
				const archive = await zip(entries.map(([name, bytes]) => ({ name, bytes: new Uint8Array(bytes) })));
				expect([...unzip(archive)]).toEqual(entries.map(([name, bytes]) => [name, new Uint8Array(bytes)]));
			},
		),
	);
});
