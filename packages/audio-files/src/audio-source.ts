import { concat } from "@parley/bytes/concat";
import { broken, UnsupportedAudio } from "./unsupported-audio.ts";

/** Random access to stored bytes, such as range reads of an R2 object. */
export type AudioSource = {
	/** Size in bytes. */
	size: number;
	/** Returns bytes [start, end), with 0 ≤ start ≤ end ≤ size. May throw; parsers pass the error on unchanged. */
	read(start: number, end: number): Promise<Uint8Array>;
};

export const BLOCK_BYTES = 1024 * 1024;
/** Bytes per read of a pass over a whole file. */
const SEQUENTIAL_BYTES = 4 * 1024 * 1024;

/**
 * Returns a source that reads aligned blocks and keeps the last few, so that many small reads become few large ones. Reads
 * longer than a block bypass the cache.
 */
export function cachedSource(
	source: AudioSource,
	{ blockBytes = BLOCK_BYTES, keep = 4 }: { blockBytes?: number; keep?: number } = {},
): AudioSource {
	const blocks = new Map<number, Promise<Uint8Array>>();
	const block = (index: number): Promise<Uint8Array> => {
		const cached = blocks.get(index);
		const bytes = cached ?? source.read(index * blockBytes, Math.min(source.size, (index + 1) * blockBytes));
		// Deleting and setting an entry keeps the map in order of use.
		blocks.delete(index);
		blocks.set(index, bytes);
		if (!cached) bytes.catch(() => blocks.delete(index));
		for (const oldest of blocks.keys()) {
			if (blocks.size <= keep) break;
			blocks.delete(oldest);
		}
		return bytes;
	};
	return {
		size: source.size,
		async read(start, end) {
			if (end - start > blockBytes) return source.read(start, end);
			const first = Math.floor(start / blockBytes);
			const last = Math.floor(Math.max(start, end - 1) / blockBytes);
			if (first === last) {
				return (await block(first)).subarray(start - first * blockBytes, end - first * blockBytes);
			}
			const bytes = new Uint8Array(end - start);
			for (let index = first; index <= last; index++) {
				const from = Math.max(start, index * blockBytes);
				const piece = (await block(index)).subarray(from - index * blockBytes, end - index * blockBytes);
				bytes.set(piece, from - start);
			}
			return bytes;
		},
	};
}

export type Budget = { maxBytes: number; deadlineMs: number; now?: () => number };

/** Returns a source that throws once a parser has read more bytes, or taken more time, than the budget. Uploads are untrusted. */
export function budgetedSource(source: AudioSource, budget: Budget): AudioSource {
	const now = budget.now ?? Date.now;
	const started = now();
	let bytes = 0;
	return {
		size: source.size,
		read(start, end) {
			bytes += end - start;
			if (bytes > budget.maxBytes) throw broken("parsing it reads too much data");
			if (now() - started > budget.deadlineMs) throw broken("parsing it takes too long");
			return source.read(start, end);
		},
	};
}

/**
 * Runs a parser over an uploaded file. Every error of the parser becomes UnsupportedAudio `broken`, because the file caused it.
 * Errors of the source pass through.
 */
export async function runParser<T>(
	source: AudioSource,
	parse: (source: AudioSource) => Promise<T>,
): Promise<T> {
	let fault: unknown;
	const watched: AudioSource = {
		size: source.size,
		async read(start, end) {
			if (start < 0 || start > end || end > source.size) throw broken("it ends too early");
			try {
				return await source.read(start, end);
			} catch (error) {
				fault = error;
				throw error;
			}
		},
	};
	try {
		return await parse(watched);
	} catch (error) {
		if (error instanceof UnsupportedAudio || fault !== undefined) throw error;
		throw broken("it cannot be read", error);
	}
}

/** Returns a source over bytes in memory. */
export function bytesSource(bytes: Uint8Array): AudioSource {
	return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/**
 * Reads [from, to) in order, block by block. `visit` gets the bytes so far with their file offset, and returns how many it used;
 * the next call repeats the rest with more bytes behind it. `isLast` says that no more bytes follow.
 */
export async function readSequentially(
	source: AudioSource,
	from: number,
	to: number,
	visit: (bytes: Uint8Array, offset: number, isLast: boolean) => number,
): Promise<void> {
	let carried = new Uint8Array(0);
	for (let at = from; at < to; ) {
		const end = Math.min(to, at + SEQUENTIAL_BYTES);
		const block = await source.read(at, end);
		const bytes = carried.length === 0 ? block : concat([carried, block]);
		const used = visit(bytes, at - carried.length, end >= to);
		carried = bytes.slice(used);
		at = end;
	}
}
