import { sha256Hex } from "@parley/bytes/sha256";
import { canonicalJson } from "./jcs.ts";

/**
 * SHA-256, lower hex, over `label`, a line feed and the canonical JSON of `value`. The label names what is hashed and its
 * format (`parley.tool.v1`), so that equal values of different meaning never share a hash.
 * @throws CanonicalJsonError when the value is not JSON; RangeError when the label is empty or holds a line feed.
 */
export async function labelledHash(label: string, value: unknown): Promise<string> {
	if (label === "" || label.includes("\n")) throw new RangeError("A hash label is one line of text");
	return sha256Hex(`${label}\n${canonicalJson(value)}`);
}
