import { toBase64Url } from "@parley/bytes/base64";
import type { KekRing } from "./keys.ts";

/**
 * By this a value is known again that is nowhere stored: equal for equal texts, and of no help in guessing one to whoever has
 * a copy of the database alone. Another current key-encryption key gives other fingerprints.
 */
export async function fingerprint(ring: KekRing, text: string): Promise<string> {
	const bytes = new TextEncoder().encode(text);
	return toBase64Url(new Uint8Array(await crypto.subtle.sign("HMAC", ring.fingerprintKey, bytes)));
}
