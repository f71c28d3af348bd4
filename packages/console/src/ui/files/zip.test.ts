import { expect, test } from "vitest";
import { zip } from "./zip.ts";

test("an archive lists each file under a name of its own, with its content", async () => {
	const archive = await zip([
		{ name: "call.txt", content: new Blob(["first"]) },
		{ name: "Call.txt", content: new Blob(["second"]) },
		{ name: "گفتگو.srt", content: new Blob(["1\n"]) },
	]);
	expect(read(await archive.arrayBuffer())).toEqual({
		"call.txt": "first",
		"Call (2).txt": "second",
		"گفتگو.srt": "1\n",
	});
});

/** Reads an archive by its directory, as unpackers do. */
function read(buffer: ArrayBuffer): Record<string, string> {
	const view = new DataView(buffer);
	const text = (at: number, length: number) => new TextDecoder().decode(new Uint8Array(buffer, at, length));
	const end = buffer.byteLength - 22;
	expect(view.getUint32(end, true)).toBe(0x06054b50);
	const files: Record<string, string> = {};
	let at = view.getUint32(end + 16, true);
	for (let left = view.getUint16(end + 10, true); left > 0; left--) {
		expect(view.getUint32(at, true)).toBe(0x02014b50);
		const [size, nameLength] = [view.getUint32(at + 20, true), view.getUint16(at + 28, true)];
		const local = view.getUint32(at + 42, true);
		expect(view.getUint32(local, true)).toBe(0x04034b50);
		files[text(at + 46, nameLength)] = text(local + 30 + view.getUint16(local + 26, true), size);
		at += 46 + nameLength;
	}
	return files;
}
