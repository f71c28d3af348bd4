/** RFC 4648, sections 6 and 7. */
export const BASE32_ALPHABETS = [
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"0123456789ABCDEFGHIJKLMNOPQRSTUV",
] as const;

/** Encodes bytes in base32 without padding; a last group that lacks bits is filled up with zeros. */
export function toBase32(bytes: Uint8Array, alphabet: string): string {
	let text = "";
	let bits = 0;
	let held = 0;
	for (const byte of bytes) {
		bits = (bits << 8) | byte;
		for (held += 8; held >= 5; held -= 5) text += alphabet[(bits >>> (held - 5)) & 31];
		bits &= (1 << held) - 1;
	}
	return held === 0 ? text : text + alphabet[(bits << (5 - held)) & 31];
}
