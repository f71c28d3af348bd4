import { concat } from "@parley/bytes/concat";
import { toHex } from "@parley/bytes/hex";

/**
 * Hashes and encryption under a caller's Idempotency-Key. The key is never stored: rows are found and compared by hashes keyed with it,
 * and the response is sealed under it. A copy of the database reveals neither request (which may be a short secret) nor response.
 */
export type ClientKey = {
	hash: (...parts: (string | Uint8Array)[]) => Promise<string>;
	seal: (data: Uint8Array) => Promise<Uint8Array>;
	open: (sealed: Uint8Array) => Promise<Uint8Array>;
};

const NONCE_BYTES = 12;

/** @param scope the organisation and route; the same key means nothing elsewhere. */
export async function importClientKey(key: string, scope: string): Promise<ClientKey> {
	const root = await importHmacKey(encode(key));
	const hashKey = await importHmacKey(await sign(root, encode(`parley.idempotency.hash.v1\n${scope}`)));
	const sealBytes = await sign(root, encode(`parley.idempotency.seal.v1\n${scope}`));
	const sealKey = await crypto.subtle.importKey("raw", sealBytes, "AES-GCM", false, ["encrypt", "decrypt"]);
	return {
		async hash(...parts) {
			const digests = await Promise.all(parts.map(digest));
			return toHex(await sign(hashKey, concat(digests)));
		},
		async seal(data) {
			const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
			const text = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, sealKey, data as BufferSource);
			return concat([iv, new Uint8Array(text)]);
		},
		async open(sealed) {
			const algorithm = { name: "AES-GCM", iv: sealed.slice(0, NONCE_BYTES) };
			return new Uint8Array(await crypto.subtle.decrypt(algorithm, sealKey, sealed.slice(NONCE_BYTES)));
		},
	};
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const importHmacKey = (bytes: Uint8Array): Promise<CryptoKey> =>
	crypto.subtle.importKey("raw", bytes as BufferSource, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

const sign = async (key: CryptoKey, data: Uint8Array): Promise<Uint8Array> =>
	new Uint8Array(await crypto.subtle.sign("HMAC", key, data as BufferSource));

const digest = async (part: string | Uint8Array): Promise<Uint8Array> =>
	new Uint8Array(
		await crypto.subtle.digest("SHA-256", (typeof part === "string" ? encode(part) : part) as BufferSource),
	);
