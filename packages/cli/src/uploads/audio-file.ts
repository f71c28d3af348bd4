import { openAsBlob } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { Audio } from "@parley/sdk/upload";

/** Size from which Node's Blob of a file has a wrong size and empty slices (nodejs/node#52585). */
export const BLOB_LIMIT_BYTES = 2 * 1024 ** 3;

/** Opens a file of any size for an upload. Its slices throw once the file has changed. */
export async function openAudio(path: string): Promise<Audio> {
	const { size, mtimeMs } = await stat(path);
	if (size < BLOB_LIMIT_BYTES) return openAsBlob(path);
	return {
		size,
		slice: async (start, end) => {
			const file = await open(path);
			try {
				const bytes = Buffer.alloc(end - start);
				for (let at = 0; at < bytes.length; ) {
					const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at);
					if (bytesRead === 0) throw changed();
					at += bytesRead;
				}
				const now = await file.stat();
				if (now.size !== size || now.mtimeMs !== mtimeMs) throw changed();
				return new Blob([bytes]);
			} finally {
				await file.close();
			}
		},
	};
}

const changed = () => new Error("the file has changed while it was being sent");
