import type { SubmitJob } from "@parley/contracts/batch/job-submission";

/** Options of a job beside its input. */
export type JobOptions = Pick<
	SubmitJob,
	| "model_code"
	| "transcription_config"
	| "translation_config"
	| "summarization_config"
	| "sentiment_analysis_config"
	| "topic_detection_config"
	| "auto_chapters_config"
	| "audio_events_config"
	| "tracking"
>;

export type UploadState = "waiting" | "sending" | "paused" | "needs-file" | "submitted" | "failed";

/** One file on its way to a job. All but the file itself survives a reload. */
export type Upload = {
	/** Also the id of the upload. */
	jobId: string;
	name: string;
	size: number;
	type: string;
	lastModified: number;
	options: JobOptions;
	state: UploadState;
	sentBytes: number;
	/** Bytes a second over the last seconds. */
	speed: number;
	/** Why it failed. */
	problem?: string;
	/** Id of a multipart upload. */
	uploadId?: string;
	partSize?: number;
	/** ETags of the parts that have arrived, by number. */
	etags: Record<number, string>;
	/** Id of the tab that sends it. */
	tab: string;
	/** Lets Chromium open the file again after a reload. */
	handle?: FileSystemFileHandle;
};

export type NewFile = { file: File; handle?: FileSystemFileHandle };

/** Whether a file that was chosen again is the one of an interrupted upload. */
export const isSameFile = (upload: Upload, file: File): boolean =>
	upload.name === file.name && upload.size === file.size && upload.lastModified === file.lastModified;

/** Lists the numbers of the parts that have not arrived. */
export function missingParts({
	size,
	partSize,
	etags,
}: Pick<Upload, "size" | "partSize" | "etags">): number[] {
	const count = Math.ceil(size / (partSize ?? size));
	return Array.from({ length: count }, (_, index) => index + 1).filter(
		(number) => etags[number] === undefined,
	);
}

/** Counts the bytes of the parts that have arrived. */
export function arrivedBytes({ size, partSize, etags }: Pick<Upload, "size" | "partSize" | "etags">): number {
	if (!partSize) return 0;
	const last = Math.ceil(size / partSize);
	return Object.keys(etags).reduce(
		(sum, number) => sum + (Number(number) === last ? size - (last - 1) * partSize : partSize),
		0,
	);
}
