import type { BulkLinks, BulkResult } from "@parley/contracts/batch/bulk";
import type { JobAudio, JobPeaks } from "@parley/contracts/batch/peaks";
import type { Revision } from "@parley/contracts/batch/revisions";
import type { SearchResults } from "@parley/contracts/batch/search";
import type { Transcript } from "@parley/contracts/batch/transcript";
import { expect, test } from "vitest";
import { call, finished, speechFixture } from "./batch-client.ts";

const FILE = "clip.flac";

async function submit(): Promise<string> {
	const { body } = await call<{ job_id: string }>("POST", "/v1/batch/jobs", {
		input_base64: speechFixture(FILE).toString("base64"),
		input_filename: FILE,
	});
	expect(await finished(body.job_id)).toMatchObject({ status: "DONE" });
	return body.job_id;
}

const search = async (q: string, jobId: string) =>
	(await call<SearchResults>("GET", `/v1/batch/search?q=${q}&job_id=${jobId}`)).body.items;

test("a job is played, edited, exported, searched and deleted", async () => {
	const jobId = await submit();
	const path = `/v1/batch/jobs/${jobId}`;

	const { body: peaks } = await call<JobPeaks>("GET", `${path}/peaks`);
	expect(peaks).toMatchObject({ status: "available", peaks_per_second: 20 });
	const loudness = Buffer.from(peaks.channels[0]?.peaks ?? "", "base64");
	expect(loudness).toHaveLength(Math.ceil(20 * (peaks.duration_seconds ?? 0)));
	expect(Math.max(...loudness)).toBeGreaterThan(20);

	const { body: audio } = await call<JobAudio>("GET", `${path}/audio`);
	const part = await fetch(audio.url, { headers: { range: "bytes=0-3" } });
	expect([part.status, await part.text()]).toEqual([206, "fLaC"]);
	expect(part.headers.get("content-type")).toBe("audio/flac");
	expect(part.headers.get("content-range")).toBe(`bytes 0-3/${speechFixture(FILE).length}`);
	expect(part.headers.get("x-content-type-options")).toBe("nosniff");

	expect(await search("payment", jobId)).toMatchObject([
		{ revision: 0, hits: [{ start_time: expect.any(Number) }] },
	]);
	const { body: engine } = await call<Transcript>("GET", `${path}/transcript`);
	const words = engine.results.filter(({ type }) => type !== "punctuation");
	const at = words.findIndex(({ alternatives }) => alternatives[0]?.content === "payment");
	const edits = [{ start: at, end: at + 1, text: "remittance" }];
	const saved = await call<Revision>("POST", `${path}/revisions`, { base_revision: 0, edits });
	expect(saved.status).toBe(201);
	const late = await call("POST", `${path}/revisions`, { base_revision: 0, edits });
	expect(late).toMatchObject({ status: 412, body: { conflict: { latest: { revision: 1 } } } });

	for (const format of ["json", "txt", "srt", "vtt"]) {
		const read = async (revision: string) =>
			JSON.stringify((await call("GET", `${path}/transcript?format=${format}&revision=${revision}`)).body);
		expect(await read("latest"), format).toContain("remittance");
		expect(await read("0"), format).not.toContain("remittance");
	}
	const { body: edited } = await call<Transcript>("GET", `${path}/transcript?revision=1`);
	const word = edited.results.find(({ edited }) => edited);
	expect(word).toMatchObject({ start_time: words[at]?.start_time, end_time: words[at]?.end_time });

	expect(await search("payment", jobId)).toEqual([]);
	expect(await search("remittance", jobId)).toMatchObject([{ revision: 1 }]);
	const { body: links } = await call<BulkLinks>("POST", "/v1/batch/bulk/download", {
		...{ job_ids: [jobId], as: "links" },
	});
	const download = await fetch(links.items[0]?.download_url ?? "");
	expect(await download.text()).toContain("remittance");

	const { body: deleted } = await call<BulkResult>("POST", "/v1/batch/bulk/delete", { job_ids: [jobId] });
	expect(deleted).toEqual({ done: [jobId], failed: [], has_more: false });
	expect((await call("GET", `${path}/transcript?revision=latest`)).status).toBe(404);
	expect((await fetch(audio.url)).status).toBe(404);
	const { body: left } = await call<SearchResults>("GET", "/v1/batch/search?q=remittance");
	expect(left.items.map(({ job_id }) => job_id)).not.toContain(jobId);
}, 180_000);
