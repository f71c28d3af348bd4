import { concat } from "./bytes.ts";
import { broken, UnsupportedAudio } from "./unsupported-audio.ts";

/** Random access to stored bytes, such as range reads of an R2 object. */
export type AudioSource = {
	/** In bytes. */
	size: number;
	/** Bytes [start, end), with 0 ≤ start ≤ end ≤ size. May throw; the error passes through untouched. */
	read(start: number, end: number): Promise<Uint8Array>;
};

export const BLOCK_BYTES = 1024 * 1024;
/** A pass over a whole file makes fewer, larger requests. */
const WALK_BYTES = 4 * 1024 * 1024;

/**
 * Reads through aligned blocks, of which the last few are kept, so that many small reads become few large ones. What is longer
 * than a block passes them by.
 */
export function cachedSource(
	source: AudioSource,
	{ blockBytes = BLOCK_BYTES, keep = 4 }: { blockBytes?: number; keep?: number } = {},
): AudioSource {
	const blocks = new Map<number, Promise<Uint8Array>>();
	const block = (index: number): Promise<Uint8Array> => {
		const cached = blocks.get(index);
		const bytes = cached ?? source.read(index * blockBytes, Math.min(source.size, (index + 1) * blockBytes));
		// Deleting and setting again keeps the map in order of use.
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

/** A source that may be read only so much and so long: what an uploaded file makes a parser do is not to be trusted. */
export function budgetedSource(source: AudioSource, budget: Budget): AudioSource {
	const now = budget.now ?? Date.now;
	const started = now();
	let bytes = 0;
	return {
		size: source.size,
		read(start, end) {
			bytes += end - start;
			if (bytes > budget.maxBytes) throw broken("its parts cannot be found with reasonable effort");
			if (now() - started > budget.deadlineMs) throw broken("reading it takes too long");
			return source.read(start, end);
		},
	};
}

/**
 * Runs a parser over an uploaded file. Whatever it trips over is the file's fault and becomes UnsupportedAudio `broken`;
 * only errors of the source itself pass through.
 */
export async function parsing<T>(
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

/** The bytes as a source, for small files and tests. */
export function bytesSource(bytes: Uint8Array): AudioSource {
	return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/**
 * Walks [from, to) in order, block by block. `visit` gets the bytes at hand with their place in the file, and returns how
 * many it used; the rest comes again with more behind it. With `last` set nothing more will come.
 */
export async function walk(
	source: AudioSource,
	from: number,
	to: number,
	visit: (bytes: Uint8Array, offset: number, last: boolean) => number,
): Promise<void> {
	let carried = new Uint8Array(0);
	for (let at = from; at < to; ) {
		const end = Math.min(to, at + WALK_BYTES);
		const block = await source.read(at, end);
		const bytes = carried.length === 0 ? block : concat([carried, block]);
		const used = visit(bytes, at - carried.length, end >= to);
		carried = bytes.slice(used);
		at = end;
	}
}
