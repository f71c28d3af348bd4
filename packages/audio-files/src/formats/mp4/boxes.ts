import type { AudioSource } from "../../audio-source.ts";
import { ascii, u32, u64 } from "../../bytes.ts";
import { broken } from "../../unsupported-audio.ts";

/** A box; offsets count from the start of the file, or of the bytes given. */
export type Box = { type: string; start: number; body: number; end: number };

/** Maximum number of boxes on one level. A day of fragments of 0.1 s has fewer. */
const MAX_BOXES = 2_000_000;

/**
 * Yields the headers of the boxes in [from, to) of a file (ISO 14496-12, 4.2). The last box may declare an end beyond `to`, so callers
 * that read its content must stay within `to`.
 */
export async function* fileBoxes(
	source: AudioSource,
	from: number,
	to: number,
	maxBoxes = MAX_BOXES,
): AsyncGenerator<Box> {
	let count = 0;
	for (let at = from; at + 8 <= to; ) {
		if (++count > maxBoxes) throw broken("it has too many boxes");
		const header = await source.read(at, Math.min(to, at + 16));
		const box = boxAt(header, 0, at, to);
		if (!box) return;
		yield box;
		at = box.end;
	}
}

/** Yields the boxes in [from, to) of bytes in memory. */
export function* boxes(b: Uint8Array, from: number, to: number): Generator<Box> {
	for (let at = from; at + 8 <= to; ) {
		const box = boxAt(b, at, at, to);
		if (!box) return;
		yield box;
		at = box.end;
	}
}

function boxAt(b: Uint8Array, at: number, start: number, limit: number): Box | null {
	const short = u32(b, at);
	const size = short === 1 ? u64(b, at + 8) : short === 0 ? limit - start : short;
	const header = short === 1 ? 16 : 8;
	if (size < header) return null;
	return { type: ascii(b, at + 4, 4), start, body: start + header, end: start + size };
}

/** Finds the first box at a path below [from, to), such as `mdia/minf/stbl`. Returns null if there is none. */
export function findBox(b: Uint8Array, from: number, to: number, path: string): Box | null {
	const [type, ...rest] = path.split("/");
	for (const box of boxes(b, from, to)) {
		if (box.type !== type) continue;
		const end = Math.min(box.end, to);
		return rest.length === 0 ? { ...box, end } : findBox(b, box.body, end, rest.join("/"));
	}
	return null;
}
