import type { Job, TranscriptFormat } from "@parley/contracts/batch/jobs";
import { settleAll } from "../ui/concurrency.ts";
import { saveFile, toFileName } from "../ui/files/save-file.ts";
import { zip } from "../ui/files/zip.ts";
import { jobName } from "./job-name.ts";
import { fetchTranscript } from "./jobs-api.ts";

const AT_ONCE = 4;

/** Does something to each job and counts how it went. */
export async function forEachJob(
	jobIds: string[],
	task: (jobId: string) => Promise<unknown>,
): Promise<{ done: number; failed: unknown[] }> {
	const results = await settleAll(jobIds, AT_ONCE, task);
	const failed = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
	return { done: results.length - failed.length, failed };
}

/** Saves the transcripts of jobs: one as a file, several as an archive. @returns how many there were. */
export async function downloadTranscripts(jobs: Job[], format: TranscriptFormat): Promise<number> {
	const results = await settleAll(jobs, AT_ONCE, async (job) => ({
		name: `${transcriptName(job)}.${format}`,
		content: await fetchTranscript(job.job_id, format),
	}));
	const files = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
	const [only] = files;
	if (files.length === 1 && only) saveFile(only.content, only.name);
	else if (files.length > 1) saveFile(await zip(files), "transcripts.zip");
	return files.length;
}

/** The name of a job's transcript as a file: that of its recording without its ending. */
export const transcriptName = (job: Job): string => toFileName(jobName(job).replace(/\.[a-z0-9]{2,4}$/i, ""));
