import { u8 } from "../../bytes.ts";

/** An EBML element (RFC 8794). `end` is null if its length is unknown. */
export type Element = { id: number; body: number; end: number | null };

/** Reads the header of the element at `at`. Returns null if there is none, or if the bytes end within it. */
export function readElement(b: Uint8Array, at: number): Element | null {
	const idWidth = Math.clz32(u8(b, at) << 24) + 1;
	if (idWidth > 4) return null;
	const sizeAt = at + idWidth;
	const sizeWidth = Math.clz32(u8(b, sizeAt) << 24) + 1;
	const body = sizeAt + sizeWidth;
	if (sizeWidth > 8 || body > b.length) return null;
	let id = 0;
	for (let index = at; index < sizeAt; index++) id = id * 256 + u8(b, index);
	let size = u8(b, sizeAt) & ((1 << (8 - sizeWidth)) - 1);
	let unknown = size === (1 << (8 - sizeWidth)) - 1;
	for (let index = sizeAt + 1; index < body; index++) {
		unknown &&= u8(b, index) === 255;
		size = size * 256 + u8(b, index);
	}
	return { id, body, end: unknown ? null : body + size };
}

/** Reads an unsigned integer. Returns 0 if it is longer than eight bytes. */
export function readUint(b: Uint8Array, from: number, to: number): number {
	let value = 0;
	if (to - from > 8) return 0;
	for (let at = from; at < to; at++) value = value * 256 + u8(b, at);
	return value;
}

/** Reads a float of four or eight bytes. Returns 0 for other lengths. */
export function readFloat(b: Uint8Array, from: number, to: number): number {
	const view = new DataView(b.buffer, b.byteOffset, b.byteLength);
	if (to > b.length) return 0;
	return to - from === 8 ? view.getFloat64(from) : to - from === 4 ? view.getFloat32(from) : 0;
}
