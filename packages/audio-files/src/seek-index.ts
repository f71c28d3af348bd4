import type { PlacedPacket, Position } from "./packets.ts";

/** Packets one behind the other, which fill [start, end) of the file but for what the container puts between them. */
export type Stretch = { start: number; end: number; packets: PlacedPacket[] };

/**
 * A file in which a few packets from anywhere tell their exact time, so that those between need not be read. A format offers
 * one only where nothing that it has seen at either end of the file speaks against it.
 */
export type Clock = {
	/** First packet. */
	first: Position;
	/** The sound lies in [start, end) of the file. */
	start: number;
	end: number;
	/** Of all packets together. */
	seconds: number;
	/** Two places that know nothing of each other tell the length. Else only the rate can show that something is amiss. */
	isConfirmed: boolean;
	/** What was read at either end of the file. */
	ends: readonly Stretch[];
	/** The packets that lie wholly within these bytes, which may be none. Null when they contradict what was seen elsewhere. */
	read(bytes: Uint8Array, offset: number): Stretch | null;
};

/** From the first packet of a stretch to the end of its last; nothing for one without packets. */
export function timeOf({ packets }: Stretch): { from: number; until: number } {
	const last = packets.at(-1);
	return { from: packets[0]?.seconds ?? 0, until: last ? last.seconds + last.duration : 0 };
}
