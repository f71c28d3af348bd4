/** A position between two packets. Each container defines the two numbers: usually a file offset, and an index from there. */
export type Position = [offset: number, index: number];

/** An encoded packet without its container. Times are seconds from the start of the file. */
export type AudioPacket = { data: Uint8Array; seconds: number; duration: number };

/** A packet's position and time in a file. */
export type PlacedPacket = {
	position: Position;
	/** Size of the packet, without the container's overhead. */
	bytes: number;
	seconds: number;
	duration: number;
	/** Loudness. Null if the packet does not tell, or if the visitor does not want it. */
	level: number | null;
};

/** Receives the packets of a file in order. */
export type PacketVisitor = {
	/** Span in seconds whose levels the visitor wants. It moves on while packets are added. Formats with an index read no others. */
	readonly wanted: { from: number; until: number };
	/** Packets this long before `wanted` may become the start of a chunk, so each needs its own position. */
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

/** Location of a chunk's samples in an MP4 file, so that slicing needs no index. */
export type Extents = {
	/** Runs of bytes as [offset, bytes], in order. */
	runs: [number, number][];
	/** File offset of the first sample's size in the size table. */
	sizesAt: number;
	/** Size of every sample, or 0 if the size table holds them. */
	fixed: number;
	/** Durations as [samples, seconds per sample]. */
	durations: [number, number][];
};

/** Result of a pass over a file. */
export type Scan = {
	/** Position behind the last packet. */
	end: Position;
	endSeconds: number;
	/** Returns the extents of a range. Set by formats whose slices would otherwise need the whole index again. */
	extentsOf?: (from: Position, to: Position) => Extents;
};

/** Audio without its container: packets, or the bytes of samples or frames that need no container. */
export type AudioData = { bytes: Uint8Array } | { packets: readonly AudioPacket[] };

/** Maximum number of packets in a chunk, which is held in memory: four times those of 150 s of the shortest frames. */
export const MAX_CHUNK_PACKETS = 250_000;
