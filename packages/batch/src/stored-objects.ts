import { inputPrefix, type JobKey, outputPrefix, workPrefix } from "./object-keys.ts";

/**
 * Returns the custom metadata of an object that stands for a multipart upload, which no list shows. Removing the object aborts
 * the upload.
 */
export const multipartMark = (key: string, multipartId: string) => ({ key, multipartId });

/** Removes every object under a prefix. Returns how many there were. */
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
 * Removes what is stored as the input of a job that ended without one. A later job may have the same id, so an object that is
 * younger than the job's end stays.
 */
export async function removeUnusedInput(
	bucket: R2Bucket,
	job: JobKey & { inputKey: string | null; completedAt: string | null },
): Promise<void> {
	const { inputKey: key, completedAt } = job;
	if (key !== null || completedAt === null) return;
	const { objects } = await bucket.list({ prefix: inputPrefix(job), include: ["customMetadata"] });
	await removeListed(
		bucket,
		objects.filter(({ uploaded }) => uploaded.getTime() <= Date.parse(completedAt)),
	);
}

/** Removes objects that were listed with their custom metadata, and the multipart uploads that they stand for. */
export async function removeListed(bucket: R2Bucket, objects: R2Object[]): Promise<void> {
	if (objects.length === 0) return;
	for (const { customMetadata: { key, multipartId } = {} } of objects) {
		// An upload that is complete or aborted refuses. The bucket itself aborts uploads after a week.
		if (key && multipartId)
			await bucket
				.resumeMultipartUpload(key, multipartId)
				.abort()
				.catch(() => undefined);
	}
	await bucket.delete(objects.map(({ key }) => key));
}

/** Removes all objects of a job. */
export async function removeJobObjects(bucket: R2Bucket, job: JobKey): Promise<void> {
	for (const prefix of [inputPrefix(job), workPrefix(job), outputPrefix(job)]) {
		await removeObjects(bucket, prefix);
	}
}
