import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetObjectCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import type { BegunUpload, CompletedUpload, PresignedParts, Upload } from "@parley/contracts/batch/uploads";
import { s3ClientOf } from "@parley/dev-stack/state/s3-client";
import { expect, inject, test } from "vitest";
import { call, finished, hasCurl, put, speechFixture } from "./batch-client.ts";

const MIB = 1024 * 1024;

/** A recording of so many bytes: the clip again and again, as one WAV file. */
function recording(bytes: number): Buffer {
	const clip = speechFixture("clip.wav");
	const file = Buffer.alloc(bytes);
	clip.copy(file, 0, 0, 44);
	for (let at = 44; at < bytes; at += clip.length - 44) clip.copy(file, at, 44);
	file.writeUInt32LE(bytes - 8, 4);
	file.writeUInt32LE(bytes - 44, 40);
	return file;
}

async function begin(body: object): Promise<BegunUpload> {
	const answer = await call<BegunUpload>("POST", "/v1/batch/uploads", { filename: "talk.wav", ...body });
	expect(answer.status).toBe(201);
	return answer.body;
}

async function presignParts(
	{ upload_id }: BegunUpload,
	part_numbers: number[],
): Promise<PresignedParts["parts"]> {
	const path = `/v1/batch/uploads/${upload_id}/parts`;
	return (await call<PresignedParts>("POST", path, { part_numbers })).body.parts;
}

const complete = ({ upload_id }: BegunUpload, parts: { part_number: number; etag: string }[]) =>
	call<CompletedUpload>("POST", `/v1/batch/uploads/${upload_id}/complete`, { parts });

const s3 = () => s3ClientOf({ baseUrl: inject("baseUrl"), state: inject("state") });

test("a recording uploaded in parts, with a break between, becomes a job", async () => {
	const audio = recording(11 * MIB);
	const slice = (part: number) => audio.subarray((part - 1) * 5 * MIB, part * 5 * MIB);
	const upload = await begin({ content_type: "audio/wav", size_bytes: audio.length, part_size: 5 * MIB });
	expect(upload.part_count).toBe(3);
	const [first] = await presignParts(upload, [1]);
	const etags = [await put(first?.url ?? "", slice(1))];
	expect(etags[0]?.status).toBe(200);

	// Somebody else carries on, from the answers alone.
	const { body } = await call<Upload>("GET", `/v1/batch/uploads/${upload.upload_id}`);
	expect(body).toMatchObject({ status: "open", part_count: 3, parts: null });
	for (const { part_number, url, size_bytes } of await presignParts(upload, [2, 3])) {
		expect(slice(part_number).byteLength).toBe(size_bytes);
		etags.push(await put(url, slice(part_number)));
	}
	const parts = etags.map(({ etag }, index) => ({ part_number: index + 1, etag }));
	const completed = await complete(upload, parts);
	expect(completed).toMatchObject({ status: 200, body: { size_bytes: audio.length, s3_key: upload.s3_key } });
	const object = { Bucket: new URL(upload.s3_uri).host, Key: upload.s3_key };
	const { Body, ContentType } = await s3().send(new GetObjectCommand(object));
	expect(ContentType).toBe("audio/wav");
	expect(audio.equals((await Body?.transformToByteArray()) ?? new Uint8Array())).toBe(true);

	const { status } = await call("POST", "/v1/batch/jobs", {
		s3_key: upload.s3_key,
		metadata: { from: "parts" },
	});
	expect(status).toBe(202);
	expect((await call("POST", `/v1/batch/jobs/${upload.job_id}/cancel`)).status).toBe(200);
});

test("an announced checksum is checked before anything is recognised", async () => {
	const audio = speechFixture("clip.wav");
	const upload = await begin({ size_bytes: audio.length, checksum_sha256: "0".repeat(64) });
	const [only] = await presignParts(upload, [1]);
	const { etag } = await put(only?.url ?? "", audio);
	await complete(upload, [{ part_number: 1, etag }]);
	expect((await call("POST", "/v1/batch/jobs", { s3_key: upload.s3_key })).status).toBe(202);
	expect(await finished(upload.job_id)).toMatchObject({
		status: "FAILED",
		error: { code: "input_checksum_mismatch" },
	});
});

test("a part's URL takes neither another length, nor another part, nor a PUT after the abort", async () => {
	const upload = await begin({ size_bytes: 1000 });
	const [only] = await presignParts(upload, [1]);
	const url = only?.url ?? "";
	expect((await put(url, randomBytes(999))).status).toBe(403);
	expect((await put(url.replace("partNumber=1", "partNumber=2"), randomBytes(1000))).status).toBe(403);
	expect((await put(url, randomBytes(1000))).status).toBe(200);
	expect((await call("DELETE", `/v1/batch/uploads/${upload.upload_id}`)).status).toBe(204);
	const late = async () => (await put(url, randomBytes(1000))).status;
	await expect.poll(late, { timeout: 5000 }).toBe(404);
});

test("parts from the AWS SDK and from curl make one object", async () => {
	const audio = recording(10 * MIB);
	const upload = await begin({ size_bytes: audio.length, part_size: 5 * MIB });
	const [, second] = await presignParts(upload, [1, 2]);
	const uploadId = new URL(second?.url ?? "").searchParams.get("uploadId") ?? "";
	const sdk = await s3().send(
		new UploadPartCommand({
			Bucket: new URL(upload.s3_uri).host,
			Key: upload.s3_key,
			UploadId: uploadId,
			PartNumber: 1,
			Body: audio.subarray(0, 5 * MIB),
		}),
	);
	const etag = hasCurl
		? curlPut(second?.url ?? "", audio.subarray(5 * MIB))
		: (await put(second?.url ?? "", audio.subarray(5 * MIB))).etag;
	const completed = await complete(upload, [
		{ part_number: 1, etag: sdk.ETag ?? "" },
		{ part_number: 2, etag },
	]);
	expect(completed).toMatchObject({ status: 200, body: { size_bytes: audio.length } });
});

function curlPut(url: string, bytes: Uint8Array): string {
	const folder = mkdtempSync(join(tmpdir(), "parley-part-"));
	try {
		writeFileSync(join(folder, "part"), bytes);
		const head = execFileSync("curl", ["-sS", "-D", "-", "-o", "/dev/null", "-T", join(folder, "part"), url]);
		return /^etag: *(\S+)/im.exec(head.toString())?.[1] ?? "";
	} finally {
		rmSync(folder, { recursive: true });
	}
}
