import { env, exports } from "cloudflare:workers";
import { jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { createOrganisation } from "@parley/testing/organisation";

export type Answer<T> = { status: number; headers: Headers; body: T };

/** A client of the batch app with an organisation of its own. */
export async function createClient(options: Parameters<typeof createOrganisation>[1] = {}) {
	const organisation = await createOrganisation(env.DB, options);
	const call = async <T = Record<string, unknown>>(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<Answer<T>> => {
		const request = new Request(`https://batch.parley.example${path}`, {
			method,
			headers: { "x-api-key": organisation.batchKey, "content-type": "application/json", ...headers },
			...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
		});
		const response = await exports.default.fetch(request);
		const text = await response.text();
		const isJson = response.headers.get("content-type") === "application/json";
		return {
			status: response.status,
			headers: response.headers,
			body: (isJson ? JSON.parse(text) : text) as T,
		};
	};
	const submit = <T = { job_id: string; error?: string }>(body: unknown) =>
		call<T>("POST", "/v1/batch/jobs", body);
	return { organisation, call, submit };
}
export type Client = Awaited<ReturnType<typeof createClient>>;

/** A job's row as it would be at some point of its life. */
export async function insertJob(organisationId: string, row: Partial<typeof jobs.$inferInsert> = {}) {
	const now = new Date().toISOString();
	const [inserted] = await openDatabase(env.DB)
		.insert(jobs)
		.values({
			organisationId,
			jobId: `job${crypto.randomUUID().replaceAll("-", "")}`,
			apiKeyId: crypto.randomUUID(),
			modelCode: "test/whisper",
			status: "QUEUED",
			jobConfig: {
				transcription_config: {
					language: "en",
					operating_point: "enhanced",
					diarization: "none",
					enable_entities: false,
				},
			},
			inputMetadata: {
				source: "inline",
				size_bytes: 4,
				duration_seconds: null,
				format: null,
				codec: null,
				channels: null,
				sample_rate: null,
			},
			deadlineAt: now,
			submittedAt: now,
			updatedAt: now,
			...row,
		})
		.returning();
	if (!inserted) throw new Error("The job was not inserted");
	return inserted;
}

/** Everything that an organisation has in the bucket. */
export async function keysOf(organisationId: string): Promise<string[]> {
	const { objects } = await env.MEDIA.list();
	return objects.map(({ key }) => key).filter((key) => key.includes(organisationId));
}

export const base64 = (text: string): string => btoa(text);
