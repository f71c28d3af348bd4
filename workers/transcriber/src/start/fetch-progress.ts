import { fetchKey } from "@parley/batch/object-keys";
import { multipartMark } from "@parley/batch/stored-objects";
import type { JobRow } from "@parley/db/batch/jobs";
import type { Ctx } from "../context.ts";
import type { Source } from "./range-resume.ts";
import type { Begun, StoredObject } from "./store-stream.ts";

/**
 * Progress of the fetch of a job's input, stored so that another worker can resume it. An input that fits into one part has
 * none.
 */
export type FetchProgress = { key: string } & ({ begun: Begun; source: Source } | { stored: StoredObject });

export async function writeProgress({ env }: Ctx, row: JobRow, progress: FetchProgress): Promise<void> {
	const customMetadata =
		"begun" in progress ? multipartMark(progress.key, progress.begun.multipartId) : undefined;
	await env.MEDIA.put(fetchKey(row), JSON.stringify(progress), {
		httpMetadata: { contentType: "application/json" },
		...(customMetadata && { customMetadata }),
	});
}

export async function readProgress({ env }: Ctx, row: JobRow): Promise<FetchProgress | undefined> {
	const object = await env.MEDIA.get(fetchKey(row));
	return object ? object.json<FetchProgress>() : undefined;
}

export async function removeProgress({ env }: Ctx, row: JobRow): Promise<void> {
	await env.MEDIA.delete(fetchKey(row));
}
