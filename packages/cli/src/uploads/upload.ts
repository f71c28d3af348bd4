import { basename } from "node:path";
import type { BatchClient } from "@parley/sdk/batch";
import type { Uploaded, UploadOptions } from "@parley/sdk/upload";
import { isRefusal } from "../exit-codes.ts";
import { openAudio } from "./audio-file.ts";
import { cachedUpload } from "./upload-cache.ts";

/**
 * Uploads a file. An upload in parts is cached on this machine until `forget`, so that the same command resumes it.
 * `onState` is called when it is cached.
 * @throws what the SDK's `upload` throws.
 */
export async function uploadFile(
	client: BatchClient,
	path: string,
	options: Pick<UploadOptions, "config" | "partsAboveBytes" | "onProgress" | "onState">,
): Promise<{ uploaded: Uploaded; forget: () => void }> {
	const cached = cachedUpload(path);
	try {
		const uploaded = await client.upload(await openAudio(path), {
			...options,
			filename: basename(path),
			resume: cached.read(),
			onState: (state) => {
				cached.write(state);
				options.onState?.(state);
			},
		});
		return { uploaded, forget: cached.delete };
	} catch (error) {
		// A refused upload must not be resumed.
		if (isRefusal(error)) cached.delete();
		throw error;
	}
}
