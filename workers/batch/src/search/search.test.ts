import { env } from "cloudflare:workers";
import { indexTranscript } from "@parley/batch/search-index";
import type { TranscriptWord } from "@parley/batch/transcript-words";
import type { SearchResults } from "@parley/contracts/batch/search";
import { transcriptPassages } from "@parley/db/batch/transcript-passages";
import { openDatabase } from "@parley/db/client";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";
import { insertTranscript, spoken } from "../../test/transcripts.ts";

const db = openDatabase(env.DB);

/** A job that is DONE and searchable. */
async function insertSearchable(client: Client, words: TranscriptWord[], row = {}) {
	const job = await insertTranscript(client, words, row);
	const [first, ...rest] = indexTranscript(db, job, words, { condition: sql`true` });
	if (first) await db.batch([first, ...rest]);
	return job;
}

const search = (client: Client, q: string, rest = "") =>
	client.call<SearchResults & { error?: string }>(
		"GET",
		`/v1/batch/search?q=${encodeURIComponent(q)}${rest}`,
	);

test("hits are grouped by job, the newest first, with the sentence, its time and its speaker", async () => {
	const client = await createClient();
	const tracking = { title: "Weekly" };
	const older = await insertSearchable(client, spoken("Ada: our quarterly figures. Bob: Quarterly? yes."));
	const newer = await insertSearchable(client, spoken("the quarterly report."), { tracking });
	await insertSearchable(client, spoken("something else."));
	const { status, body } = await search(client, "QUARTERLY");
	expect(status).toBe(200);
	expect(body.next_cursor).toBeNull();
	expect(body.items).toEqual([
		{
			...{ job_id: newer.jobId, title: "Weekly", submitted_at: newer.submittedAt },
			...{ duration_seconds: null, revision: 0, has_more_hits: false },
			hits: [
				{
					text: "the quarterly report.",
					highlights: [[4, 13]],
					...{ start_time: 0, end_time: 1.4, speaker: null },
				},
			],
		},
		expect.objectContaining({ job_id: older.jobId, title: null }),
	]);
	expect(body.items[1]?.hits).toEqual([
		{
			text: "our quarterly figures.",
			highlights: [[4, 13]],
			...{ start_time: 0, end_time: 1.4, speaker: "Ada" },
		},
		{ text: "Quarterly?", highlights: [[0, 9]], start_time: 1.5, end_time: 1.9, speaker: "Bob" },
	]);
});

test("all words must occur, phrases in order, and beginnings by an asterisk", async () => {
	const client = await createClient();
	const { jobId } = await insertSearchable(client, spoken("the café meets on Monday. 日本語 مرحبا"));
	const isFound = async (q: string) =>
		(await search(client, q)).body.items.some((job) => job.job_id === jobId);
	for (const q of ["cafe monday", '"meets on"', "mond*", '"cafe mee*"', "日本", "本語", "مرحبا", "Monday."])
		expect(await isFound(q), q).toBe(true);
	for (const q of ["cafe tuesday", '"on meets"', "mond", "caf", "語本"])
		expect(await isFound(q), q).toBe(false);
});

test("pages follow each other by a cursor without gaps", async () => {
	const client = await createClient();
	const ids: string[] = [];
	for (let job = 0; job < 7; job++)
		ids.unshift((await insertSearchable(client, spoken(`alpha beta${job}`))).jobId);
	const found: string[] = [];
	for (let cursor = ""; ; ) {
		const { body } = await search(client, "alpha", `&limit=3${cursor && `&cursor=${cursor}`}`);
		found.push(...body.items.map(({ job_id }) => job_id));
		if (!body.next_cursor) break;
		cursor = body.next_cursor;
	}
	expect(found).toEqual(ids);
});

test("a search may be of one job", async () => {
	const client = await createClient();
	const [first, second] = [
		await insertSearchable(client, spoken("alpha")),
		await insertSearchable(client, spoken("alpha")),
	];
	for (const job of [first, second]) {
		const { body } = await search(client, "alpha", `&job_id=${job.jobId}`);
		expect(body.items.map(({ job_id }) => job_id)).toEqual([job.jobId]);
	}
	expect((await search(client, "alpha", "&job_id=nobody")).status).toBe(404);
});

test("a job with many hits shows the first ones and says that there are more", async () => {
	const client = await createClient();
	await insertSearchable(client, spoken("alpha. ".repeat(400)));
	const [job] = (await search(client, "alpha")).body.items;
	expect(job?.hits.map(({ start_time }) => start_time)).toEqual([0, 0.5, 1, 1.5, 2]);
	expect(job?.has_more_hits).toBe(true);
});

test("a long sentence is cut around its match", async () => {
	const client = await createClient();
	const endless = Array.from({ length: 300 }, (_, at) => (at === 200 ? "needle" : "😀lorem")).join("");
	await insertSearchable(client, spoken(`${endless} needle ${endless}`));
	const [hit] = (await search(client, "needle")).body.items[0]?.hits ?? [];
	expect(hit?.text.length).toBeLessThanOrEqual(301);
	expect(hit?.text.isWellFormed()).toBe(true);
	expect(hit?.highlights.map(([start, end]) => hit.text.slice(start, end))).toContain("needle");
});

describe("the index follows", () => {
	test("a saved revision: new words are found, old ones are not", async () => {
		const client = await createClient();
		const job = await insertSearchable(client, spoken("one two three."));
		const body = { base_revision: 0, edits: [{ start: 1, end: 2, text: "zwei" }] };
		await client.call("POST", `/v1/batch/jobs/${job.jobId}/revisions`, body);
		expect((await search(client, "two")).body.items).toEqual([]);
		expect((await search(client, "zwei")).body.items).toMatchObject([{ revision: 1, hits: [{}] }]);
		const cleared = { base_revision: 1, edits: [{ start: 0, end: 3, text: "" }] };
		await client.call("POST", `/v1/batch/jobs/${job.jobId}/revisions`, cleared);
		expect((await search(client, "zwei")).body.items).toEqual([]);
	});

	test("a rename of a speaker", async () => {
		const client = await createClient();
		const job = await insertSearchable(client, spoken("S1: one two."));
		const rename = { base_revision: 0, rename: { S1: "Ada" } };
		await client.call("PUT", `/v1/batch/jobs/${job.jobId}/speakers`, rename);
		expect((await search(client, "one")).body.items).toMatchObject([{ hits: [{ speaker: "Ada" }] }]);
	});

	test("a deletion, after which no row is left", async () => {
		const client = await createClient();
		const job = await insertSearchable(client, spoken("one two."));
		expect((await client.call("DELETE", `/v1/batch/jobs/${job.jobId}`)).status).toBe(204);
		expect((await search(client, "one")).body.items).toEqual([]);
		const left = await db
			.select()
			.from(transcriptPassages)
			.where(eq(transcriptPassages.organisationId, client.organisation.id));
		expect(left).toEqual([]);
	});
});

test("another organisation's transcripts are never found", async () => {
	const [owner, stranger] = [await createClient(), await createClient()];
	const job = await insertSearchable(owner, spoken("confidential alpha."));
	await insertSearchable(stranger, spoken("harmless beta."));
	for (const q of ["confidential", "conf*", '"confidential alpha"', owner.organisation.id, "terms"])
		expect((await search(stranger, q)).body.items, q).toEqual([]);
	expect((await search(stranger, "confidential", `&job_id=${job.jobId}`)).status).toBe(404);
	const { next_cursor } = (await search(owner, "confidential")).body;
	expect(next_cursor).toBeNull();
});

describe("a hostile query", () => {
	test.each([
		'"',
		'""""',
		"*",
		"a* *",
		"NOT",
		"AND OR NOT NEAR(a b, 3)",
		"terms:alpha",
		"{terms}: alpha",
		"^alpha",
		'alpha" OR "beta',
		"alpha' OR 1=1 --",
		"\u202eahpla\u202c",
		"\u0000alpha",
		"\ud800",
		"%",
		"<img src=x onerror=alert(1)>",
		"a".repeat(500),
		'"a b '.repeat(100),
		"",
		"   ",
	])("%j has a defined answer", async (q) => {
		const client = await createClient();
		await insertSearchable(client, spoken("alpha <img onerror=x> beta"));
		const { status, body } = await search(client, q.isWellFormed() ? q : "%ED%A0%80");
		expect(status).toBe(200);
		expect(Array.isArray(body.items)).toBe(true);
	});

	test("that is too long, or without q, is rejected with the field", async () => {
		const client = await createClient();
		const long = await search(client, "a".repeat(10_000));
		expect([long.status, long.body.error]).toEqual([400, "query.q: Must have at most 500 characters"]);
		expect((await client.call("GET", "/v1/batch/search")).status).toBe(400);
		for (const cursor of ["-1", "0", "zzzzzzzzzzzz", "%00", "a b"])
			expect((await search(client, "a", `&cursor=${encodeURIComponent(cursor)}`)).status).toBe(400);
	});

	test("of markup answers plain text with its place", async () => {
		const client = await createClient();
		await insertSearchable(client, spoken("alpha <img onerror=x> beta"));
		const [hit] = (await search(client, "<img onerror>")).body.items[0]?.hits ?? [];
		expect(hit?.text).toBe("alpha <img onerror=x> beta");
		expect(hit?.highlights).toEqual([
			[7, 10],
			[11, 18],
		]);
	});
});
