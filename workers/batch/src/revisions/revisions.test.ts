import { env } from "cloudflare:workers";
import { outputKey, outputPrefix } from "@parley/batch/object-keys";
import { writeRevision } from "@parley/batch/stored-revision";
import { wordsOf } from "@parley/batch/transcript-words";
import type {
	CreateRevision,
	Revision,
	RevisionConflict,
	RevisionDetails,
	RevisionPage,
} from "@parley/contracts/batch/revisions";
import type { SearchResults } from "@parley/contracts/batch/search";
import type { Speakers } from "@parley/contracts/batch/speakers";
import { Transcript } from "@parley/contracts/batch/transcript";
import { revisions } from "@parley/db/batch/revisions";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type Client, createClient, insertJob } from "../../test/client.ts";
import { insertTranscript, spoken } from "../../test/transcripts.ts";

type Refusal = { error: string; conflict?: RevisionConflict };

async function createTranscript(text = "S1: the quick brown fox. S2: yes it is.") {
	const client = await createClient();
	const job = await insertTranscript(client, spoken(text));
	const path = `/v1/batch/jobs/${job.jobId}`;
	const save = <T = Revision & Refusal>(body: CreateRevision, headers: Record<string, string> = {}) =>
		client.call<T>("POST", `${path}/revisions`, body, headers);
	return { client, job, path, save };
}

const replaceFirst = (text: string, base = 0): CreateRevision => ({
	base_revision: base,
	edits: [{ start: 0, end: 1, text }],
});

const textAt = async (client: Client, path: string, revision: number | string, format = "txt") =>
	(await client.call<string>("GET", `${path}/transcript?format=${format}&revision=${revision}`)).body;

describe("a saved edit", () => {
	test("is a new revision with author, counts and ETag, and the engine's result stays", async () => {
		const { client, path, job, save } = await createTranscript();
		const engine = await (await env.MEDIA.get(outputKey(job, "json")))?.text();
		const edits = [
			{ start: 1, end: 3, text: "quiet crown" },
			{ start: 7, end: 7, text: "Indeed." },
		];
		const { status, headers, body } = await save({ base_revision: 0, edits, comment: "Names" });
		expect(status).toBe(201);
		expect(headers.get("location")).toBe(`${path}/revisions/1`);
		expect(headers.get("etag")).toBe(body.etag);
		expect(body).toMatchObject({
			...{ revision: 1, base_revision: 0, comment: "Names", word_count: 8, author_name: "test" },
			author: expect.stringMatching(/^api_key:/),
			summary: { words_added: 1, words_removed: 0, words_replaced: 2, words_reassigned: 0 },
		});
		expect(await (await env.MEDIA.get(outputKey(job, "json")))?.text()).toBe(engine);
		expect(await textAt(client, path, "latest")).toContain("the quiet crown fox.");
		expect(await textAt(client, path, 1, "srt")).toContain("quiet crown");
		expect(await textAt(client, path, 1, "vtt")).toContain("quiet crown");
		const { body: json } = await client.call<Transcript>("GET", `${path}/transcript?revision=1`);
		const transcript = Transcript.parse(json);
		expect(transcript.metadata.revision).toMatchObject({ number: 1, author: body.author });
		expect(wordsOf(transcript.results)[1]).toEqual({
			...{ word: "quiet", start: 0.5, end: 0.9, confidence: null, language: "en" },
			...{ speaker: "S1", edited: true },
		});
		expect(wordsOf(transcript.results)[0]?.edited).toBeUndefined();
	});

	test("is listed before the engine's result, and shows its differences", async () => {
		const { client, path, save } = await createTranscript();
		await save(replaceFirst("a"));
		await save({ base_revision: 1, edits: [{ start: 1, end: 3, text: "" }] });
		const { body } = await client.call<RevisionPage>("GET", `${path}/revisions`);
		expect(body.meta).toMatchObject({ total: 3 });
		expect(body.items.map(({ revision, author }) => [revision, author === null])).toEqual([
			[2, false],
			[1, false],
			[0, true],
		]);
		const second = await client.call<RevisionPage>("GET", `${path}/revisions?page=2&page_size=2`);
		expect(second.body.items.map(({ revision }) => revision)).toEqual([0]);
		const { body: details } = await client.call<RevisionDetails>("GET", `${path}/revisions/2`);
		expect(details).toMatchObject({ revision: 2, base_revision: 1, changes_truncated: false });
		expect(details.changes).toEqual([
			{
				...{ start: 1, end: 3, before: "quick brown", after: "" },
				...{ speaker_before: "S1", speaker_after: null, start_time: 0.5, end_time: 1.4 },
			},
		]);
		expect((await client.call("GET", `${path}/revisions/0`)).body).toMatchObject({ changes: [] });
		expect((await client.call("GET", `${path}/revisions/3`)).status).toBe(404);
		expect((await client.call("GET", `${path}/transcript?revision=9`)).status).toBe(404);
	});

	test("is the same when it is repeated under its Idempotency-Key", async () => {
		const { save } = await createTranscript();
		const key = { "idempotency-key": crypto.randomUUID() };
		const first = await save(replaceFirst("a"), key);
		expect((await save(replaceFirst("a"), key)).body).toEqual(first.body);
	});
});

describe("a change that comes too late", () => {
	test("is answered with the latest revision and the differences to it", async () => {
		const { save } = await createTranscript();
		await save(replaceFirst("a"));
		await save({ base_revision: 1, edits: [{ start: 4, end: 5, text: "no" }] });
		const { status, body } = await save(replaceFirst("one"));
		expect(status).toBe(412);
		expect(body.error).toContain("Revision 2 was saved meanwhile");
		expect(body.conflict).toMatchObject({
			base_revision: 0,
			latest: { revision: 2 },
			changes: [
				{ start: 0, end: 1, before: "the", after: "a" },
				{ start: 4, end: 5, before: "yes", after: "no" },
			],
		});
	});

	test("is recognised by its ETag as well", async () => {
		const { client, path, save } = await createTranscript();
		const { body: first } = await client.call<RevisionDetails>("GET", `${path}/revisions/0`);
		const saved = await save(replaceFirst("a"), { "if-match": first.etag });
		expect(saved.status).toBe(201);
		expect((await save(replaceFirst("b", 1), { "if-match": first.etag })).status).toBe(412);
		expect((await save(replaceFirst("b", 1), { "if-match": saved.body.etag })).status).toBe(201);
	});

	test("loses a race: of many saves at once one gets the number, and no object is left of the others", async () => {
		const { client, job, path, save } = await createTranscript();
		const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => save(replaceFirst(`w${at}`))));
		const [winner, ...others] = answers.filter(({ status }) => status === 201);
		expect(others).toEqual([]);
		for (const { status, body } of answers.filter((answer) => answer !== winner)) {
			expect(status).toBe(412);
			expect(body.conflict?.latest).toEqual(winner?.body);
		}
		const { objects } = await env.MEDIA.list({ prefix: `${outputPrefix(job)}revisions/` });
		expect(objects).toHaveLength(1);
		expect((await client.call<RevisionPage>("GET", `${path}/revisions`)).body.meta.total).toBe(2);
	});
});

describe("edits are rejected", () => {
	test.each<[string, unknown, string]>([
		["that overlap", { base_revision: 0, edits: [edit(0, 2), edit(1, 3)] }, "edits.1.start"],
		["that are out of order", { base_revision: 0, edits: [edit(2, 3), edit(0, 1)] }, "edits.1.start"],
		[
			"that insert twice at one place",
			{ base_revision: 0, edits: [edit(1, 1), edit(1, 1)] },
			"edits.1.start",
		],
		["behind the end", { base_revision: 0, edits: [edit(0, 99)] }, "edits.0.end"],
		["that end before they start", { base_revision: 0, edits: [edit(2, 1)] }, "edits.0.end"],
		["without any", { base_revision: 0, edits: [] }, "edits"],
		["of a revision that there is not", { base_revision: 7, edits: [edit(0, 1)] }, "base_revision"],
		["without a base", { edits: [edit(0, 1)] }, "base_revision"],
	])("%s", async (_what, body, field) => {
		const { save } = await createTranscript();
		const refused = await save<Refusal>(body as CreateRevision);
		expect(refused.status).toBe(400);
		expect(refused.body.error).toMatch(new RegExp(`^${field}: `));
	});

	test("while the job runs, after it failed, and when its files are removed", async () => {
		const client = await createClient();
		for (const [row, status] of [
			[{ status: "DECODING" }, 409],
			[{ status: "FAILED" }, 409],
			[{ status: "DONE", filesRemovedAt: "2026-11-20T00:00:00.000Z" }, 404],
		] as const) {
			const { jobId } = await insertJob(client.organisation.id, row);
			const path = `/v1/batch/jobs/${jobId}/revisions`;
			expect((await client.call("POST", path, replaceFirst("a"))).status).toBe(status);
			expect((await client.call("GET", path)).status).toBe(status);
		}
	});

	test("of another organisation's job", async () => {
		const { path } = await createTranscript();
		const stranger = await createClient();
		const speakers = { base_revision: 0, rename: { S1: "Eve" } };
		expect((await stranger.call("POST", `${path}/revisions`, replaceFirst("a"))).status).toBe(404);
		expect((await stranger.call("PUT", `${path}/speakers`, speakers)).status).toBe(404);
		for (const read of ["revisions", "revisions/0", "speakers", "transcript?revision=latest"])
			expect((await stranger.call("GET", `${path}/${read}`)).status).toBe(404);
	});
});

function edit(start: number, end: number, text = "x") {
	return { start, end, text };
}

test("words with markup stay text in every format", async () => {
	const { client, path, save } = await createTranscript();
	const attack = "<img src=x onerror=alert(1)> &amp; {\\an8} --> 00:00:01.000";
	expect((await save(replaceFirst(attack))).status).toBe(201);
	const vtt = await textAt(client, path, 1, "vtt");
	expect(vtt).not.toContain("<img");
	const cues = vtt.split("\n").filter((line) => line.includes("-->"));
	for (const line of cues) expect(line).toMatch(/^[\d:.]+ --> [\d:.]+/);
	expect(
		(await client.call("GET", `${path}/transcript?format=vtt&revision=1`)).headers.get("content-type"),
	).toBe("text/vtt; charset=utf-8");
});

describe("speakers", () => {
	test("are renamed, merged and split, each time as a revision", async () => {
		const { client, path } = await createTranscript();
		const change = (body: object) => client.call<Revision & Refusal>("PUT", `${path}/speakers`, body);
		const labels = async () =>
			(await client.call<Speakers>("GET", `${path}/speakers`)).body.items.map(({ label, word_count }) => [
				label,
				word_count,
			]);
		expect(await labels()).toEqual([
			["S1", 4],
			["S2", 3],
		]);
		const renamed = await change({ base_revision: 0, rename: { S1: "Ada", S2: "Ada" } });
		expect(renamed).toMatchObject({ status: 200, body: { revision: 1, summary: { words_reassigned: 7 } } });
		expect(await labels()).toEqual([["Ada", 7]]);
		await change({ base_revision: 1, assign: [{ start: 4, end: 7, speaker: "Charles" }] });
		expect(await labels()).toEqual([
			["Ada", 4],
			["Charles", 3],
		]);
		const before = await client.call<Speakers>("GET", `${path}/speakers?revision=0`);
		expect(before.body.items[0]).toEqual({ label: "S1", word_count: 4, seconds: 1.6, first_time: 0 });
		expect(await textAt(client, path, "latest", "vtt")).toContain("Charles");
	});

	test.each([
		["nobody", { rename: { S9: "Ada" } }],
		["nothing", {}],
		["an empty label", { rename: { S1: " " } }],
		["a label with a line break", { rename: { S1: "a\nb" } }],
		["an empty range", { assign: [{ start: 1, end: 1, speaker: "Ada" }] }],
		["a range behind the end", { assign: [{ start: 1, end: 100, speaker: "Ada" }] }],
	])("cannot be changed with %s", async (_what, body) => {
		const { client, path } = await createTranscript();
		expect((await client.call("PUT", `${path}/speakers`, { base_revision: 0, ...body })).status).toBe(400);
	});
});

test("a deleted job takes its revisions with it", async () => {
	const { client, job, path, save } = await createTranscript();
	await save(replaceFirst("a"));
	expect((await client.call("DELETE", path)).status).toBe(204);
	const rows = await openDatabase(env.DB)
		.select()
		.from(revisions)
		.where(and(eq(revisions.organisationId, client.organisation.id), eq(revisions.jobId, job.jobId)));
	expect(rows).toEqual([]);
	expect((await env.MEDIA.list({ prefix: outputPrefix(job) })).objects).toEqual([]);
	expect((await save(replaceFirst("b", 1))).status).toBe(404);
});

test("what an interrupted save leaves is no revision, hinders none, and goes with the job", async () => {
	const { client, job, path, save } = await createTranscript();
	await writeRevision(env.MEDIA, job, newId(), spoken("never saved"));
	expect((await client.call<RevisionPage>("GET", `${path}/revisions`)).body.meta.total).toBe(1);
	expect(await save(replaceFirst("a"))).toMatchObject({ status: 201, body: { revision: 1 } });
	expect((await client.call("DELETE", path)).status).toBe(204);
	expect((await env.MEDIA.list({ prefix: outputPrefix(job) })).objects).toEqual([]);
});

test("a save and a deletion at the same time leave nothing behind", async () => {
	for (let round = 0; round < 5; round++) {
		const { client, job, path, save } = await createTranscript();
		const [saved, deleted] = await Promise.all([save(replaceFirst("a")), client.call("DELETE", path)]);
		expect([201, 404]).toContain(saved.status);
		expect(deleted.status).toBe(204);
		expect((await env.MEDIA.list({ prefix: outputPrefix(job) })).objects).toEqual([]);
		const left = await openDatabase(env.DB)
			.select()
			.from(revisions)
			.where(eq(revisions.organisationId, client.organisation.id));
		expect(left).toEqual([]);
		expect((await client.call<SearchResults>("GET", "/v1/batch/search?q=fox")).body.items).toEqual([]);
	}
});

test("a revision has at most 100,000 words", async () => {
	const client = await createClient();
	const job = await insertTranscript(client, spoken("a b"));
	const path = `/v1/batch/jobs/${job.jobId}/revisions`;
	const edits = [{ start: 0, end: 2, text: "w ".repeat(49_000) }];
	expect((await client.call("POST", path, { base_revision: 0, edits })).status).toBe(201);
	const more = [
		{ start: 0, end: 1, text: "w ".repeat(49_999) },
		{ start: 1, end: 2, text: "v ".repeat(3000) },
	];
	const refused = await client.call<Refusal>("POST", path, { base_revision: 1, edits: more });
	expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining("at most 100000")]);
});
