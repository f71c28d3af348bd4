/**
 * Returns the name that a download gets: an input's own, a transcript's after the input of its job.
 * @param inputKey null when the job has no input any more
 */
export function downloadName(key: string, inputKey: string | null): string {
	const filename = lastPart(key);
	if (inputKey === null || key === inputKey) return filename;
	const stem = lastPart(inputKey).replace(/\.[A-Za-z0-9]{1,8}$/, "");
	return filename.replace(/^[^.]+/, stem);
}

const lastPart = (key: string): string => key.split("/").at(-1) ?? key;

/**
 * Returns the `Content-Disposition` that saves a file under its name instead of showing it (RFC 6266). It contains no space,
 * because a signed query would encode one as `+`, which some servers read as a plus sign.
 * @param filename as `safeFilename` returns it
 */
export function asAttachment(filename: string): string {
	const ascii = filename.replaceAll(/[^\x20-\x7e]/g, "_");
	const extended = ascii === filename ? "" : `;filename*=UTF-8''${encodeURIComponent(filename)}`;
	return `attachment;filename="${ascii}"${extended}`;
}

/**
 * Returns the metadata of an object that is offered for download. Storages that ignore the disposition in a signed URL serve
 * the one stored here.
 * @param inputKey input of the job, the object itself when absent
 */
export const downloadMetadata = (
	contentType: string,
	key: string,
	inputKey: string | null = key,
): R2HTTPMetadata => ({
	contentType,
	contentDisposition: asAttachment(downloadName(key, inputKey)),
});
