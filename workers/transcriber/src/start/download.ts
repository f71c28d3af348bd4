import { downloadMetadata } from "@parley/batch/downloads";
import { isInert, mediaTypeOf } from "@parley/contracts/shared/media-types";
import type { JobRow } from "@parley/db/batch/jobs";
import { EgressError } from "@parley/egress/egress-error";
import type { Ctx } from "../context.ts";
import { readProgress, removeProgress, writeProgress } from "./fetch-progress.ts";
import { inspectHead } from "./inspect-head.ts";
import { isResumable, type Source, sourceOf } from "./range-resume.ts";
import { type Begun, createObjectWriter, type ObjectWriter, type StoredObject } from "./store-stream.ts";

/** A worker that dies loses at most so many parts that it fetched. */
const PARTS_A_MARK = 2;

/** A file on its way from a host into the bucket. */
export type Download = { source: Source; writer: ObjectWriter };

/** Begins with what a host answers. From its first part on a mark tells of it, at the least that it has to be aborted. */
export function beginDownload(ctx: Ctx, row: JobRow, key: string, response: Response): Download {
	return createDownload(ctx, row, key, sourceOf(response));
}

/** What earlier calls have left: the whole input, or a part of it that can be carried on. */
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
			const isDue = now.parts.length === 0 || (isResumable(source) && now.parts.length % PARTS_A_MARK === 0);
			if (isDue) await writeProgress(ctx, row, { key, source, begun: now });
		},
	});
	return { source, writer };
}

/**
 * Stores a body whose first bytes may be those of audio.
 * @throws StepError when they cannot be; EgressError `network` also when the body is not as long as was promised.
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

/** Leaves it so that a later call carries it on, if that can be. */
export async function keep(ctx: Ctx, row: JobRow, { source, writer }: Download): Promise<void> {
	const begun = writer.begun();
	if (!begun || !isResumable(source)) return discard(ctx, row, { source, writer });
	await writeProgress(ctx, row, { key: writer.key, source, begun });
}

/** Nothing is left of it. */
export async function discard(ctx: Ctx, row: JobRow, { writer }: Download): Promise<void> {
	if (!writer.begun()) return;
	await writer.abandon();
	await removeProgress(ctx, row);
}
