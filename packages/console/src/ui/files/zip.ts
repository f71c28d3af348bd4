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

const UTF8_NAMES = 0x0800;
const VERSION = 20;

/** Writes a ZIP archive without compression. Names are made unique. */
export async function zip(files: { name: string; content: Blob }[]): Promise<Blob> {
	const taken = new Set<string>();
	const parts: Uint8Array<ArrayBuffer>[] = [];
	const directory: Uint8Array<ArrayBuffer>[] = [];
	let offset = 0;
	for (const { name, content } of files) {
		const path = new TextEncoder().encode(uniqueName(name, taken));
		const bytes = new Uint8Array(await content.arrayBuffer());
		const shared = [VERSION, UTF8_NAMES, 0, 0, 0x21] as const;
		const sizes = [crc32(bytes), bytes.length, bytes.length] as const;
		const local = header(0x04034b50, [...shared], [...sizes], [path.length, 0]);
		directory.push(
			header(0x02014b50, [VERSION, ...shared], [...sizes], [path.length, 0, 0, 0, 0], [0, offset]),
			path,
		);
		parts.push(local, path, bytes);
		offset += local.length + path.length + bytes.length;
	}
	const size = directory.reduce((sum, part) => sum + part.length, 0);
	const end = header(0x06054b50, [0, 0, files.length, files.length], [size, offset], [0]);
	return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** Writes a signature, then groups of numbers: 16 bits, 32, 16, 32 and so on. */
function header(signature: number, ...groups: number[][]): Uint8Array<ArrayBuffer> {
	const length = 4 + groups.reduce((sum, group, at) => sum + group.length * (at % 2 === 0 ? 2 : 4), 0);
	const view = new DataView(new ArrayBuffer(length));
	view.setUint32(0, signature, true);
	let at = 4;
	for (const [index, group] of groups.entries()) {
		for (const number of group) {
			if (index % 2 === 0) view.setUint16(at, number, true);
			else view.setUint32(at, number, true);
			at += index % 2 === 0 ? 2 : 4;
		}
	}
	return new Uint8Array(view.buffer);
}

function uniqueName(name: string, taken: Set<string>): string {
	const dot = name.lastIndexOf(".");
	const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
	let unique = name;
	for (let copy = 2; taken.has(unique.toLowerCase()); copy++) unique = `${stem} (${copy})${ending}`;
	taken.add(unique.toLowerCase());
	return unique;
}
