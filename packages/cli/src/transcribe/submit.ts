import { statSync } from "node:fs";
import { basename } from "node:path";
import type { BatchClient } from "@parley/sdk/batch";
import { ParleyError } from "@parley/sdk/http";
import type { InputState } from "../interrupt.ts";
import { uploadFile } from "../uploads/upload.ts";
import { cachedJob } from "../uploads/upload-cache.ts";
import type { InputProgress } from "./progress.ts";

const MAX_TITLE_LENGTH = 500;

export type Submission = { config: object; partsAboveBytes: number | undefined };

/**
 * Job of an input. Call `forget` once its transcript is delivered or cannot be had; until then the same command follows the
 * same job.
 */
export type Submitted = { job_id: string; forget: () => void };

/** Makes a job of a file or a URL, or finds the one that an interrupted command made of the file. */
export async function submit(
	client: BatchClient,
	input: string,
	{ config, partsAboveBytes }: Submission,
	{ progress, onState }: { progress: InputProgress; onState: (state: InputState) => void },
): Promise<Submitted> {
	if (isUrl(input)) {
		const { job_id } = await client.submit({ ...config, ...titleOf(input), input_url: input });
		return { job_id, forget: () => {} };
	}
	const cached = cachedJob(input, config);
	const known = cached.read();
	if (known && (await isUsable(client, known.job_id))) return { ...known, forget: cached.delete };
	const { size } = statSync(input);
	const { uploaded, forget } = await uploadFile(client, input, {
		config,
		...(partsAboveBytes !== undefined && { partsAboveBytes }),
		onProgress: (sent) => progress.update("uploading", sent / size),
		onState: () => onState({ at: "parts" }),
	});
	// Written before the answer: an interruption between the two would otherwise make a second job.
	cached.write({ job_id: uploaded.job_id });
	try {
		const { job_id } = await client.submit({ ...config, ...titleOf(input), ...uploaded });
		forget();
		return { job_id, forget: cached.delete };
	} catch (error) {
		// An upload that already belongs to a job cannot make another one.
		if (error instanceof ParleyError && error.status === 409) forget();
		throw error;
	}
}

/** Returns whether an input is a URL rather than a path. */
export const isUrl = (input: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(input);

/** Returns the part of a submission that names the job after its input, as the console does. */
const titleOf = (input: string) => ({ tracking: { title: inputName(input).slice(0, MAX_TITLE_LENGTH) } });

/** Returns the name of a file, or the last part of a URL's path. */
function inputName(input: string): string {
	if (!isUrl(input)) return basename(input);
	const name = URL.canParse(input) ? basename(new URL(input).pathname) : "";
	try {
		return decodeURIComponent(name) || input;
	} catch {
		return name;
	}
}

/** Returns whether a cached job exists and can still give a transcript. */
async function isUsable(client: BatchClient, jobId: string): Promise<boolean> {
	try {
		const { status } = await client.get(jobId);
		return status !== "FAILED" && status !== "CANCELLED";
	} catch (error) {
		if (error instanceof ParleyError && error.status === 404) return false;
		throw error;
	}
}
