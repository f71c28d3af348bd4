import { sha256Hex } from "@parley/bytes/sha256";
import { labelledHash } from "@parley/canonical/hash";
import type { SubmitJob } from "@parley/contracts/batch/job-submission";
import { ApiError } from "@parley/contracts/shared/api-error";

export const generateJobId = (): string => `job${crypto.randomUUID().replaceAll("-", "")}`;

/** Equal for equal submissions; inline audio counts by its bytes. */
export async function hashOf(body: SubmitJob, bytes?: Uint8Array): Promise<string> {
	const { input_base64, ...rest } = body;
	const audio = bytes && (await sha256Hex(bytes));
	return labelledHash("parley.batch-submission.v1", JSON.parse(JSON.stringify({ ...rest, audio })));
}

export const jobIdTaken = (): ApiError =>
	new ApiError(
		"JOB_CONFLICT",
		"job_id is already used by another job: choose another one, or leave it out to have one generated",
	);
