import { fromCanonicalBase64Url, toBase64Url } from "@parley/bytes/base64";
import { concat } from "@parley/bytes/concat";
import { canonicalJson } from "@parley/canonical/jcs";

const NONCE_BYTES = 12;

/**
 * AES-256-GCM under a random 96-bit nonce: base64url of nonce, ciphertext and tag. `bound` is authenticated beside it, as
 * canonical JSON, so that no two lists of values share a text. One key may do this 2^32 times (NIST SP 800-38D, 8.3).
 */
export async function encrypt(key: CryptoKey, plain: BufferSource, bound: unknown[]): Promise<string> {
	const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
	const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters(iv, bound), key, plain));
	return toBase64Url(concat([iv, sealed]));
}

/** The plain bytes; undefined when text, key or bound values are not those of `encrypt`. */
export async function decrypt(
	key: CryptoKey,
	text: string,
	bound: unknown[],
): Promise<ArrayBuffer | undefined> {
	const bytes = fromCanonicalBase64Url(text);
	if (!bytes) return undefined;
	const iv = bytes.subarray(0, NONCE_BYTES);
	try {
		return await crypto.subtle.decrypt(parameters(iv, bound), key, bytes.subarray(NONCE_BYTES));
	} catch {
		return undefined;
	}
}

const parameters = (iv: Uint8Array<ArrayBuffer>, bound: unknown[]) => ({
	name: "AES-GCM",
	iv,
	additionalData: new TextEncoder().encode(canonicalJson(bound)),
});
