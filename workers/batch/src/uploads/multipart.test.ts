import { env } from "cloudflare:workers";
import type {
	BegunUpload,
	CompletedUpload,
	CompleteUpload,
	PresignedParts,
	Upload,
} from "@parley/contracts/batch/uploads";
import { uploads } from "@parley/db/batch/uploads";
import { openDatabase } from "@parley/db/client";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";
import { parsePage } from "./list-parts.ts";

const db = openDatabase(env.DB);
const MIB = 1024 * 1024;
const file = { filename: "talk.wav", content_type: "audio/wav", size_bytes: 12 * MIB, part_size: 5 * MIB };

async function begin(client: Client, body: object = {}): Promise<BegunUpload> {
	const answer = await client.call<BegunUpload>("POST", "/v1/batch/uploads", { ...file, ...body });
	expect(answer.status).toBe(201);
	return answer.body;
}

const pathOf = ({ upload_id }: { upload_id: string }, verb = "") => `/v1/batch/uploads/${upload_id}${verb}`;

/** Puts parts of these sizes, as the presigned URLs would. @returns what completion asks for. */
async function put(upload: BegunUpload, sizes = [5 * MIB, 5 * MIB, 2 * MIB]): Promise<CompleteUpload> {
	const [row] = await db.select().from(uploads).where(eq(uploads.uploadId, upload.upload_id));
	const multipart = env.MEDIA.resumeMultipartUpload(upload.s3_key, row?.multipartId ?? "");
	const stored = sizes.map((size, index) => multipart.uploadPart(index + 1, new Uint8Array(size)));
	const parts = await Promise.all(stored);
	return { parts: parts.map(({ partNumber, etag }) => ({ part_number: partNumber, etag: `"${etag}"` })) };
}

const complete = (client: Client, upload: BegunUpload, body: CompleteUpload) =>
	client.call<CompletedUpload & { error: string }>("POST", pathOf(upload, "/complete"), body);

test("an upload in parts becomes one object, and a job of it", async () => {
	const client = await createClient();
	const upload = await begin(client);
	const key = `inputs/${client.organisation.id}/${upload.job_id}/talk.wav`;
	expect(upload).toMatchObject({
		job_id: expect.stringMatching(/^job[0-9a-f]{32}$/),
		s3_key: key,
		s3_uri: `s3://parley-media/${key}`,
		size_bytes: 12 * MIB,
		part_size: 5 * MIB,
		part_count: 3,
	});
	expect(Date.parse(upload.expires_at) - Date.now()).toBeGreaterThan(23 * 3_600_000);

	const { status, body } = await complete(client, upload, await put(upload));
	expect(status).toBe(200);
	expect(body).toMatchObject({ upload_id: upload.upload_id, s3_key: key, size_bytes: 12 * MIB });
	expect((await env.MEDIA.head(key))?.httpMetadata?.contentType).toBe("audio/wav");

	expect(await client.submit({ s3_key: key })).toMatchObject({
		status: 202,
		body: { job_id: upload.job_id },
	});
	const job = await client.call("GET", `/v1/batch/jobs/${upload.job_id}`);
	expect(job.body).toMatchObject({
		input_metadata: { source: "upload", size_bytes: 12 * MIB, sha256: null },
	});
	expect((await client.call("GET", pathOf(upload))).status).toBe(404);
});

test("a part's URL is bound to its number, its length and an hour, and can be had again", async () => {
	const client = await createClient();
	const upload = await begin(client);
	for (const _ of ["first", "again"]) {
		const { status, body } = await client.call<PresignedParts>("POST", pathOf(upload, "/parts"), {
			part_numbers: [1, 3],
		});
		expect(status).toBe(200);
		expect(body.expires_in).toBe(3600);
		expect(body.parts).toMatchObject([
			{ part_number: 1, size_bytes: 5 * MIB, headers: { "Content-Length": String(5 * MIB) } },
			{ part_number: 3, size_bytes: 2 * MIB, headers: { "Content-Length": String(2 * MIB) } },
		]);
		const url = new URL(body.parts[1]?.url ?? "");
		expect(url.pathname).toBe(`/cdn-cgi/local/r2/s3/parley-media/${upload.s3_key}`);
		expect(url.searchParams.get("partNumber")).toBe("3");
		expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;host");
		expect(url.searchParams.get("X-Amz-Expires")).toBe("3600");
	}
});

test("the same call with the same job_id finds the upload that it began; another one is refused", async () => {
	const client = await createClient();
	const first = await begin(client, { job_id: "parts1" });
	expect(await begin(client, { job_id: "parts1" })).toEqual(first);
	const other = { ...file, job_id: "parts1", size_bytes: 6 * MIB };
	expect((await client.call("POST", "/v1/batch/uploads", other)).status).toBe(409);
	expect((await client.submit({ input_url: "https://example.com/", job_id: "parts1" })).status).toBe(409);
	expect((await client.submit({ mode: "presign", job_id: "parts1" })).status).toBe(409);
});

test.each<[string, object, string]>([
	["no size", { size_bytes: undefined }, "size_bytes"],
	["a size over 5 GiB", { size_bytes: 5 * 1024 ** 3 + 1 }, "size_bytes"],
	["parts that are too small", { part_size: 5 * MIB - 1 }, "part_size"],
	["a checksum of another kind", { checksum_sha256: "abc" }, "checksum_sha256"],
	["a bad job_id", { job_id: "a-b" }, "job_id must be alphanumeric"],
])("%s is refused with its field", async (_, change, named) => {
	const client = await createClient();
	const answer = await client.call<{ error: string }>("POST", "/v1/batch/uploads", { ...file, ...change });
	expect(answer.status).toBe(400);
	expect(answer.body.error).toContain(named);
});

describe("completion", () => {
	test("is refused with a wrong etag, a missing part, one too many and one twice; the right parts still do", async () => {
		const client = await createClient();
		const upload = await begin(client);
		const right = await put(upload);
		const [first, second, third] = right.parts;
		if (!first || !second || !third) throw new Error("There are three parts");
		const error = async (parts: CompleteUpload["parts"]) => {
			const { status, body } = await complete(client, upload, { parts });
			expect(status).toBe(400);
			return body.error;
		};
		expect(await error([first, { ...second, etag: "0".repeat(32) }, third])).toBe(
			"parts: A part is missing, or its ETag does not match: upload it again and use the new ETag",
		);
		expect(await error([first, third])).toBe("parts: Part 2 is missing: list all parts from 1 to 3");
		expect(await error([first, second, third, { ...third, part_number: 4 }])).toBe(
			"parts.3.part_number: Must be at most 3, the last part of this upload",
		);
		expect(await error([first, second, third, first])).toBe(
			"parts.3.part_number: Part 1 is listed twice: list each part once",
		);
		expect((await complete(client, upload, { parts: [third, first, second] })).status).toBe(200);
	});

	test("twice, also at once, is answered the same", async () => {
		const client = await createClient();
		const upload = await begin(client);
		const parts = await put(upload);
		const answers = await Promise.all([1, 2, 3].map(() => complete(client, upload, parts)));
		answers.push(await complete(client, upload, parts));
		const [first] = answers;
		for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: first?.body });
	});

	test("that died before its mark is carried on", async () => {
		const client = await createClient();
		const upload = await begin(client);
		const parts = await put(upload);
		await complete(client, upload, parts);
		await db.update(uploads).set({ completedAt: null }).where(eq(uploads.uploadId, upload.upload_id));
		expect(await complete(client, upload, parts)).toMatchObject({ status: 200 });
	});

	test("of another size than was announced is refused, and leaves nothing", async () => {
		const client = await createClient();
		const upload = await begin(client, { job_id: "size1" });
		const { status, body } = await complete(client, upload, await put(upload, [5 * MIB, 5 * MIB, MIB]));
		expect(status).toBe(400);
		expect(body.error).toBe(
			`parts: The parts hold ${11 * MIB} bytes, but size_bytes is ${12 * MIB}: create another upload`,
		);
		expect(await env.MEDIA.head(upload.s3_key)).toBeNull();
		expect((await client.call<Upload>("GET", pathOf(upload))).body.status).toBe("aborted");
		expect((await begin(client, { job_id: "size1" })).upload_id).not.toBe(upload.upload_id);
	});
});

test("an upload that is not complete makes no job", async () => {
	const client = await createClient();
	const upload = await begin(client);
	await put(upload);
	expect(await client.submit({ s3_key: upload.s3_key })).toMatchObject({
		status: 400,
		body: { error: `s3_key: Upload ${upload.upload_id} is not complete: complete it first` },
	});
});

test("an aborted upload takes nothing any more, and its job_id is free", async () => {
	const client = await createClient();
	const upload = await begin(client, { job_id: "abort1" });
	const parts = await put(upload);
	for (const _ of ["once", "again"]) expect((await client.call("DELETE", pathOf(upload))).status).toBe(204);
	expect((await complete(client, upload, parts)).body.error).toBe(
		`Upload ${upload.upload_id} was aborted: create another one`,
	);
	expect((await client.call("POST", pathOf(upload, "/parts"), { part_numbers: [1] })).status).toBe(409);
	expect(await client.submit({ s3_key: upload.s3_key })).toMatchObject({
		status: 400,
		body: { error: expect.stringMatching(/^s3_key: No upload has this key: /) },
	});
	const inline = { input_base64: btoa("RIFF"), input_filename: "talk.wav", job_id: "abort1" };
	expect((await client.submit(inline)).status).toBe(202);
});

test("a complete upload is not aborted", async () => {
	const client = await createClient();
	const upload = await begin(client);
	await complete(client, upload, await put(upload));
	const answer = await client.call<{ error: string }>("DELETE", pathOf(upload));
	expect(answer).toMatchObject({
		status: 409,
		body: { error: `Upload ${upload.upload_id} is complete: submit its s3_key` },
	});
	expect(await env.MEDIA.head(upload.s3_key)).not.toBeNull();
	expect((await client.call<Upload>("GET", pathOf(upload))).body).toMatchObject({
		status: "completed",
		parts: null,
	});
});

test("an upload of another organisation is not found, by any call", async () => {
	const upload = await begin(await createClient());
	const stranger = await createClient();
	const parts = [{ part_number: 1, etag: "e" }];
	for (const [method, verb, body] of [
		["GET", "", undefined],
		["POST", "/parts", { part_numbers: [1] }],
		["POST", "/complete", { parts }],
		["DELETE", "", undefined],
	] as const)
		expect(await stranger.call(method, pathOf(upload, verb), body)).toMatchObject({
			status: 404,
			body: { error: `Upload not found: ${upload.upload_id}` },
		});
});

test("a lapsed upload is not found", async () => {
	const client = await createClient();
	const upload = await begin(client);
	await db
		.update(uploads)
		.set({ expiresAt: "2026-01-01T00:00:00.000Z" })
		.where(eq(uploads.uploadId, upload.upload_id));
	expect((await client.call("GET", pathOf(upload))).status).toBe(404);
});

test("S3's list of parts is read page by page", () => {
	const xml = `<?xml version="1.0" encoding="UTF-8"?><ListPartsResult><PartNumberMarker>0</PartNumberMarker>
		<NextPartNumberMarker>2</NextPartNumberMarker><IsTruncated>true</IsTruncated>
		<Part><PartNumber>1</PartNumber><ETag>&quot;aa&quot;</ETag><Size>5242880</Size></Part>
		<Part><PartNumber>2</PartNumber><ETag>"bb"</ETag><Size>17</Size></Part></ListPartsResult>`;
	expect(parsePage(xml)).toEqual({
		parts: [
			{ part_number: 1, size_bytes: 5_242_880, etag: "aa" },
			{ part_number: 2, size_bytes: 17, etag: "bb" },
		],
		next: 2,
	});
	expect(parsePage(xml.replace("true", "false")).next).toBeUndefined();
});
