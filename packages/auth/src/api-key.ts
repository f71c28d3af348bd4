import { sha256Hex } from "@parley/bytes/sha256";

/**
 * `parley_cu_` keys reach every surface, `parley_bt_` keys the batch API, `parley_ag_` keys the runtime API of one agent. Legacy
 * ones are `parley_` + 40 hex.
 */
export type KeyFamily = "consumer" | "batch" | "agent" | "legacy";

const PREFIXES = { consumer: "parley_cu_", batch: "parley_bt_", agent: "parley_ag_" } as const;
/** Prefix of the token of a runtime session, which has the form of a key. */
const SESSION_PREFIX = "parley_st_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const CURRENT = /^parley_(cu|bt|ag|st)_[0-9A-Za-z]{38}$/;
const LEGACY = /^parley_[0-9a-f]{40}$/;

/** A fresh key: prefix, 32 random base62 characters, then six of CRC32 over all before. */
export const createKey = (family: keyof typeof PREFIXES): string => createToken(PREFIXES[family]);

/** Returns a fresh token of a runtime session, in the form of a key. */
export const createRuntimeToken = (): string => createToken(SESSION_PREFIX);

/** The family of a well-formed key whose checksum holds; undefined for any other text. Touches no storage. */
export function keyFamily(key: string): KeyFamily | undefined {
	if (LEGACY.test(key)) return "legacy";
	if (!isWellFormed(key)) return undefined;
	const families = Object.keys(PREFIXES) as (keyof typeof PREFIXES)[];
	return families.find((family) => key.startsWith(PREFIXES[family]));
}

/** Returns whether a text has the prefix of a session token. */
export const hasRuntimePrefix = (text: string): boolean => text.startsWith(SESSION_PREFIX);

/** Returns whether a text is a session token whose checksum holds. Touches no storage. */
export const isRuntimeToken = (text: string): boolean => hasRuntimePrefix(text) && isWellFormed(text);

/** SHA-256 of the whole key in lower hex: the only form that is stored. */
export const hashKey = (key: string): Promise<string> => sha256Hex(key);

/** Returns the parts of a key that may be shown after its creation. */
export const keyDisplay = (key: string): { prefix: string; lastFour: string } => ({
	prefix: Object.values(PREFIXES).find((prefix) => key.startsWith(prefix)) ?? "parley_",
	lastFour: key.slice(-4),
});

function createToken(prefix: string): string {
	const body = prefix + randomBase62(RANDOM_LENGTH);
	return body + checksum(body);
}

const isWellFormed = (text: string): boolean =>
	CURRENT.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

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
