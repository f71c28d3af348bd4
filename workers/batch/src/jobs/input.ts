import { downloadMetadata } from "@parley/batch/downloads";
import { inputKey } from "@parley/batch/object-keys";
import { mediaTypeOf } from "@parley/contracts/shared/media-types";
import type { Ctx } from "../context.ts";
import { refuseField } from "../refusals.ts";

/** An object that is older than this and that no job uses was left by a submission that died. */
const ABANDONED_MS = 60_000;

/** The bytes of standard base64 (RFC 4648 section 4); line breaks and missing padding are let through. */
export function decodeBase64(text: string): Uint8Array {
	const clean = text.replaceAll(/[\r\n]/g, "");
	const data = clean.replace(/={0,2}$/, "");
	const padded = clean.length - data.length;
	const isWhole = data.length % 4 !== 1 && (padded === 0 || clean.length % 4 === 0);
	if (!/^[A-Za-z0-9+/]+$/.test(data) || !isWhole)
		throw refuseField("input_base64", "Must be base64 (RFC 4648) in the standard alphabet");
	return Buffer.from(data, "base64");
}

type Inline = { jobId: string; filename: string; bytes: Uint8Array; isIdGiven: boolean };

/**
 * Stores inline audio. A job_id that the caller chose may be on its way in by another request: then that one's object is
 * left alone and the answer is undefined.
 */
export async function putInline(
	{ env, clock, actor }: Ctx,
	{ jobId, filename, bytes, isIdGiven }: Inline,
): Promise<{ key: string; etag: string } | undefined> {
	const key = inputKey({ organisationId: actor.organisation.id, jobId }, filename);
	const options = { httpMetadata: downloadMetadata(mediaTypeOf(filename), key) };
	if (!isIdGiven) return { key, etag: (await env.MEDIA.put(key, bytes, options)).etag };
	const first: R2Object | null = await env.MEDIA.put(key, bytes, {
		...options,
		onlyIf: { etagDoesNotMatch: "*" },
	});
	if (first) return { key, etag: first.etag };
	const other = await env.MEDIA.head(key);
	if (other && clock().getTime() - other.uploaded.getTime() < ABANDONED_MS) return undefined;
	return { key, etag: (await env.MEDIA.put(key, bytes, options)).etag };
}
