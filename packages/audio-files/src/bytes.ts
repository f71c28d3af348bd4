// Numbers are big-endian unless the name ends in `le`. Reads past the end return 0, so callers check lengths first.

export const u8 = (b: Uint8Array, at: number): number => b[at] ?? 0;
export const u16 = (b: Uint8Array, at: number): number => (u8(b, at) << 8) | u8(b, at + 1);
export const u24 = (b: Uint8Array, at: number): number => (u16(b, at) << 8) | u8(b, at + 2);
export const u32 = (b: Uint8Array, at: number): number => u16(b, at) * 0x10000 + u16(b, at + 2);
export const u64 = (b: Uint8Array, at: number): number => u32(b, at) * 2 ** 32 + u32(b, at + 4);
export const u16le = (b: Uint8Array, at: number): number => u8(b, at) | (u8(b, at + 1) << 8);
export const u32le = (b: Uint8Array, at: number): number => u16le(b, at) + u16le(b, at + 2) * 0x10000;
export const u64le = (b: Uint8Array, at: number): number => u32le(b, at) + u32le(b, at + 4) * 2 ** 32;
export const i32 = (b: Uint8Array, at: number): number => u32(b, at) | 0;

/** Returns `length` bytes as Latin-1 text. */
export function ascii(b: Uint8Array, at: number, length: number): string {
	let text = "";
	for (let index = at; index < at + length && index < b.length; index++)
		text += String.fromCharCode(u8(b, index));
	return text;
}

export const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Reads numbers of any width from bytes, most significant bit first. */
export class BitReader {
	position: number;
	private readonly bytes: Uint8Array;

	constructor(bytes: Uint8Array, at = 0) {
		this.bytes = bytes;
		this.position = at * 8;
	}

	get done(): boolean {
		return this.position > this.bytes.length * 8;
	}

	read(bits: number): number {
		const offset = this.position & 7;
		if (offset + bits <= 32 && bits > 0) {
			const at = this.position >> 3;
			const { bytes } = this;
			// Shifting turns the undefined bytes past the end into 0.
			const word =
				((bytes[at] as number) << 24) |
				((bytes[at + 1] as number) << 16) |
				((bytes[at + 2] as number) << 8) |
				(bytes[at + 3] as number);
			this.position += bits;
			return (word << offset) >>> (32 - bits);
		}
		let value = 0;
		for (let left = bits; left > 0; ) {
			const offset = this.position & 7;
			const take = Math.min(left, 8 - offset);
			const byte = u8(this.bytes, this.position >> 3);
			value = value * 2 ** take + ((byte >> (8 - offset - take)) & ((1 << take) - 1));
			this.position += take;
			left -= take;
		}
		return value;
	}

	skip(bits: number): void {
		this.position += bits;
	}
}
