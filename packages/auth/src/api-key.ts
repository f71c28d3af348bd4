import { sha256Hex } from "@parley/bytes/sha256";

/** `parley_cu_` keys reach every surface, `parley_bt_` keys the batch API, legacy ones are `parley_` + 40 hex. */
export type KeyFamily = "consumer" | "batch" | "legacy";

const PREFIXES = { consumer: "parley_cu_", batch: "parley_bt_" } as const;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const CURRENT = /^parley_(cu|bt)_[0-9A-Za-z]{38}$/;
const LEGACY = /^parley_[0-9a-f]{40}$/;

/** A fresh key: prefix, 32 random base62 characters, then six of CRC32 over all before. */
export function createKey(family: "consumer" | "batch"): string {
	const body = PREFIXES[family] + randomBase62(RANDOM_LENGTH);
	return body + checksum(body);
}

/** The family of a well-formed key whose checksum holds; undefined for any other text. Touches no storage. */
export function keyFamily(key: string): KeyFamily | undefined {
	if (LEGACY.test(key)) return "legacy";
	if (!CURRENT.test(key)) return undefined;
	const body = key.slice(0, -CHECKSUM_LENGTH);
	if (checksum(body) !== key.slice(-CHECKSUM_LENGTH)) return undefined;
	return key.startsWith(PREFIXES.batch) ? "batch" : "consumer";
}

/** SHA-256 of the whole key in lower hex: the only form that is stored. */
export const hashKey = (key: string): Promise<string> => sha256Hex(key);

/** What may be shown of a key after its creation. */
export const keyDisplay = (key: string): { prefix: string; lastFour: string } => ({
	prefix: key.startsWith("parley_cu_") || key.startsWith("parley_bt_") ? key.slice(0, 10) : "parley_",
	lastFour: key.slice(-4),
});

function checksum(text: string): string {
	let value = crc32(new TextEncoder().encode(text));
	let out = "";
	for (let i = 0; i < CHECKSUM_LENGTH; i++) {
		out = ALPHABET.charAt(value % 62) + out;
		value = Math.floor(value / 62);
	}
	return out;
}

/** CRC-32/ISO-HDLC, as in zip and gzip. */
export function crc32(bytes: Uint8Array): number {
	let crc = 0xffffffff;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
	}
	return (crc ^ 0xffffffff) >>> 0;
}

function randomBase62(length: number): string {
	let out = "";
	while (out.length < length) {
		// Bytes from 248 on would make the first eight characters likelier than the rest.
		for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
			if (byte < 248 && out.length < length) out += ALPHABET.charAt(byte % 62);
		}
	}
	return out;
}
