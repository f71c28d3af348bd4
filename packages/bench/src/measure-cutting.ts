// Measures planning and cutting of one file in a process that does nothing else. Usage: measure-cutting.ts FILE
import { open } from "node:fs/promises";
import { measureCutting } from "./cutting.ts";

const file = await open(process.argv[2] ?? "");
const { size } = await file.stat();
const cutting = await measureCutting({
	size,
	async read(start, end) {
		const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
		await file.read(bytes, 0, bytes.length, start);
		return bytes;
	},
});
console.log(JSON.stringify(cutting));
