import { fromCanonicalBase64, toBase64 } from "@parley/bytes/base64";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Signed content of one attempt. `timestamp` is the time of the attempt. */
export type Signed = { id: string; timestamp: Date; body: Uint8Array };

/** A fresh signing secret in its written form. */
export const createSecret = (): string =>
	PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/**
 * The three headers of the Standard Webhooks scheme (standard-webhooks specification, 1.0.0, symmetric signatures): one
 * signature for each secret, so that receivers may change theirs at leisure.
 * @param secrets in their written form.
 */
export async function signatureHeaders(secrets: readonly string[], signed: Signed) {
	const { id, body } = signed;
	const timestamp = String(Math.floor(signed.timestamp.getTime() / 1000));
	const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
	const content = new Uint8Array(prefix.byteLength + body.byteLength);
	content.set(prefix);
	content.set(body, prefix.byteLength);
	const signatures = await Promise.all(secrets.map((secret) => sign(secret, content)));
	return {
		"webhook-id": id,
		"webhook-timestamp": timestamp,
		"webhook-signature": signatures.join(" "),
	};
}

async function sign(secret: string, content: BufferSource): Promise<string> {
	const bytes = secret.startsWith(PREFIX) ? fromCanonicalBase64(secret.slice(PREFIX.length)) : undefined;
	if (!bytes) throw new TypeError("Not a signing secret");
	const algorithm = { name: "HMAC", hash: "SHA-256" };
	const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
	return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, content)))}`;
}
