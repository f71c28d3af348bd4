import { createScrubber } from "@parley/vault/scrub/scrub";

const MAX_BYTES = 4096;
/** Maximum growth of a value by encoding, which is that of percent-encoding. */
const LONGEST_FORM = 3;
/** Minimum length of a part that counts as secret. Shorter parts are words of the header's grammar. */
const MIN_PART = 8;

/**
 * Returns the beginning of a response body without the secret values that were sent; null when the body is empty or unreadable.
 * @param values header values of the request; `secretsIn` chooses their secret parts
 */
export async function readSnippet(response: Response, values: readonly string[]): Promise<string | null> {
	const beginning = await readBeginning(response).catch(() => undefined);
	if (!beginning || beginning.bytes.byteLength === 0) return null;
	const text = new TextDecoder().decode(beginning.bytes);
	const secrets = values.flatMap(secretsIn);
	const scrubbed = createScrubber(secrets).text(text);
	if (beginning.isWhole) return scrubbed;
	// A cut body may end with part of a value, which the scrubber cannot recognise.
	const longest = Math.max(0, ...secrets.map(({ length }) => length * LONGEST_FORM));
	return scrubbed.slice(0, Math.max(0, scrubbed.length - longest)) || null;
}

/**
 * Returns the secret parts of a header's value: the whole value; the value without its scheme, as in `Bearer abc`; each part, as in
 * `Token token="abc"` or `session=abc; id=def`; and the decoded Basic credentials and their password.
 */
function secretsIn(value: string): string[] {
	const plain = value.slice(value.indexOf(" ") + 1);
	const parts = value.split(/[\s,;="]+/).filter(({ length }) => length >= MIN_PART);
	const decoded = /^basic /i.test(value) ? Buffer.from(plain, "base64").toString() : "";
	return [value, plain, ...parts, decoded, decoded.slice(decoded.indexOf(":") + 1)];
}

async function readBeginning({ body }: Response) {
	const bytes = new Uint8Array(MAX_BYTES);
	const reader = body?.getReader();
	let length = 0;
	while (reader) {
		const { done, value } = await reader.read();
		if (done) break;
		const part = value.subarray(0, MAX_BYTES - length);
		bytes.set(part, length);
		length += part.byteLength;
		if (part.byteLength === value.byteLength) continue;
		reader.cancel().catch(() => undefined);
		return { bytes, isWhole: false };
	}
	return { bytes: bytes.subarray(0, length), isWhole: true };
}
