/** A place between two packets. What the two numbers mean is up to the container: a file offset, and an index behind it. */
export type Position = [offset: number, index: number];

/** A coded packet taken out of its container. Times are seconds from the start of the file. */
export type SoundPacket = { data: Uint8Array; seconds: number; duration: number };

/** Where a packet lies in a file. */
export type PlacedPacket = {
	position: Position;
	/** Size of the packet alone, without what the container adds. */
	bytes: number;
	seconds: number;
	duration: number;
	/** Loudness. Null where the packet does not tell, or where nobody asked. */
	level: number | null;
};

/** Receives the packets of a file in order. */
export type PacketVisitor = {
	/** Seconds between which levels are wanted. Formats with an index read no bytes elsewhere. Moves on while packets are added. */
	readonly wanted: { from: number; until: number };
	/** Packets this far before `wanted` may become the start of a chunk, so each needs a position of its own. */
	readonly overlapSeconds: number;
	add(
		offset: number,
		index: number,
		bytes: number,
		seconds: number,
		duration: number,
		level: number | null,
	): void;
};

/** Where the samples of a chunk lie, so that slicing needs no index: runs of bytes, and the entries of the size table. */
export type Extents = {
	/** [offset, bytes], in order. */
	runs: [number, number][];
	/** Place of the first sample's size in the file; with `fixed` all samples are that long. */
	sizesAt: number;
	fixed: number;
	/** [samples, seconds each]. */
	durations: [number, number][];
};

/** What a pass over a file found. */
export type Scan = {
	/** The place behind the last packet. */
	end: Position;
	endSeconds: number;
	/** Where the samples of a range lie, in formats whose slices would otherwise need the index again. */
	extentsOf?: (from: Position, to: Position) => Extents;
};

/** The sound of a chunk out of its container: packets, or the bytes of samples or frames that need none. */
export type Sound = { bytes: Uint8Array } | { packets: readonly SoundPacket[] };

/** Maximum number of packets in a chunk, which is held in memory whole: four times those of 150 s of the shortest frames. */
export const MAX_CHUNK_PACKETS = 250_000;
