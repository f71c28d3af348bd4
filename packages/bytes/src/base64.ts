type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes encoded at once: a multiple of 3, and fewer than a call may have arguments. */
const STEP = 0x6000;

/** Encodes bytes in base64 with padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
	let text = "";
	for (let at = 0; at < bytes.length; at += STEP) {
		text += btoa(String.fromCharCode(...bytes.subarray(at, at + STEP)));
	}
	return text;
}

/** Decodes base64, with or without padding. @throws DOMException InvalidCharacterError for any other text. */
export const fromBase64 = (text: string): Bytes =>
	Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Decodes base64 as `toBase64` writes it. Returns undefined for any other text, also for stray bits at the end. */
export function fromCanonicalBase64(text: string): Bytes | undefined {
	try {
		const bytes = fromBase64(text);
		return toBase64(bytes) === text ? bytes : undefined;
	} catch {
		return undefined;
	}
}

/** Encodes bytes in base64url without padding (RFC 4648, section 5). */
export const toBase64Url = (bytes: Uint8Array): string => base64ToUrl(toBase64(bytes));

/** Rewrites base64 as base64url without padding. */
export const base64ToUrl = (text: string): string =>
	text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Decodes base64url as `toBase64Url` writes it. Returns undefined for any other text. */
export function fromCanonicalBase64Url(text: string): Bytes | undefined {
	const padding = "=".repeat((4 - (text.length % 4)) % 4);
	const bytes = fromCanonicalBase64(text.replaceAll("-", "+").replaceAll("_", "/") + padding);
	return bytes && toBase64Url(bytes) === text ? bytes : undefined;
}
