import { env, exports } from "cloudflare:workers";
import { inputKey, peaksKey } from "@parley/batch/object-keys";
import { writePeaks } from "@parley/batch/stored-peaks";
import type { JobAudio, JobPeaks } from "@parley/contracts/batch/peaks";
import type { JobRow } from "@parley/db/batch/jobs";
import { expect, test } from "vitest";
import { base64, createClient, insertJob } from "../../test/client.ts";

type Client = Awaited<ReturnType<typeof createClient>>;

const CHANNELS = [Uint8Array.of(0, 128, 255), Uint8Array.of(1, 2, 3)];
const metadata: JobRow["inputMetadata"] = {
	...{ source: "inline", size_bytes: 10, sha256: null, duration_seconds: 0.15 },
	...{ format: "mp3", codec: "mp3", channels: 2, sample_rate: 16_000 },
};

async function insertPlayable(client: Client, row: Parameters<typeof insertJob>[1] = {}) {
	const jobId = `play${crypto.randomUUID().replaceAll("-", "")}`;
	const key = inputKey({ organisationId: client.organisation.id, jobId }, "a.mp3");
	// A caller may give any type; a page with scripts must never be served as one.
	await env.MEDIA.put(key, "0123456789", { httpMetadata: { contentType: "text/html" } });
	const ended = { status: "DONE", inputKey: key, inputMetadata: metadata } as const;
	return insertJob(client.organisation.id, { jobId, ...ended, ...row });
}

const play = (url: string, init: RequestInit = {}) => exports.default.fetch(new Request(url, init));

test("peaks of separate channels have the labels of the channels", async () => {
	const client = await createClient();
	const row = await insertPlayable(client);
	await writePeaks(env.MEDIA, row, { channels: CHANNELS, isSeparate: true });
	const path = `/v1/batch/jobs/${row.jobId}/peaks`;
	const { status, body, headers } = await client.call<JobPeaks>("GET", path);
	expect(status).toBe(200);
	expect(body).toEqual({
		...{ job_id: row.jobId, status: "available", peaks_per_second: 20, duration_seconds: 0.15 },
		channels: [
			{ label: "channel_1", peaks: base64("\u0000\u0080\u00ff") },
			{ label: "channel_2", peaks: base64("\u0001\u0002\u0003") },
		],
	});
	const etag = headers.get("etag") ?? "";
	expect((await client.call("GET", path, undefined, { "if-none-match": etag })).status).toBe(304);
});

test("mixed peaks have no label", async () => {
	const client = await createClient();
	const row = await insertPlayable(client);
	await writePeaks(env.MEDIA, row, { channels: [Uint8Array.of(7)], isSeparate: false });
	const { body } = await client.call<JobPeaks>("GET", `/v1/batch/jobs/${row.jobId}/peaks`);
	expect(body.channels).toEqual([{ label: null, peaks: "Bw==" }]);
});

test("a job without peaks says so: pending while it runs, unavailable afterwards", async () => {
	const client = await createClient();
	for (const [status, expected] of [
		["DECODING", "pending"],
		["DONE", "unavailable"],
		["FAILED", "unavailable"],
	] as const) {
		const row = await insertPlayable(client, { status });
		const { body } = await client.call<JobPeaks>("GET", `/v1/batch/jobs/${row.jobId}/peaks`);
		expect(body).toMatchObject({ status: expected, channels: [] });
	}
});

test("a playback URL works without a key and answers ranges with the type of the bytes", async () => {
	const client = await createClient();
	const row = await insertPlayable(client);
	const { status, body } = await client.call<JobAudio>("GET", `/v1/batch/jobs/${row.jobId}/audio`);
	expect(status).toBe(200);
	expect(body).toMatchObject({ content_type: "audio/mpeg", size_bytes: 10, duration_seconds: 0.15 });
	expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(3_590_000);

	const whole = await play(body.url);
	expect([whole.status, await whole.text()]).toEqual([200, "0123456789"]);
	expect(Object.fromEntries(whole.headers)).toMatchObject({
		"accept-ranges": "bytes",
		"content-type": "audio/mpeg",
		"x-content-type-options": "nosniff",
		"content-disposition": "inline",
	});
	const part = await play(body.url, { headers: { range: "bytes=2-4" } });
	expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
		206,
		"bytes 2-4/10",
		"234",
	]);
	const beyond = await play(body.url, { headers: { range: "bytes=10-" } });
	expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */10"]);
	const etag = whole.headers.get("etag") ?? "";
	expect((await play(body.url, { headers: { "if-none-match": etag } })).status).toBe(304);
	const other = { range: "bytes=2-4", "if-range": '"other"' };
	expect((await play(body.url, { headers: other })).status).toBe(200);
	const head = await play(body.url, { method: "HEAD" });
	expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("a playback URL that was changed is refused", async () => {
	const client = await createClient();
	const [row, other] = [await insertPlayable(client), await insertPlayable(client)];
	const { body } = await client.call<JobAudio>("GET", `/v1/batch/jobs/${row.jobId}/audio`);
	const changed = (change: (url: URL) => void) => {
		const url = new URL(body.url);
		change(url);
		return url.href;
	};
	const stranger = await createClient();
	for (const url of [
		body.url.replace(row.jobId, other.jobId),
		changed(({ searchParams }) => searchParams.set("expires", "99999999999")),
		changed(({ searchParams }) => searchParams.set("organisation", stranger.organisation.id)),
		changed(({ searchParams }) => searchParams.delete("signature")),
		changed(({ searchParams }) => searchParams.set("signature", "AAAA")),
	])
		expect((await play(url)).status).toBe(403);
});

test("audio that is not here, or not any more, has a reason", async () => {
	const client = await createClient();
	const ask = async (row: Parameters<typeof insertJob>[1]) => {
		const { jobId } = await insertPlayable(client, { inputKey: null, ...row });
		return client.call<{ error: string }>("GET", `/v1/batch/jobs/${jobId}/audio`);
	};
	expect(await ask({ status: "QUEUED" })).toMatchObject({ status: 409 });
	expect(await ask({ status: "FAILED" })).toMatchObject({ status: 404 });
	const removed = await ask({ filesRemovedAt: "2026-11-20T00:00:00.000Z" });
	expect([removed.status, removed.body.error]).toEqual([404, expect.stringContaining("retention")]);
});

test("a deleted job's playback URL stops working, and another organisation gets none", async () => {
	const client = await createClient();
	const row = await insertPlayable(client);
	const path = `/v1/batch/jobs/${row.jobId}`;
	const { body } = await client.call<JobAudio>("GET", `${path}/audio`);
	const stranger = await createClient();
	for (const kind of ["audio", "peaks"])
		expect((await stranger.call("GET", `${path}/${kind}`)).status).toBe(404);
	await writePeaks(env.MEDIA, row, { channels: CHANNELS, isSeparate: false });
	expect((await client.call("DELETE", path)).status).toBe(204);
	expect((await play(body.url)).status).toBe(404);
	expect(await env.MEDIA.head(peaksKey(row))).toBeNull();
});
