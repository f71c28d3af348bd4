import { fromCanonicalBase64 } from "@parley/bytes/base64";
import { decrypt, encrypt } from "./aead.ts";
import { VaultError } from "./vault-error.ts";

/** The key-encryption keys of a deployment: all of them unwrap, the current one wraps. Fingerprints have a key of their own. */
export type KekRing = {
	currentId: string;
	keys: ReadonlyMap<string, CryptoKey>;
	fingerprintKey: CryptoKey;
};

/** Seals the entries of one organisation. */
export type DataKey = { id: string; key: CryptoKey };

/** Binding of a wrapped data key. The key cannot be opened for another organisation or id. */
export type DataKeyBinding = { organisationId: string; keyId: string };

/** `wrappedKey` is `w1.<kek id>.<base64url>`; `kekId` says once more which key wrapped it, for queries. */
export type WrappedDataKey = { wrappedKey: string; kekId: string };

const KEY_BYTES = 32;
const WRAP_LABEL = "parley.vault.data-key.v1";
const FINGERPRINT_LABEL = "parley.vault.fingerprint.v1";
const DEFAULT_KEK_ID = "default";

/**
 * Reads the setting VAULT_KEK: `id:base64[,id:base64…]`, 32 random bytes each (`openssl rand -base64 32`), the current key
 * first and those it replaced after it. An id is 1 to 32 letters, digits, `-` or `_`; a lone key without one is `default`.
 * To rotate, put `new-id:key,` in front, re-wrap every data key, then drop the old one.
 * @throws VaultError `kek_invalid`
 */
export async function parseKek(setting: string | undefined): Promise<KekRing> {
	const [current, ...older] = (setting ?? "").split(",").map(parseKekEntry);
	if (!current) throw new VaultError("kek_invalid");
	const keys = new Map<string, CryptoKey>();
	for (const { id, bytes } of [current, ...older]) {
		if (keys.has(id)) throw new VaultError("kek_invalid");
		keys.set(id, await importAesKey(bytes, false));
	}
	return { currentId: current.id, keys, fingerprintKey: await deriveFingerprintKey(current.bytes) };
}

function parseKekEntry(text: string): { id: string; bytes: Uint8Array<ArrayBuffer> } {
	const [, id = DEFAULT_KEK_ID, key = ""] = /^(?:([A-Za-z0-9_-]{1,32}):)?(.*)$/.exec(text.trim()) ?? [];
	const bytes = fromCanonicalBase64(key);
	if (bytes?.byteLength !== KEY_BYTES) throw new VaultError("kek_invalid");
	return { id, bytes };
}

/** A fresh random data key, to be wrapped and stored before anything is sealed with it. The id must be unused. */
export async function createDataKey(id: string): Promise<DataKey> {
	return { id, key: await importAesKey(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), true) };
}

/**
 * A created data key in the form that is stored. AES-GCM rather than AES-KW, since only the former can bind the wrapped
 * key to its organisation: a row copied to another organisation does not open there. A deployment wraps far too few keys
 * for random nonces to meet.
 */
export async function wrapDataKey(
	ring: KekRing,
	dataKey: DataKey,
	organisationId: string,
): Promise<WrappedDataKey> {
	const bytes = (await crypto.subtle.exportKey("raw", dataKey.key)) as ArrayBuffer;
	return wrapBytes(ring, bytes, { organisationId, keyId: dataKey.id });
}

/**
 * The data key behind its stored form; its bytes cannot be exported again.
 * @throws VaultError `kek_unknown`, `data_key_unreadable`
 */
export async function unwrapDataKey(
	ring: KekRing,
	wrappedKey: string,
	binding: DataKeyBinding,
): Promise<DataKey> {
	const bytes = await unwrapBytes(ring, wrappedKey, binding);
	return { id: binding.keyId, key: await importAesKey(bytes, false) };
}

/**
 * The same data key wrapped by the current key-encryption key. Already so, it comes back untouched and `changed` is false.
 * Sealed values stay as they are.
 * @throws VaultError `kek_unknown`, `data_key_unreadable`
 */
export async function rewrapDataKey(
	ring: KekRing,
	wrappedKey: string,
	binding: DataKeyBinding,
): Promise<WrappedDataKey & { changed: boolean }> {
	const { kekId } = parseWrapped(wrappedKey);
	if (kekId === ring.currentId) return { wrappedKey, kekId, changed: false };
	const bytes = await unwrapBytes(ring, wrappedKey, binding);
	return { ...(await wrapBytes(ring, bytes, binding)), changed: true };
}

async function wrapBytes(
	ring: KekRing,
	bytes: ArrayBuffer,
	binding: DataKeyBinding,
): Promise<WrappedDataKey> {
	const kekId = ring.currentId;
	const text = await encrypt(kekOf(ring, kekId), bytes, boundValues(kekId, binding));
	return { wrappedKey: `w1.${kekId}.${text}`, kekId };
}

async function unwrapBytes(ring: KekRing, wrappedKey: string, binding: DataKeyBinding): Promise<ArrayBuffer> {
	const { kekId, text } = parseWrapped(wrappedKey);
	const bytes = await decrypt(kekOf(ring, kekId), text, boundValues(kekId, binding));
	if (bytes?.byteLength !== KEY_BYTES) throw new VaultError("data_key_unreadable");
	return bytes;
}

function parseWrapped(wrappedKey: string): { kekId: string; text: string } {
	const [, kekId, text] = /^w1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/.exec(wrappedKey) ?? [];
	if (kekId === undefined || text === undefined) throw new VaultError("data_key_unreadable");
	return { kekId, text };
}

function kekOf(ring: KekRing, id: string): CryptoKey {
	const key = ring.keys.get(id);
	if (!key) throw new VaultError("kek_unknown");
	return key;
}

const boundValues = (kekId: string, { organisationId, keyId }: DataKeyBinding): unknown[] => [
	WRAP_LABEL,
	kekId,
	organisationId,
	keyId,
];

async function deriveFingerprintKey(bytes: BufferSource): Promise<CryptoKey> {
	const root = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
	const info = new TextEncoder().encode(FINGERPRINT_LABEL);
	const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
	return crypto.subtle.deriveKey(derivation, root, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

const importAesKey = (bytes: BufferSource, isExtractable: boolean): Promise<CryptoKey> =>
	crypto.subtle.importKey("raw", bytes, "AES-GCM", isExtractable, ["encrypt", "decrypt"]);
