type Bytes = Uint8Array<ArrayBuffer>;

export const toBase64 = (bytes: Uint8Array): string =>
	btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** Without padding. */
export const toBase64Url = (bytes: Uint8Array): string => base64ToUrl(toBase64(bytes));

export const base64ToUrl = (text: string): string =>
	text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** The bytes of base64 text as `toBase64` writes it; undefined for any other text, also for stray bits at the end. */
export function fromBase64(text: string): Bytes | undefined {
	let binary: string;
	try {
		binary = atob(text);
	} catch {
		return undefined;
	}
	const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
	return toBase64(bytes) === text ? bytes : undefined;
}

/** The bytes of base64url text as `toBase64Url` writes it; undefined for any other text. */
export function fromBase64Url(text: string): Bytes | undefined {
	const padding = "=".repeat((4 - (text.length % 4)) % 4);
	const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/") + padding);
	return bytes && toBase64Url(bytes) === text ? bytes : undefined;
}
