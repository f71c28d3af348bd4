// What the tests of the console prepare over the API, as the organisation that they share.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "@parley/contracts/batch/jobs";
import { root } from "@parley/dev-stack/settings/configs";
import { inject } from "vitest";

export const speechFixture = (name: string): Buffer =>
	readFileSync(join(root, "packages/testing/fixtures/speech", name));

export async function api<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
	const response = await fetch(inject("baseUrl") + path, {
		method,
		headers: {
			authorization: `Bearer ${key ?? inject("studio").api_key}`,
			...(body !== undefined && { "content-type": "application/json" }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
	return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Transcribes a recording of the test corpus unless it is there already, and waits for its end. */
export async function ensureJob(jobId: string, fixture: string, more: object = {}): Promise<Job> {
	const input = {
		job_id: jobId,
		input_filename: fixture,
		input_base64: speechFixture(fixture).toString("base64"),
		...more,
	};
	await api("POST", "/v1/batch/jobs", input).catch((error: Error) => {
		if (!error.message.includes(": 409 ")) throw error;
	});
	return ended(jobId);
}

async function ended(jobId: string): Promise<Job> {
	const deadline = Date.now() + 120_000;
	while (Date.now() < deadline) {
		const job = await api<Job>("GET", `/v1/batch/jobs/${jobId}?wait=20`);
		if (job.completed_at) return job;
	}
	throw new Error(`Job ${jobId} has not ended within two minutes`);
}

/** Reads a job's transcript as plain text, without the line break at its end. */
export async function transcriptText(jobId: string, revision?: number): Promise<string> {
	const query = `format=txt${revision ? `&revision=${revision}` : ""}`;
	const response = await fetch(`${inject("baseUrl")}/v1/batch/jobs/${jobId}/transcript?${query}`, {
		headers: { authorization: `Bearer ${inject("studio").api_key}` },
	});
	return (await response.text()).trim();
}

type Presigned = { job_id: string; upload: { url: string; s3_key: string; headers: Record<string, string> } };

/** Uploads a recording and transcribes it unless it is there already, and waits for its end. */
export async function ensureUpload(jobId: string, filename: string, bytes: Uint8Array): Promise<Job> {
	const existing = await api<Job>("GET", `/v1/batch/jobs/${jobId}`).catch(() => undefined);
	if (!existing) {
		const { upload } = await api<Presigned>("POST", "/v1/batch/jobs", {
			...{ mode: "presign", job_id: jobId, filename, content_type: "audio/wav" },
		});
		const response = await fetch(upload.url, {
			method: "PUT",
			headers: upload.headers,
			body: new Blob([bytes as Uint8Array<ArrayBuffer>]),
		});
		if (!response.ok) throw new Error(`The upload was answered ${response.status}`);
		await api("POST", "/v1/batch/jobs", { job_id: jobId, s3_key: upload.s3_key });
	}
	return ended(jobId);
}
