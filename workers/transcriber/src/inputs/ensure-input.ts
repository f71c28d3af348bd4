import type { JobRow } from "@parley/db/jobs";
import type { Ctx } from "../context.ts";
import { Setback } from "../setback.ts";
import { inputChanged, inputMissing } from "./bucket-source.ts";
import { fetchInput } from "./fetch-input.ts";
import { sha256Of } from "./sha256.ts";
import type { StoredObject } from "./store-stream.ts";

/** The job's audio in the bucket, fetched first when it is behind a URL. @throws Setback when there is none. */
export async function ensureInput(ctx: Ctx, row: JobRow, signal: AbortSignal): Promise<StoredObject> {
	const stored =
		row.inputKey === null
			? await fetchInput(ctx, row, row.inputUrl ?? "", signal)
			: await findInput(ctx, row, row.inputKey, signal);
	if (stored.size === 0) throw new Setback("input_empty", "The input is empty.");
	return stored;
}

async function findInput(
	{ env }: Ctx,
	{ inputEtag, inputMetadata }: JobRow,
	key: string,
	signal: AbortSignal,
): Promise<StoredObject> {
	const object = await env.MEDIA.head(key);
	if (!object) throw inputMissing();
	if (inputEtag !== null && object.etag !== inputEtag) throw inputChanged();
	const { source, sha256: announced } = inputMetadata;
	if (source === "upload" && announced && (await sha256Of(env.MEDIA, object, signal)) !== announced)
		throw new Setback("input_checksum_mismatch", "The input has another SHA-256 than was announced.");
	// S3 clients may have sent one with their PUT, which the bucket has then checked.
	const sha256 = announced ?? object.checksums.toJSON().sha256 ?? null;
	return { key, etag: object.etag, size: object.size, sha256 };
}
