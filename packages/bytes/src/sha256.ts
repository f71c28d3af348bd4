import { toHex } from "./hex.ts";

/** Returns SHA-256 in lower-case hex. A string counts as its UTF-8 bytes. */
export async function sha256Hex(data: Uint8Array | ArrayBuffer | string): Promise<string> {
	const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
	return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as BufferSource)));
}
