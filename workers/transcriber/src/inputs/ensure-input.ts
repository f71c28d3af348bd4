import type { JobRow } from "@parley/db/jobs";
import type { Ctx } from "../context.ts";
import { Setback } from "../setback.ts";
import { inputChanged, inputMissing } from "./bucket-source.ts";
import { fetchInput } from "./fetch-input.ts";
import type { StoredObject } from "./store-stream.ts";

/** The job's audio in the bucket, fetched first when it is behind a URL. @throws Setback when there is none. */
export async function ensureInput(ctx: Ctx, row: JobRow, signal: AbortSignal): Promise<StoredObject> {
	const stored =
		row.inputKey === null
			? await fetchInput(ctx, row, row.inputUrl ?? "", signal)
			: await findInput(ctx, row, row.inputKey);
	if (stored.size === 0) throw new Setback("input_empty", "The input is empty.");
	return stored;
}

async function findInput({ env }: Ctx, { inputEtag }: JobRow, key: string): Promise<StoredObject> {
	const object = await env.MEDIA.head(key);
	if (!object) throw inputMissing();
	if (inputEtag !== null && object.etag !== inputEtag) throw inputChanged();
	return { key, etag: object.etag, size: object.size };
}
