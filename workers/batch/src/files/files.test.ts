import { env } from "cloudflare:workers";
import { inputKey, outputKey } from "@parley/batch/object-keys";
import type { JobFiles } from "@parley/contracts/batch/jobs";
import { expect, test } from "vitest";
import { createClient, insertJob } from "../../test/client.ts";

test("a job's files are listed with their formats and links", async () => {
	const { organisation, call } = await createClient();
	const key = inputKey({ organisationId: organisation.id, jobId: "files1" }, "a b.mp3");
	const row = await insertJob(organisation.id, { jobId: "files1", status: "DONE", inputKey: key });
	await env.MEDIA.put(key, "ID3", { httpMetadata: { contentType: "audio/mpeg" } });
	await env.MEDIA.put(outputKey(row, "srt"), "1", { httpMetadata: { contentType: "application/x-subrip" } });
	await env.MEDIA.put(outputKey(row, "json"), "{}", { httpMetadata: { contentType: "application/json" } });

	const { status, body } = await call<JobFiles>("GET", "/v1/batch/jobs/files1/files");
	expect(status).toBe(200);
	expect(body).toMatchObject({
		job_id: "files1",
		inputs: [{ key, s3_uri: `s3://parley-media/${key}`, content_type: "audio/mpeg", size_bytes: 3 }],
		outputs: [
			{ format: "json", key: outputKey(row, "json"), content_type: "application/json", size_bytes: 2 },
			{ format: "srt", key: outputKey(row, "srt"), content_type: "application/x-subrip", size_bytes: 1 },
		],
	});
	const link = new URL(body.inputs[0]?.download_url ?? "");
	expect(link.searchParams.get("X-Amz-Expires")).toBe("3600");
	expect(link.searchParams.get("response-content-disposition")).toBe('attachment;filename="a_b.mp3"');
	expect(link.search).not.toContain("+");
	const transcript = new URL(body.outputs[1]?.download_url ?? "");
	expect(transcript.searchParams.get("response-content-disposition")).toBe('attachment;filename="a_b.srt"');
	expect(link.pathname).toBe(`/cdn-cgi/local/r2/s3/parley-media/${key}`);
});

test("a job without objects has none", async () => {
	const { organisation, call } = await createClient();
	const { jobId } = await insertJob(organisation.id);
	const { body } = await call<JobFiles>("GET", `/v1/batch/jobs/${jobId}/files`);
	expect(body).toEqual({ job_id: jobId, inputs: [], outputs: [] });
});

test("what is stored is an attachment, for a storage that ignores the signed disposition", async () => {
	const { organisation, call } = await createClient();
	const inline = { job_id: "inline1", input_base64: "UklGRg==", input_filename: "a b.wav" };
	await call("POST", "/v1/batch/jobs", inline);
	const stored = await env.MEDIA.head(
		inputKey({ organisationId: organisation.id, jobId: "inline1" }, "a b.wav"),
	);
	expect(stored?.httpMetadata).toEqual({
		contentType: "audio/wav",
		contentDisposition: 'attachment;filename="a_b.wav"',
	});
});
