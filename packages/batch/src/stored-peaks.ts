import { toBase64 } from "@parley/bytes/base64";
import type { JobPeaks } from "@parley/contracts/batch/peaks";
import type { JobRow } from "@parley/db/batch/jobs";
import { channelName } from "./channel-name.ts";
import { peaksKey } from "./object-keys.ts";

/** Peaks of a whole recording, one array per channel, or one for all channels mixed. The arrays are equally long. */
export type Peaks = { channels: Uint8Array<ArrayBuffer>[]; isSeparate: boolean };

/** Writes the peaks of a job, channel after channel. */
export async function writePeaks(bucket: R2Bucket, row: JobRow, peaks: Peaks): Promise<void> {
	const { channels, isSeparate } = peaks;
	const length = channels[0]?.length ?? 0;
	const bytes = new Uint8Array(length * channels.length);
	for (const [channel, values] of channels.entries()) bytes.set(values, channel * length);
	await bucket.put(peaksKey(row), bytes, {
		httpMetadata: { contentType: "application/octet-stream" },
		customMetadata: { channels: String(channels.length), separate: String(isSeparate) },
	});
}

/** Returns the peaks of a job as the API answers them. Undefined when none are stored. */
export async function findPeaks(bucket: R2Bucket, row: JobRow): Promise<JobPeaks["channels"] | undefined> {
	const object = await bucket.get(peaksKey(row));
	if (!object) return undefined;
	const bytes = new Uint8Array(await object.arrayBuffer());
	const count = Number(object.customMetadata?.channels ?? 1);
	const length = bytes.length / count;
	return Array.from({ length: count }, (_, channel) => ({
		label: object.customMetadata?.separate === "true" ? channelName(row, channel) : null,
		peaks: toBase64(bytes.subarray(channel * length, (channel + 1) * length)),
	}));
}
