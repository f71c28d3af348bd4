import ipaddr from "ipaddr.js";

const ADDRESS_TYPES = { A: 1, AAAA: 28 };
const INTERNET = 1;
const HEADER_BYTES = 12;
const FLAGS = { isResponse: 0x8000, isTruncated: 0x0200, recursionDesired: 0x0100, rcode: 0x000f };
const NXDOMAIN = 3;
const MAX_LABEL_BYTES = 63;

/** The addresses of a name or of what it is an alias of, and the shortest life of a record among them, in seconds. */
export type Answer = { addresses: string[]; ttlSeconds: number };

/**
 * The question for the addresses of a name (RFC 1035 section 4.1), with the id that RFC 8484 section 4.1 wants.
 * @param name labels of at most 63 ASCII characters, without a final dot.
 */
export function addressQuery(name: string, type: keyof typeof ADDRESS_TYPES): Uint8Array<ArrayBuffer> {
	const labels = name.split(".").map((label) => [label.length, ...new TextEncoder().encode(label)]);
	const header = [
		...word(0),
		...word(FLAGS.recursionDesired),
		...word(1),
		...word(0),
		...word(0),
		...word(0),
	];
	return new Uint8Array([...header, ...labels.flat(), 0, ...word(ADDRESS_TYPES[type]), ...word(INTERNET)]);
}

/**
 * Parses a resolver's response. The resolver has followed aliases itself, so that the owner of each address does not matter.
 * @throws Error for an incomplete response and for one that reports a failure.
 */
export function readAnswer(message: Uint8Array): Answer {
	const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
	const flags = view.getUint16(2);
	const rcode = flags & FLAGS.rcode;
	if (!(flags & FLAGS.isResponse) || flags & FLAGS.isTruncated || (rcode !== 0 && rcode !== NXDOMAIN))
		throw new Error(`The resolver answered with the flags ${flags.toString(16)}`);
	let at = HEADER_BYTES;
	for (let questions = view.getUint16(4); questions > 0; questions--) at = afterName(view, at) + 4;
	const addresses: string[] = [];
	let ttlSeconds = Number.POSITIVE_INFINITY;
	for (let records = view.getUint16(6); records > 0; records--) {
		at = afterName(view, at);
		const type = view.getUint16(at);
		ttlSeconds = Math.min(ttlSeconds, view.getUint32(at + 4));
		const end = at + 10 + view.getUint16(at + 8);
		if (end > message.length) throw new Error("The resolver's answer ends within a record");
		if (type === ADDRESS_TYPES.A || type === ADDRESS_TYPES.AAAA)
			addresses.push(ipaddr.fromByteArray([...message.subarray(at + 10, end)]).toString());
		at = end;
	}
	return { addresses, ttlSeconds };
}

/** Returns the position after a name, which ends with an empty label or a pointer (RFC 1035 section 4.1.4). */
function afterName(view: DataView, from: number): number {
	let at = from;
	for (;;) {
		const length = view.getUint8(at);
		if (length >= 0xc0) return at + 2;
		if (length === 0) return at + 1;
		if (length > MAX_LABEL_BYTES) throw new Error("The resolver's answer holds a name that is none");
		at += 1 + length;
	}
}

const word = (value: number): [number, number] => [value >> 8, value & 0xff];
