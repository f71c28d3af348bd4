import { downloadMetadata } from "@parley/batch/downloads";
import { isInert, mediaTypeOf } from "@parley/contracts/shared/media-types";
import type { JobRow } from "@parley/db/batch/jobs";
import { EgressError } from "@parley/egress/egress-error";
import type { Ctx } from "../context.ts";
import { readProgress, removeProgress, writeProgress } from "./fetch-progress.ts";
import { inspectHead } from "./inspect-head.ts";
import { isResumable, type Source, sourceOf } from "./range-resume.ts";
import { type Begun, createObjectWriter, type ObjectWriter, type StoredObject } from "./store-stream.ts";

/** Parts fetched between two writes of the progress. A worker that dies loses at most this many. */
const PARTS_PER_WRITE = 2;

/** Transfer of a file from a host into the bucket. */
export type Download = { source: Source; writer: ObjectWriter };

/** Starts a download from a host's response. Progress is stored from the first part on, so that a lost upload can be aborted. */
export function beginDownload(ctx: Ctx, row: JobRow, key: string, response: Response): Download {
	return createDownload(ctx, row, key, sourceOf(response));
}

/** Finds the input that an earlier call stored, or a download that can be resumed. Discards one that cannot. */
export async function findDownload(
	ctx: Ctx,
	row: JobRow,
	key: string,
): Promise<{ stored?: StoredObject; download?: Download }> {
	const progress = await readProgress(ctx, row);
	if (!progress || progress.key !== key) return {};
	if ("stored" in progress) {
		const { stored } = progress;
		return (await ctx.env.MEDIA.head(key))?.etag === stored.etag ? { stored } : {};
	}
	const download = createDownload(ctx, row, key, progress.source, progress.begun);
	if (isResumable(download.source)) return { download };
	await discard(ctx, row, download);
	return {};
}

function createDownload(ctx: Ctx, row: JobRow, key: string, source: Source, begun?: Begun): Download {
	const writer = createObjectWriter(ctx.env.MEDIA, key, {
		httpMetadata: downloadMetadata(isInert(source.contentType) ? source.contentType : mediaTypeOf(key), key),
		begun,
		inspect: (head, isWhole) => inspectHead(head, isWhole ? head.byteLength : source.totalBytes),
		onPart: async (now) => {
			const isDue =
				now.parts.length === 0 || (isResumable(source) && now.parts.length % PARTS_PER_WRITE === 0);
			if (isDue) await writeProgress(ctx, row, { key, source, begun: now });
		},
	});
	return { source, writer };
}

/**
 * Stores a body.
 * @throws StepError if its first bytes cannot be audio; EgressError `network` also if the body is shorter or longer than announced.
 */
export async function receive(
	ctx: Ctx,
	row: JobRow,
	{ source, writer }: Download,
	body: ReadableStream<Uint8Array> | null,
): Promise<StoredObject> {
	for await (const bytes of body ?? []) await writer.write(bytes);
	if (source.totalBytes !== null && source.totalBytes !== writer.size()) throw new EgressError("network");
	const stored = await writer.finish();
	if (writer.begun()) await writeProgress(ctx, row, { key: writer.key, stored });
	return stored;
}

/** Keeps a download for a later call if it can be resumed. Discards it otherwise. */
export async function keep(ctx: Ctx, row: JobRow, { source, writer }: Download): Promise<void> {
	const begun = writer.begun();
	if (!begun || !isResumable(source)) return discard(ctx, row, { source, writer });
	await writeProgress(ctx, row, { key: writer.key, source, begun });
}

/** Aborts a download and removes its progress. */
export async function discard(ctx: Ctx, row: JobRow, { writer }: Download): Promise<void> {
	if (!writer.begun()) return;
	await writer.abandon();
	await removeProgress(ctx, row);
}
