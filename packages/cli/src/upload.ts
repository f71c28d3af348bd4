import { basename } from "node:path";
import type { BatchClient } from "@parley/sdk/batch";
import { ParleyError } from "@parley/sdk/http";
import type { Uploaded, UploadOptions } from "@parley/sdk/upload";
import { openAudio } from "./audio-file.ts";
import { rememberUpload } from "./file-memory.ts";

/**
 * Uploads a file. One in parts is remembered on this machine until `forget`, so that the same command goes on after a break;
 * `onState` tells that it is.
 * @throws whatever the SDK's `upload` does.
 */
export async function uploadFile(
	client: BatchClient,
	path: string,
	options: Pick<UploadOptions, "partsAboveBytes" | "onProgress" | "onState">,
): Promise<{ uploaded: Uploaded; forget: () => void }> {
	const memory = rememberUpload(path);
	try {
		const uploaded = await client.upload(await openAudio(path), {
			...options,
			filename: basename(path),
			resume: memory.read(),
			onState: (state) => {
				memory.write(state);
				options.onState?.(state);
			},
		});
		return { uploaded, forget: memory.forget };
	} catch (error) {
		// What the service does not take is not to be carried on.
		if (isRefusal(error)) memory.forget();
		throw error;
	}
}

/** A refusal that another try would meet as well. */
export const isRefusal = (error: unknown): boolean =>
	error instanceof ParleyError && error.status < 500 && error.status !== 429;
