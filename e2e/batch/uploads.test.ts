import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { root } from "@parley/dev-stack/settings/configs";
import { s3ClientOf } from "@parley/dev-stack/state/s3-client";
import { expect, inject, test } from "vitest";
import { call, finished, hasCurl, put, speechFixture } from "./batch-client.ts";

type Presigned = {
	job_id: string;
	input_s3_uri: string;
	upload: {
		url: string;
		s3_key: string;
		s3_uri: string;
		expires_in: number;
		headers: Record<string, string>;
	};
};

const audio = new Uint8Array(speechFixture("clip.wav"));

async function presign(filename = "clip.wav"): Promise<Presigned> {
	const request = { mode: "presign", filename, content_type: "audio/wav" };
	return (await call<Presigned>("POST", "/v1/batch/jobs", request)).body;
}

const bucketOf = (upload: Presigned["upload"]): string => new URL(upload.s3_uri).host;

const client = () => s3ClientOf({ baseUrl: inject("baseUrl"), state: inject("state") });

const putAudio = async (url: string, headers: Record<string, string>): Promise<number> =>
	(await put(url, audio, headers)).status;

test("a presigned URL lives an hour and names its headers", async () => {
	const { upload } = await presign();
	expect(upload.expires_in).toBe(3600);
	expect(new URL(upload.url).searchParams.get("X-Amz-Expires")).toBe("3600");
	expect(upload.headers).toEqual({ "Content-Type": "audio/wav" });
});

test("what is uploaded, an S3 client reads back, and it becomes a job", async () => {
	const { job_id, upload } = await presign("an upload + ümlaut.wav");
	expect(await putAudio(upload.url, upload.headers)).toBe(200);
	if (hasCurl) {
		const file = join(root, "packages/testing/fixtures/speech/clip.wav");
		const header = `Content-Type: ${upload.headers["Content-Type"]}`;
		const args = ["-s", "-w", "%{http_code}", "-T", file, "-H", header, upload.url];
		expect(execFileSync("curl", args, { encoding: "utf8" })).toBe("200");
	}

	const object = { Bucket: bucketOf(upload), Key: upload.s3_key };
	const head = await client().send(new HeadObjectCommand(object));
	expect(head.ContentType).toBe("audio/wav");
	const { Body } = await client().send(new GetObjectCommand(object));
	expect(await Body?.transformToByteArray()).toEqual(audio);

	expect((await call("POST", "/v1/batch/jobs", { job_id, s3_key: upload.s3_key })).status).toBe(202);
	expect((await finished(job_id)).status).toBe("DONE");
});

test("a tampered signature, another content type, another key and an expired link get 403", async () => {
	const { upload } = await presign();
	const tampered = new URL(upload.url);
	const signature = tampered.searchParams.get("X-Amz-Signature") ?? "";
	tampered.searchParams.set(
		"X-Amz-Signature",
		signature.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
	);
	expect(await putAudio(tampered.href, upload.headers)).toBe(403);

	expect(await putAudio(upload.url, { "Content-Type": "audio/mpeg" })).toBe(403);

	expect(await putAudio(upload.url.replace("clip.wav", "other.wav"), upload.headers)).toBe(403);

	const command = new PutObjectCommand({
		Bucket: bucketOf(upload),
		Key: upload.s3_key,
		ContentType: "audio/wav",
	});
	const signableHeaders = new Set(["host", "content-type"]);
	const signingDate = new Date(Date.now() - 3_601_000);
	const sign = (options: object) =>
		getSignedUrl(client(), command, { expiresIn: 3600, signableHeaders, ...options });
	expect(await putAudio(await sign({ signingDate }), upload.headers)).toBe(403);
	expect(await putAudio(await sign({}), upload.headers)).toBe(200);

	expect(await putAudio(upload.url, upload.headers)).toBe(200);
});
