import type { JobRow } from "@parley/db/batch/jobs";
import { inputChanged, inputMissing } from "../audio/bucket-source.ts";
import type { Ctx } from "../context.ts";
import { StepError } from "../step-error.ts";
import { fetchInput } from "./fetch-input.ts";
import { sha256Of } from "./sha256.ts";
import type { StoredObject } from "./store-stream.ts";

/** Returns the job's stored audio. Fetches it first if the job names a URL. @throws StepError when there is none. */
export async function ensureInput(ctx: Ctx, row: JobRow, signal: AbortSignal): Promise<StoredObject> {
	const stored =
		row.inputKey === null
			? await fetchInput(ctx, row, row.inputUrl ?? "", signal)
			: await findInput(ctx, row, row.inputKey, signal);
	if (stored.size === 0) throw new StepError("input_empty", "The input is empty.");
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
		throw new StepError(
			"input_checksum_mismatch",
			"The SHA-256 of the input differs from the one announced.",
		);
	// The bucket verifies a checksum that an S3 client sends with its PUT.
	const sha256 = announced ?? object.checksums.toJSON().sha256 ?? null;
	return { key, etag: object.etag, size: object.size, sha256 };
}
