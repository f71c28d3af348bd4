import { env } from "cloudflare:workers";
import { outputKey } from "@parley/batch/object-keys";
import { type TranscriptWord, toResults } from "@parley/batch/transcript-words";
import { TRANSCRIPT_FORMAT, Transcript } from "@parley/contracts/batch/transcript";
import type { JobRow } from "@parley/db/batch/jobs";
import { type Client, insertJob } from "./client.ts";

/** Words of half a second each. `A: hello there B: yes` has two speakers. */
export function spoken(text: string): TranscriptWord[] {
	let speaker: string | undefined;
	const words: TranscriptWord[] = [];
	for (const part of text.split(" ").filter(Boolean)) {
		const label = /^(\w+):$/.exec(part)?.[1];
		if (label) speaker = label;
		else {
			const start = words.length / 2;
			const times = { start, end: start + 0.4, confidence: 0.9, language: "en" };
			words.push({ word: part, ...times, ...(speaker !== undefined && { speaker }) });
		}
	}
	return words;
}

/** A job that is DONE, with its transcript as the transcriber leaves it. */
export async function insertTranscript(
	client: Client,
	words: TranscriptWord[],
	row: Partial<JobRow> = {},
): Promise<JobRow> {
	const job = await insertJob(client.organisation.id, {
		status: "DONE",
		completedAt: new Date().toISOString(),
		outputMetadata: {
			word_count: words.length,
			coverage: null,
			languages: ["en"],
			engine: "e",
			warnings: [],
		},
		...row,
	});
	const transcript = Transcript.parse({
		format: TRANSCRIPT_FORMAT,
		job: { id: job.jobId, created_at: job.submittedAt, duration: words.length / 2, data_name: null },
		metadata: {
			...{ type: "transcription", created_at: job.submittedAt, model_code: "e", engine: "e" },
			transcription_config: job.jobConfig.transcription_config,
			...{ languages: ["en"], coverage: null, word_times_estimated: false, warnings: [] },
		},
		results: toResults(words),
	});
	await env.MEDIA.put(outputKey(job, "json"), JSON.stringify(transcript));
	return job;
}
