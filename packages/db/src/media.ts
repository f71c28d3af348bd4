import type { TranscriptFormat } from "@parley/contracts/jobs";

type Owner = { organisationId: string; jobId: string };

const MAX_NAME_BYTES = 180;

const folder = (kind: "inputs" | "work" | "outputs", { organisationId, jobId }: Owner) =>
	`${kind}/${organisationId}/${jobId}/`;

/** Keys of a job's objects in the media bucket. */
export const inputPrefix = (owner: Owner): string => folder("inputs", owner);
export const outputPrefix = (owner: Owner): string => folder("outputs", owner);
export const workPrefix = (owner: Owner): string => folder("work", owner);
export const inputKey = (owner: Owner, filename: string): string =>
	inputPrefix(owner) + safeFilename(filename);
export const outputKey = (owner: Owner, format: TranscriptFormat): string =>
	`${outputPrefix(owner)}transcript.${format}`;
export const notificationKey = (owner: Owner, deliveryId: string): string =>
	`${outputPrefix(owner)}notifications/${deliveryId}.json`;
export const planKey = (owner: Owner): string => `${workPrefix(owner)}plan.json`;
export const fetchKey = (owner: Owner): string => `${workPrefix(owner)}fetch.json`;
export const chunkResultKey = (owner: Owner, position: number): string =>
	`${workPrefix(owner)}${String(position).padStart(5, "0")}.json`;
export const channelResultKey = (owner: Owner, position: number, channel: number): string =>
	`${workPrefix(owner)}${String(position).padStart(5, "0")}-${channel}.json`;

/**
 * The last part of a path as a name that is safe in a key, a URL and a file system: letters and digits of any script,
 * `.`, `-`, `_` and `+`; no leading dots; at most 180 bytes, its extension kept. `audio` when nothing is left.
 */
export function safeFilename(name: string): string {
	const last = name.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
	const clean = last.replaceAll(/[^\p{L}\p{M}\p{N}._+-]+/gu, "_").replace(/^[._]+/, "");
	const extension = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? "";
	const stem = shorten(clean.slice(0, clean.length - extension.length), MAX_NAME_BYTES - extension.length);
	return (stem || "audio") + extension;
}

function shorten(text: string, maxBytes: number): string {
	const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
	return text.slice(0, read);
}

/** Name that a download of an object gets: an input's own, a transcript's after its input. */
export function downloadName(key: string, inputKey: string | null): string {
	const filename = lastPart(key);
	if (inputKey === null || key === inputKey) return filename;
	const stem = lastPart(inputKey).replace(/\.[A-Za-z0-9]{1,8}$/, "");
	return filename.replace(/^[^.]+/, stem);
}

const lastPart = (key: string): string => key.split("/").at(-1) ?? key;

/**
 * Value of `Content-Disposition` that saves a file under its name instead of showing it (RFC 6266). It has no spaces: in a
 * signed query some servers read `+` as one, others as itself.
 * @param filename as `safeFilename` makes it
 */
export function asAttachment(filename: string): string {
	const ascii = filename.replaceAll(/[^\x20-\x7e]/g, "_");
	const extended = ascii === filename ? "" : `;filename*=UTF-8''${encodeURIComponent(filename)}`;
	return `attachment;filename="${ascii}"${extended}`;
}

/** Metadata of an object that is offered for download, for storages that ignore the disposition in a signed URL. */
export const downloadMetadata = (contentType: string, filename: string): R2HTTPMetadata => ({
	contentType,
	contentDisposition: asAttachment(filename),
});

/** Metadata of an object that stands for a multipart upload: whoever removes the object aborts the upload, which no list shows. */
export const multipartMark = (key: string, multipartId: string) => ({ key, multipartId });

/** Removes every object under a prefix. @returns how many there were. */
export async function removeObjects(bucket: R2Bucket, prefix: string): Promise<number> {
	let removed = 0;
	for (;;) {
		const { objects, truncated } = await bucket.list({ prefix, include: ["customMetadata"] });
		await removeListed(bucket, objects);
		removed += objects.length;
		if (!truncated) return removed;
	}
}

/**
 * Removes the input of a job that ended without one, if anything was stored of it. A later job may have the same id, so an
 * object that is younger than the job's end stays.
 */
export async function removeUnusedInput(
	bucket: R2Bucket,
	owner: Owner & { inputKey: string | null; completedAt: string | null },
): Promise<void> {
	const { inputKey: key, completedAt } = owner;
	if (key !== null || completedAt === null) return;
	const { objects } = await bucket.list({ prefix: inputPrefix(owner), include: ["customMetadata"] });
	await removeListed(
		bucket,
		objects.filter(({ uploaded }) => uploaded.getTime() <= Date.parse(completedAt)),
	);
}

/** Removes objects that were listed with their custom metadata, and the multipart uploads that they stand for. */
export async function removeListed(bucket: R2Bucket, objects: R2Object[]): Promise<void> {
	if (objects.length === 0) return;
	for (const { customMetadata: { key, multipartId } = {} } of objects) {
		// One that is over refuses; the bucket itself aborts what is a week old.
		if (key && multipartId)
			await bucket
				.resumeMultipartUpload(key, multipartId)
				.abort()
				.catch(() => undefined);
	}
	await bucket.delete(objects.map(({ key }) => key));
}

/** Removes everything that a job has in the bucket. */
export async function removeJobFiles(bucket: R2Bucket, owner: Owner): Promise<void> {
	for (const prefix of [inputPrefix(owner), workPrefix(owner), outputPrefix(owner)]) {
		await removeObjects(bucket, prefix);
	}
}
