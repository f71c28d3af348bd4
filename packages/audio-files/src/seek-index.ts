import type { PlacedPacket, Position } from "./packets.ts";

/** Consecutive packets. Apart from the container's overhead they fill bytes [start, end) of the file. */
export type PacketRange = { start: number; end: number; packets: PlacedPacket[] };

/**
 * Random access to the packets of a file whose packets state their exact time, so that the packets in between need not be read.
 * A format offers an index only if nothing at either end of the file contradicts it.
 */
export type SeekIndex = {
	/** Position of the first packet. */
	first: Position;
	/** File offsets of the audio data. */
	start: number;
	end: number;
	/** Duration of all packets together. */
	durationSeconds: number;
	/** True if two independent sources state the duration. Otherwise only an even bit rate can confirm it. */
	isConfirmed: boolean;
	/** Packets at both ends of the file. */
	ends: readonly PacketRange[];
	/** Parses the packets that lie completely within these bytes. Returns null if they contradict what was read elsewhere. */
	read(bytes: Uint8Array, offset: number): PacketRange | null;
};

/** Returns the time from the first packet of a range to the end of its last, or zeros if it has no packets. */
export function timeOf({ packets }: PacketRange): { from: number; until: number } {
	const last = packets.at(-1);
	return { from: packets[0]?.seconds ?? 0, until: last ? last.seconds + last.duration : 0 };
}
