import { createScrubber } from "@parley/vault/scrub/scrub";

const MAX_BYTES = 4096;
/** Of a value's longest written form to the value: percent-encoding. */
const LONGEST_FORM = 3;
/** Shorter parts of a header's value are words of its grammar. */
const MIN_PART = 8;

/**
 * The beginning of what a host answered, without the secret values that were sent to it; null when it sent nothing or what it
 * sent could not be read.
 * @param values header values; see `secretsIn` for what of them counts.
 */
export async function readSnippet(response: Response, values: readonly string[]): Promise<string | null> {
	const beginning = await readBeginning(response).catch(() => undefined);
	if (!beginning || beginning.bytes.byteLength === 0) return null;
	const text = new TextDecoder().decode(beginning.bytes);
	const secrets = values.flatMap(secretsIn);
	const scrubbed = createScrubber(secrets).text(text);
	if (beginning.isWhole) return scrubbed;
	// Where it was cut it may hold part of a value, which nothing recognises.
	const longest = Math.max(0, ...secrets.map(({ length }) => length * LONGEST_FORM));
	return scrubbed.slice(0, Math.max(0, scrubbed.length - longest)) || null;
}

/**
 * What is secret in a header's value: the whole; without its scheme, as in `Bearer abc`; each part of what has parts, as in
 * `Token token="abc"` or `session=abc; id=def`; and of Basic credentials what they say, and their password.
 */
function secretsIn(value: string): string[] {
	const plain = value.slice(value.indexOf(" ") + 1);
	const parts = value.split(/[\s,;="]+/).filter(({ length }) => length >= MIN_PART);
	const said = /^basic /i.test(value) ? Buffer.from(plain, "base64").toString() : "";
	return [value, plain, ...parts, said, said.slice(said.indexOf(":") + 1)];
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
