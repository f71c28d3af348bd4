import { z } from "zod";
import { Timestamp } from "../shared/common.ts";

/** Peaks of one second of audio. One peak is one byte. */
export const PEAKS_PER_SECOND = 20;

export const PeaksStatus = z.enum(["available", "pending", "unavailable"]).meta({
	id: "PeaksStatus",
	description:
		"available: the peaks are here. pending: the job has not ended. unavailable: the job has none, because it is older than this feature, did not complete, or its files were removed.",
});
export type PeaksStatus = z.infer<typeof PeaksStatus>;

export const ChannelPeaks = z
	.object({
		label: z.string().nullable().meta({
			description:
				"Label of the channel, as the transcript names it. Null when the channels were not recognised separately.",
		}),
		peaks: z.string().meta({
			description:
				"Base64 of one byte per peak, in time order: 0 is silence, 255 is full scale. Peak n covers the seconds from n / 20 to (n + 1) / 20.",
			example: "AAABEjRWeJq83v8=",
		}),
	})
	.meta({ id: "ChannelPeaks" });
export type ChannelPeaks = z.infer<typeof ChannelPeaks>;

/** Peaks of a job's audio, with which a player draws the waveform without reading the file. */
export const JobPeaks = z
	.object({
		job_id: z.string().describe("Id of the job"),
		status: PeaksStatus,
		peaks_per_second: z.int().describe("Peaks per second of audio, always 20"),
		duration_seconds: z
			.number()
			.nullable()
			.describe("Length of the audio in seconds. Null while it is unknown."),
		channels: z.array(ChannelPeaks).meta({
			description:
				"One entry per channel when the channels were recognised separately, otherwise one entry for all of them. Empty unless `status` is `available`.",
		}),
	})
	.meta({ id: "JobPeaks", description: "Loudest sample of each twentieth of a second" });
export type JobPeaks = z.infer<typeof JobPeaks>;

export const JobAudio = z
	.object({
		job_id: z.string().describe("Id of the job"),
		url: z.url().meta({
			description:
				"Signed URL of the audio for a player. Works without a key until `expires_at` and answers range requests.",
		}),
		content_type: z
			.string()
			.describe("Media type of the audio, as Parley recognised it in the bytes")
			.meta({ example: "audio/mpeg" }),
		size_bytes: z.int().describe("Size of the audio in bytes"),
		duration_seconds: z
			.number()
			.nullable()
			.describe("Length of the audio in seconds. Null while it is unknown."),
		expires_at: Timestamp.describe("Time at which the URL stops working, one hour after the request"),
	})
	.meta({ id: "JobAudio", description: "Where to play the audio of a job" });
export type JobAudio = z.infer<typeof JobAudio>;
