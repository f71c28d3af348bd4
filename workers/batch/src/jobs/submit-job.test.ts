import { env } from "cloudflare:workers";
import { inputKey } from "@parley/batch/object-keys";
import { jobs } from "@parley/db/batch/jobs";
import { uploads } from "@parley/db/batch/uploads";
import { openDatabase } from "@parley/db/client";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { base64, type Client, createClient, keysOf } from "../../test/client.ts";

const db = openDatabase(env.DB);
const inline = { input_base64: base64("RIFF"), input_filename: "a.wav" };
const url = { input_url: "https://example.com/a.wav" };

const rowsOf = ({ organisation }: Client) =>
	db.select().from(jobs).where(eq(jobs.organisationId, organisation.id));

async function expectNothingLeft({ organisation }: Client) {
	expect(await db.select().from(jobs).where(eq(jobs.organisationId, organisation.id))).toEqual([]);
	expect(await db.select().from(uploads).where(eq(uploads.organisationId, organisation.id))).toEqual([]);
	expect(await keysOf(organisation.id)).toEqual([]);
}

describe("an accepted submission", () => {
	test("by URL is queued under a generated id", async () => {
		const client = await createClient();
		const { status, body } = await client.submit(url);
		expect(status).toBe(202);
		expect(body).toEqual({ job_id: expect.stringMatching(/^job[0-9a-f]{32}$/), status: "QUEUED" });
		const [row] = await rowsOf(client);
		expect(row).toMatchObject({
			jobId: body.job_id,
			status: "QUEUED",
			inputUrl: url.input_url,
			inputKey: null,
			modelCode: "test/whisper",
		});
	});

	test("inline is stored as what its name implies, and never as a page", async () => {
		const client = await createClient();
		for (const [input_filename, type] of [
			["talk.MP3", "audio/mpeg"],
			["page.html", "application/octet-stream"],
			["drawing.svg", "application/octet-stream"],
		] as const) {
			const { body } = await client.submit({ ...inline, input_filename });
			const key = inputKey({ organisationId: client.organisation.id, jobId: body.job_id }, input_filename);
			expect((await env.MEDIA.head(key))?.httpMetadata?.contentType).toBe(type);
		}
	});

	test("inline keeps the decoded bytes and says how many there are", async () => {
		const client = await createClient();
		const { body } = await client.submit({ ...inline, input_filename: "../über uns/a+b (1).wav" });
		const [row] = await rowsOf(client);
		const key = `inputs/${client.organisation.id}/${body.job_id}/a+b_1_.wav`;
		expect(row).toMatchObject({ inputKey: key, inputMetadata: { source: "inline", size_bytes: 4 } });
		expect((await env.MEDIA.head(key))?.httpMetadata?.contentType).toBe("audio/wav");
		expect(await (await env.MEDIA.get(key))?.text()).toBe("RIFF");
	});

	test("keeps what the caller says of it, with defaults filled in", async () => {
		const client = await createClient();
		const described = {
			metadata: { nested: { list: [1, "a", null] } },
			tracking: { title: "t", reference: "r", tags: ["x", "y"], details: "d" },
			output_config: { srt_overrides: { max_line_length: 42, max_lines: 1 } },
			transcription_config: { language: "en", additional_vocab: [{ content: "Parley" }] },
		};
		const { body } = await client.submit({ ...url, ...described, job_id: "withEverything1" });
		expect(body.job_id).toBe("withEverything1");
		const job = await client.call("GET", "/v1/batch/jobs/withEverything1");
		expect(job.body).toMatchObject({
			metadata: described.metadata,
			tracking: described.tracking,
			job_config: {
				output_config: described.output_config,
				transcription_config: {
					operating_point: "enhanced",
					diarization: "none",
					additional_vocab: [{ content: "Parley" }],
				},
			},
		});
	});

	test("works with the bearer header and with a consumer key", async () => {
		const client = await createClient();
		const headers = { "x-api-key": "", authorization: `Bearer ${client.organisation.key}` };
		expect((await client.call("POST", "/v1/batch/jobs", url, headers)).status).toBe(202);
	});
});

describe("a job_id", () => {
	test("that was used with the same body answers as it did, also inline, also all at once", async () => {
		const client = await createClient();
		for (const body of [
			{ ...url, job_id: "sameUrl" },
			{ ...inline, job_id: "sameInline" },
		]) {
			const answers = await Promise.all([1, 2, 3, 4].map(() => client.submit(body)));
			expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
			expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
		}
		expect(await rowsOf(client)).toHaveLength(2);
		expect(await keysOf(client.organisation.id)).toHaveLength(1);
	});

	test("that was used with another body is refused, and leaves the first job's audio alone", async () => {
		const client = await createClient();
		await client.submit({ ...inline, job_id: "taken" });
		for (const other of [url, { ...inline, input_base64: base64("OTHER") }, { ...inline, metadata: {} }]) {
			const answer = await client.submit({ ...other, job_id: "taken" });
			expect(answer).toMatchObject({
				status: 409,
				body: { error: expect.stringMatching(/^job_id is already used by another job: /) },
			});
		}
		const [row] = await rowsOf(client);
		expect(await (await env.MEDIA.get(row?.inputKey ?? ""))?.text()).toBe("RIFF");
	});

	test("is won by one of two different bodies that come at once", async () => {
		const client = await createClient();
		const bodies = ["AAAA", "BBBB"].map((text) => ({
			...inline,
			input_base64: base64(text),
			job_id: "race",
		}));
		const answers = await Promise.all(bodies.map((body) => client.submit(body)));
		expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
		const winner = answers.findIndex(({ status }) => status === 202);
		const [row] = await rowsOf(client);
		const audio = await (await env.MEDIA.get(row?.inputKey ?? ""))?.text();
		expect(audio).toBe(["AAAA", "BBBB"][winner]);
	});

	test("belongs to its organisation alone", async () => {
		const [one, two] = [await createClient(), await createClient()];
		for (const client of [one, two])
			expect((await client.submit({ ...url, job_id: "shared" })).status).toBe(202);
	});
});

describe("a refused submission leaves nothing behind:", () => {
	const refused: [string, unknown, number, string | RegExp][] = [
		["a job_id with a dash", { ...url, job_id: "a-b" }, 400, "job_id must be alphanumeric"],
		["an empty job_id", { ...url, job_id: "" }, 400, "job_id must be alphanumeric"],
		["no input", {}, 400, /^Exactly one of .*none was given$/],
		["two inputs", { ...url, ...inline }, 400, /^Exactly one of .*2 were given$/],
		["an unknown property", { ...url, callback: "x" }, 400, "callback: Unknown property"],
		[
			"an unknown property in a configuration",
			{ ...url, transcription_config: { diarisation: "speaker" } },
			400,
			"transcription_config.diarisation: Unknown property",
		],
		["base64 without a file name", { input_base64: "AAAA" }, 400, /^input_filename: Required/],
		["a file name without base64", { ...url, input_filename: "a.wav" }, 400, /^input_filename: /],
		["bytes that are not base64", { ...inline, input_base64: "A*==" }, 400, /^input_base64: /],
		["base64 of an impossible length", { ...inline, input_base64: "AAAAA" }, 400, /^input_base64: /],
		["presign with an input", { ...url, mode: "presign" }, 400, /^input_url: /],
		["a content type without presign", { ...url, content_type: "audio/wav" }, 400, /^content_type: /],
		["another mode", { ...url, mode: "upload" }, 400, /^mode: /],
		["plain http", { input_url: "http://example.com/a.wav" }, 400, /^input_url: .*https/],
		["a private address", { input_url: "https://10.0.0.1/a.wav" }, 400, /^input_url: /],
		["a loopback address in octal", { input_url: "https://0177.0.0.1/a.wav" }, 400, /^input_url: /],
		["a URL with a password", { input_url: "https://a:b@example.com/" }, 400, /^input_url: /],
		["an unknown model", { ...url, model_code: "no/such" }, 400, "model_code: Model not found: no/such"],
		["a language the engine lacks", { ...url, transcription_config: { language: "xx" } }, 400, /language/],
		[
			"a feature the engine lacks",
			{ ...url, transcription_config: { diarization: "speaker" } },
			400,
			/^transcription_config.diarization: test\/whisper does not support speaker diarization$/,
		],
		["a wrong extra", { ...url, translation_config: {} }, 400, "translation_config.target_languages"],
		["metadata beyond measure", { ...url, metadata: { a: "x".repeat(17_000) } }, 400, /^metadata: At most/],
		["a foreign s3_key", { s3_key: "inputs/someone/job1/a.wav" }, 400, "s3_key: No upload has this key"],
		["a body that is no JSON", "{", 400, /JSON/],
	];
	test.each(refused)("%s", async (_name, body, status, message) => {
		const client = await createClient();
		const answer = await client.submit(body);
		expect(answer.status).toBe(status);
		expect(Object.keys(answer.body)).toEqual(["error"]);
		if (message instanceof RegExp) expect(answer.body.error).toMatch(message);
		else expect(answer.body.error).toContain(message);
		await expectNothingLeft(client);
	});

	test("no credits", async () => {
		const client = await createClient({ creditSeconds: 0 });
		for (const body of [url, inline, { ...inline, job_id: "broke" }, { mode: "presign" }])
			expect(await client.submit(body)).toMatchObject({
				status: 402,
				body: { error: "Insufficient credits" },
			});
		await expectNothingLeft(client);
	});

	test("a body over 10 MB", async () => {
		const client = await createClient();
		const answer = await client.submit({ ...inline, input_base64: "A".repeat(10_000_000) });
		expect(answer).toMatchObject({ status: 413, body: { error: "Request body too large" } });
		await expectNothingLeft(client);
	});

	test("a multipart form", async () => {
		const client = await createClient();
		const headers = { "content-type": "multipart/form-data; boundary=x" };
		const answer = await client.call("POST", "/v1/batch/jobs", "--x--", headers);
		expect(answer).toMatchObject({
			status: 415,
			body: { error: "Content-Type must be application/json, not multipart/form-data" },
		});
		await expectNothingLeft(client);
	});
});

test("an inline body just under 10 MB is accepted", async () => {
	const client = await createClient();
	const answer = await client.submit({ ...inline, input_base64: "A".repeat(9_999_900) });
	expect(answer.status).toBe(202);
	const [row] = await rowsOf(client);
	expect(row?.inputMetadata.size_bytes).toBe(7_499_925);
});
