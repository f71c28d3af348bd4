import { env } from "cloudflare:workers";
import type { PresignedUpload } from "@parley/contracts/batch/job-submission";
import { jobs } from "@parley/db/batch/jobs";
import { uploads } from "@parley/db/batch/uploads";
import { openDatabase } from "@parley/db/client";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";

const db = openDatabase(env.DB);

async function presign(client: Client, body: object = {}) {
	return client.submit<PresignedUpload>({ mode: "presign", ...body });
}

async function uploaded(client: Client, body: object = {}) {
	const { body: presigned } = await presign(client, body);
	await env.MEDIA.put(presigned.upload.s3_key, "RIFF");
	return presigned;
}

test("a presign call answers where to upload to, and makes no job", async () => {
	const client = await createClient();
	const tracking = { reference: "r1" };
	const { status, body } = await presign(client, {
		filename: "päivä #1 + 2.mp3",
		content_type: "audio/mpeg",
		tracking,
		output_config: {},
	});
	expect(status).toBe(200);
	const key = `inputs/${client.organisation.id}/${body.job_id}/päivä_1_+_2.mp3`;
	expect(body).toMatchObject({
		job_id: expect.stringMatching(/^job[0-9a-f]{32}$/),
		transcription_config: { language: "en", operating_point: "enhanced" },
		input_s3_uri: `s3://parley-media/${key}`,
		output_s3_prefix: `s3://parley-media/outputs/${client.organisation.id}/${body.job_id}/`,
		upload: {
			s3_key: key,
			s3_uri: `s3://parley-media/${key}`,
			expires_in: 3600,
			headers: { "Content-Type": "audio/mpeg" },
		},
		tracking,
		output_config: {},
	});
	expect((await client.call("GET", `/v1/batch/jobs/${body.job_id}`)).status).toBe(404);
	expect((await client.call("GET", "/v1/batch/jobs")).body).toMatchObject({ items: [], meta: { total: 0 } });
});

test.each(["text/html", "image/svg+xml", "application/xhtml+xml; charset=utf-8"])(
	"no upload may call itself %s",
	async (content_type) => {
		const client = await createClient();
		const told = /^content_type: Must be a type of audio or video/;
		for (const [path, body] of [
			["/v1/batch/jobs", { mode: "presign", content_type }],
			["/v1/batch/uploads", { filename: "a.wav", size_bytes: 1, content_type }],
		] as const) {
			const { status, body: answer } = await client.call<{ error: string }>("POST", path, body);
			expect(status).toBe(400);
			expect(answer.error).toMatch(told);
		}
	},
);

test("one PUT takes 5 MiB less than 5 GiB, and who wants more is told of parts", async () => {
	const client = await createClient();
	const most = 5 * 1024 ** 3 - 5 * 1024 ** 2;
	expect((await client.submit({ mode: "presign", size_bytes: most })).status).toBe(200);
	const { status, body } = await client.submit({ mode: "presign", size_bytes: most + 1 });
	expect(status).toBe(400);
	expect(body).toMatchObject({
		error: expect.stringMatching(/^size_bytes: .* 5363466240 bytes.* in parts/),
	});
});

test("the upload URL is on the caller's origin, with content type and expiry signed", async () => {
	const client = await createClient();
	const { body } = await presign(client, { filename: "a+b.wav", content_type: "audio/wav" });
	const url = new URL(body.upload.url);
	expect(url.origin).toBe("https://batch.parley.example");
	expect(url.pathname).toMatch(/^\/cdn-cgi\/local\/r2\/s3\/parley-media\/inputs\/.*\/a%2Bb\.wav$/);
	expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("content-type;host");
	expect(url.searchParams.get("X-Amz-Expires")).toBe("3600");
	expect(url.searchParams.get("X-Amz-Signature")).toMatch(/^[0-9a-f]{64}$/);
});

test("a size that is announced is signed and must be sent; what is stored with another one makes no job", async () => {
	const client = await createClient();
	const { body } = await presign(client, { size_bytes: 5 });
	expect(new URL(body.upload.url).searchParams.get("X-Amz-SignedHeaders")).toBe(
		"content-length;content-type;host",
	);
	expect(body.upload.headers["Content-Length"]).toBe("5");
	await env.MEDIA.put(body.upload.s3_key, "RIFF");
	expect(await client.submit({ s3_key: body.upload.s3_key })).toMatchObject({
		status: 400,
		body: { error: "s3_key: The upload has 4 bytes, but size_bytes was 5: upload the whole file again" },
	});
});

test("the job takes the configuration of the presign call where the submission leaves it out", async () => {
	const client = await createClient();
	const presigned = await uploaded(client, {
		model_code: "test/diarizing",
		transcription_config: { language: "auto", diarization: "speaker" },
		tracking: { title: "first" },
		metadata: { a: 1 },
	});
	const submitted = await client.submit({ s3_key: presigned.upload.s3_key, tracking: { title: "second" } });
	expect(submitted).toMatchObject({ status: 202, body: { job_id: presigned.job_id, status: "QUEUED" } });
	const { body } = await client.call("GET", `/v1/batch/jobs/${presigned.job_id}`);
	expect(body).toMatchObject({
		model_code: "test/diarizing",
		job_config: { transcription_config: { language: "auto", diarization: "speaker" } },
		tracking: { title: "second" },
		metadata: { a: 1 },
		input_metadata: { source: "upload", size_bytes: 4 },
	});
});

test("an upload becomes one job, however often and at once it is submitted", async () => {
	const client = await createClient();
	const { upload } = await uploaded(client);
	const answers = await Promise.all([1, 2, 3].map(() => client.submit({ s3_key: upload.s3_key })));
	expect(answers.map(({ status }) => status).sort()).toEqual([202, 400, 400]);
	const later = await client.submit({ s3_key: upload.s3_key });
	expect(later).toMatchObject({
		status: 400,
		body: { error: expect.stringMatching(/^s3_key: Already used by another job: /) },
	});
	expect(await db.select().from(jobs).where(eq(jobs.organisationId, client.organisation.id))).toHaveLength(1);
	expect(await db.select().from(uploads).where(eq(uploads.organisationId, client.organisation.id))).toEqual(
		[],
	);
});

test("a submission that names its job_id may be repeated", async () => {
	const client = await createClient();
	const { upload, job_id } = await uploaded(client, { job_id: "upload1" });
	const body = { s3_key: upload.s3_key, job_id };
	expect((await client.submit(body)).status).toBe(202);
	expect(await client.submit(body)).toMatchObject({ status: 202, body: { job_id, status: "QUEUED" } });
	expect((await client.submit({ ...body, metadata: { b: 2 } })).status).toBe(409);
});

test("nothing uploaded, another job's id and another organisation's key are refused", async () => {
	const client = await createClient();
	const { body } = await presign(client);
	const s3_key = body.upload.s3_key;
	expect(await client.submit({ s3_key })).toMatchObject({
		status: 400,
		body: { error: expect.stringMatching(/^s3_key: Nothing has been uploaded under this key: /) },
	});
	await env.MEDIA.put(s3_key, "RIFF");
	expect(await client.submit({ s3_key, job_id: "other" })).toMatchObject({
		status: 400,
		body: { error: expect.stringMatching(/^job_id: /) },
	});
	const stranger = await createClient();
	expect(await stranger.submit({ s3_key })).toMatchObject({
		status: 400,
		body: { error: expect.stringMatching(/^s3_key: No upload has this key: /) },
	});
	expect((await client.submit({ s3_key })).status).toBe(202);
});

test("an upload that was never submitted lapses", async () => {
	const client = await createClient();
	const { upload, job_id } = await uploaded(client);
	await db.update(uploads).set({ expiresAt: "2026-01-01T00:00:00.000Z" }).where(eq(uploads.jobId, job_id));
	expect((await client.submit({ s3_key: upload.s3_key })).status).toBe(400);
});

test("a presigned job_id is reserved: only the same presign call gets it again", async () => {
	const client = await createClient();
	const request = { job_id: "reserved1", filename: "a.wav" };
	const first = await presign(client, request);
	const again = await presign(client, request);
	expect(again.status).toBe(200);
	expect(again.body.upload.s3_key).toBe(first.body.upload.s3_key);
	expect((await presign(client, { ...request, filename: "b.wav" })).status).toBe(409);
	const inline = { input_base64: "AAAA", input_filename: "a.wav", job_id: "reserved1" };
	expect((await client.submit(inline)).status).toBe(409);
	expect((await client.submit({ input_url: "https://example.com/", job_id: "reserved1" })).status).toBe(409);
});

test("a job's id cannot be presigned", async () => {
	const client = await createClient();
	await client.submit({ input_url: "https://example.com/", job_id: "inUse" });
	expect(await presign(client, { job_id: "inUse" })).toMatchObject({
		status: 409,
		body: { error: expect.stringMatching(/^job_id is already used by another job: /) },
	});
});
