import type { AudioFormat } from "@parley/audio-files/audio-info";
import { MEDIA_TYPES } from "@parley/audio-files/media-types";
import type { JobAudio } from "@parley/contracts/batch/peaks";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { ANY_TYPE } from "@parley/contracts/shared/media-types";
import type { JobRow } from "@parley/db/batch/jobs";
import type { Ctx } from "../context.ts";
import { readJob } from "../find-job.ts";
import { createAudioLink } from "./audio-link.ts";

/** @throws ApiError JOB_CONFLICT until the audio is here; RESOURCE_NOT_FOUND also when it is not kept any more. */
export async function getAudio(ctx: Ctx, jobId: string): Promise<JobAudio> {
	const row = await readJob(ctx, jobId);
	const object = row.inputKey === null ? null : await ctx.env.MEDIA.head(row.inputKey);
	if (!object) throw whyNot(row);
	const { url, expiresAt } = await createAudioLink(ctx, row);
	return {
		job_id: row.jobId,
		url,
		content_type: playableType(row),
		size_bytes: object.size,
		duration_seconds: row.inputMetadata.duration_seconds,
		expires_at: expiresAt,
	};
}

/** Returns the media type of what Parley found in the bytes. The type that a caller gave could be a page with scripts. */
export const playableType = ({ inputMetadata: { format } }: Pick<JobRow, "inputMetadata">): string =>
	MEDIA_TYPES[format as AudioFormat] ?? ANY_TYPE;

function whyNot({ jobId, status, filesRemovedAt }: JobRow): ApiError {
	if (status === "QUEUED" || status === "IN_PROGRESS")
		return new ApiError("JOB_CONFLICT", `The audio of job ${jobId} is not here yet (status ${status})`);
	if (filesRemovedAt === null) return notFound("Audio", `${jobId}. The job ended without it`);
	return notFound("Audio", `${jobId}. It was removed at the end of the job's retention`);
}
