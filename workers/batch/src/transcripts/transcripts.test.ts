import { env } from "cloudflare:workers";
import { outputKey } from "@parley/batch/object-keys";
import { toResults } from "@parley/batch/transcript-words";
import { TRANSCRIPT_FORMATS, TRANSCRIPT_TYPES } from "@parley/contracts/batch/jobs";
import { jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient, insertJob } from "../../test/client.ts";

const words = "one two three four five six".split(" ").map((word, index) => ({
	word: index === 5 ? `${word}.` : word,
	start: index,
	end: index + 0.5,
	confidence: 1,
	language: "en",
}));

async function insertDone(organisationId: string, srt_overrides?: { max_line_length: number }) {
	const row = await insertJob(organisationId, { status: "DONE" });
	if (srt_overrides) {
		const jobConfig = { ...row.jobConfig, output_config: { srt_overrides } };
		await openDatabase(env.DB).update(jobs).set({ jobConfig }).where(eq(jobs.id, row.id));
	}
	await env.MEDIA.put(outputKey(row, "json"), JSON.stringify({ results: toResults(words) }));
	for (const format of ["txt", "srt", "vtt"] as const) await env.MEDIA.put(outputKey(row, format), format);
	return row;
}

test.each(TRANSCRIPT_FORMATS)("%s is served as it was written", async (format) => {
	const { organisation, call } = await createClient();
	const { jobId } = await insertDone(organisation.id);
	const { status, headers, body } = await call("GET", `/v1/batch/jobs/${jobId}/transcript?format=${format}`);
	expect(status).toBe(200);
	expect(headers.get("content-type")).toBe(TRANSCRIPT_TYPES[format]);
	expect(body).toEqual(format === "json" ? { results: toResults(words) } : format);
});

test("subtitles are wrapped anew when the query asks for it", async () => {
	const { organisation, call } = await createClient();
	const { jobId } = await insertDone(organisation.id);
	const path = `/v1/batch/jobs/${jobId}/transcript`;
	const srt = await call<string>("GET", `${path}?format=srt&max_line_length=9&max_lines=1`);
	expect(srt.body.split(/\r?\n/).filter((line) => /[a-z]/.test(line))).toEqual([
		"one two",
		"three",
		"four five",
		"six.",
	]);
	const vtt = await call<string>("GET", `${path}?format=vtt&max_lines=1`);
	expect(vtt.body).toMatch(/^WEBVTT\n/);
});

test("subtitles wrapped anew end with the recording", async () => {
	const { organisation, call } = await createClient();
	const row = await insertDone(organisation.id);
	const inputMetadata = { ...row.inputMetadata, duration_seconds: 5.75 };
	await openDatabase(env.DB).update(jobs).set({ inputMetadata }).where(eq(jobs.id, row.id));
	const path = `/v1/batch/jobs/${row.jobId}/transcript`;
	const { body } = await call<string>("GET", `${path}?format=srt&max_line_length=9&max_lines=1`);
	expect(body.match(/--> (\S+)/g)?.at(-1)).toBe("--> 00:00:05,750");
});

test("what the query leaves out is as it was submitted", async () => {
	const { organisation, call } = await createClient();
	const { jobId } = await insertDone(organisation.id, { max_line_length: 9 });
	const { body } = await call<string>("GET", `/v1/batch/jobs/${jobId}/transcript?format=srt&max_lines=1`);
	expect(body).toContain("\r\none two\r\n");
});

test("a job that is not done has no transcript", async () => {
	const { organisation, call } = await createClient();
	const { jobId } = await insertJob(organisation.id, { status: "DECODING" });
	expect(await call("GET", `/v1/batch/jobs/${jobId}/transcript`)).toMatchObject({
		status: 409,
		body: { error: expect.stringMatching(/^Job \w+ has no transcript yet \(status DECODING\): wait/) },
	});
	const failed = await insertJob(organisation.id, {
		status: "FAILED",
		error: { code: "not_audio", message: "No audio in it.", retryable: false },
	});
	expect(await call("GET", `/v1/batch/jobs/${failed.jobId}/transcript`)).toMatchObject({
		status: 409,
		body: { error: expect.stringMatching(/^Job \w+ has no transcript: it failed. No audio in it.$/) },
	});
	const cancelled = await insertJob(organisation.id, { status: "CANCELLED" });
	expect(await call("GET", `/v1/batch/jobs/${cancelled.jobId}/transcript`)).toMatchObject({
		status: 409,
		body: { error: expect.stringMatching(/^Job \w+ has no transcript: it was cancelled$/) },
	});
});

test("wait holds the transcript until the job is done", async () => {
	const { organisation, call } = await createClient();
	const row = await insertDone(organisation.id);
	const setStatus = (status: "DECODING" | "DONE") =>
		openDatabase(env.DB).update(jobs).set({ status }).where(eq(jobs.id, row.id));
	await setStatus("DECODING");
	const waiting = call("GET", `/v1/batch/jobs/${row.jobId}/transcript?format=txt&wait=20`);
	await scheduler.wait(150);
	await setStatus("DONE");
	expect(await waiting).toMatchObject({ status: 200, body: "txt" });
});

test("after its retention a transcript is not found", async () => {
	const { organisation, call } = await createClient();
	const { jobId } = await insertJob(organisation.id, {
		status: "DONE",
		filesRemovedAt: new Date().toISOString(),
	});
	for (const query of ["", "?format=srt&max_lines=1"])
		expect((await call("GET", `/v1/batch/jobs/${jobId}/transcript${query}`)).status).toBe(404);
});

test.each(["format=pdf", "max_lines=0", "max_line_length=x", "wait=30"])("%s is refused", async (query) => {
	const { organisation, call } = await createClient();
	const { jobId } = await insertDone(organisation.id);
	expect((await call("GET", `/v1/batch/jobs/${jobId}/transcript?${query}`)).status).toBe(400);
});
