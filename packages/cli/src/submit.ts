import { statSync } from "node:fs";
import type { BatchClient } from "@parley/sdk/batch";
import { ParleyError } from "@parley/sdk/http";
import { rememberJob } from "./file-memory.ts";
import type { Standing } from "./interrupt.ts";
import type { Bar } from "./progress.ts";
import { uploadFile } from "./upload.ts";

export type Submission = { config: object; partsAboveBytes: number | undefined };

/** `forget` when its transcript is delivered or cannot be had: until then the same command follows the same job. */
export type Submitted = { job_id: string; forget: () => void };

/** Makes a job of a file or a URL, or finds the one that an interrupted command has made of the file. */
export async function submit(
	client: BatchClient,
	input: string,
	{ config, partsAboveBytes }: Submission,
	{ bar, onStanding }: { bar: Bar; onStanding: (standing: Standing) => void },
): Promise<Submitted> {
	if (isUrl(input)) {
		const { job_id } = await client.submit({ ...config, input_url: input });
		return { job_id, forget: () => {} };
	}
	const memory = rememberJob(input, config);
	const known = memory.read();
	if (known && (await isOfUse(client, known.job_id))) return { ...known, forget: memory.forget };
	const { size } = statSync(input);
	const { uploaded, forget } = await uploadFile(client, input, {
		...(partsAboveBytes !== undefined && { partsAboveBytes }),
		onProgress: (sent) => bar.update("uploading", sent / size),
		onState: () => onStanding({ at: "parts" }),
	});
	// Before the answer: a break between the two would make a second job.
	memory.write({ job_id: uploaded.job_id });
	try {
		const { job_id } = await client.submit({ ...config, ...uploaded });
		forget();
		return { job_id, forget: memory.forget };
	} catch (error) {
		// A remembered upload that has become a job already makes no other.
		if (error instanceof ParleyError && error.status === 409) forget();
		throw error;
	}
}

export const isUrl = (input: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(input);

/** Whether a remembered job was made indeed and can still give a transcript. */
async function isOfUse(client: BatchClient, jobId: string): Promise<boolean> {
	try {
		const { status } = await client.get(jobId);
		return status !== "FAILED" && status !== "CANCELLED";
	} catch (error) {
		if (error instanceof ParleyError && error.status === 404) return false;
		throw error;
	}
}
