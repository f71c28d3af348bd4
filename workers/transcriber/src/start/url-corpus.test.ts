import { env } from "cloudflare:test";
import { toJobRef } from "@parley/batch/job-predicates";
import { fetchKey } from "@parley/batch/object-keys";
import { describe, expect, inject, test, vi } from "vitest";
import { createPipeline, fetchMessage, insertJob, keysOf, read } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";
import { failJob } from "../jobs/fail-job.ts";
import { StepError } from "../step-error.ts";
import { fetchInput } from "./fetch-input.ts";

const MIB = 1024 * 1024;
/** 11 minutes of 16 kHz mono: 20 MiB, three parts. */
const LONG = 660;

const CUT = 12 * MIB;
const host = inject("audioHost");

vi.setConfig({ testTimeout: 30_000 });

/** A corner of the host that is this test's own. */
function corner() {
	const id = crypto.randomUUID();
	return {
		url: (behaviour: string, query = "") => `${host}/${id}/${behaviour}/a.wav${query && `?${query}`}`,
		seen: async () =>
			(await (await fetch(`${host}/seen/${id}`)).json()) as {
				range: string | null;
				ifRange: string | null;
			}[],
	};
}

const createLoopbackPipeline = () =>
	createPipeline({}, { EGRESS_ALLOW_LOOPBACK: "true", EGRESS_OWN_PORTS: "8787" });

/** Delivers a job's fetch, as the queue does. @param attempts which try each delivery is. */
async function start(inputUrl: string, attempts = [1]) {
	const pipeline = createLoopbackPipeline();
	const row = await insertJob({ inputUrl });
	for (const attempt of attempts) await pipeline.deliver([fetchMessage(row)], attempt);
	return { pipeline, row: await read(row) };
}

async function sha256(seconds: number): Promise<string> {
	return Buffer.from(await crypto.subtle.digest("SHA-256", wav(seconds))).toString("hex");
}
const sums = { 3: await sha256(3), [LONG]: await sha256(LONG) } as Record<number, string>;

type Case = {
	habit: string;
	query?: string;
	/** Which tries of the queue there are; the first alone when absent. */
	attempts?: number[];
};

describe("the audio comes whole", () => {
	const long = `seconds=${LONG}`;
	const rest = `bytes=${CUT}-`;
	const cut = `cut/${CUT}`;
	const pieces = Array.from({ length: 7 }, (_, index) => (index === 0 ? null : `bytes=${index * 3 * MIB}-`));

	test.each<[string, Case, (string | null)[]]>([
		["at once", { habit: "ok" }, [null]],
		["after as many redirects as are followed", { habit: "redirects/5" }, Array(6).fill(null)],
		["with a Content-Encoding that changes nothing", { habit: "encoded/identity" }, [null]],
		["short, from the byte where it broke", { habit: "cut/50000" }, [null, "bytes=50000-"]],
		["long, from the byte where it broke", { habit: cut, query: long }, [null, rest]],
		["by its date", { habit: cut, query: `${long}&etag=date` }, [null, rest]],
		["in many pieces", { habit: `cuts/${3 * MIB}`, query: long }, pieces],
		["anew, from a host that knows no ranges", { habit: `rangeless/${CUT}`, query: long }, [null, rest]],
		["anew, when the file has changed", { habit: cut, query: `${long}&etag=changing` }, [null, rest]],
		[
			"anew, after another range than was asked for",
			{ habit: `astray/${CUT}`, query: long },
			[null, rest, null],
		],
		[
			"anew, when the range cannot be had",
			{ habit: `unsatisfiable/${CUT}`, query: long },
			[null, rest, null],
		],
		["anew, without a validator", { habit: cut, query: `${long}&etag=none`, attempts: [1, 2] }, [null, null]],
		[
			"anew, with a weak validator",
			{ habit: cut, query: `${long}&etag=weak`, attempts: [1, 2] },
			[null, null],
		],
		[
			"anew, when its date is too fresh",
			{ habit: cut, query: `${long}&etag=now`, attempts: [1, 2] },
			[null, null],
		],
		[
			"from its last whole part, when the host was away meanwhile",
			{ habit: "after/503", query: long, attempts: [1, 2] },
			[null, rest, `bytes=${8 * MIB}-`],
		],
	])("%s", async (_, { habit, query = "", attempts }, ranges) => {
		const { url, seen } = corner();
		const { row } = await start(url(habit, query), attempts);
		const seconds = query.includes("seconds") ? LONG : 3;
		expect(row).toMatchObject({
			status: "DECODING",
			inputMetadata: { size_bytes: 44 + seconds * 32_000, duration_seconds: seconds, sha256: sums[seconds] },
		});
		expect((await seen()).map(({ range }) => range)).toEqual(ranges);
	});
});

describe("the job fails with the reason", () => {
	const away = (to: string): Case => ({ habit: "away", query: `to=${encodeURIComponent(to)}` });

	test.each<[string, Case, string, RegExp]>([
		["not there", { habit: "status/404" }, "input_http_error", /status 404/],
		["not permitted", { habit: "status/403" }, "input_http_error", /status 403/],
		["too many redirects", { habit: "redirects/6" }, "input_too_many_redirects", /redirects too often/],
		["redirects in a circle", { habit: "loop" }, "input_too_many_redirects", /redirects too often/],
		["a private address", away("https://10.0.0.1/a.wav"), "input_blocked_address", /not a public one/],
		["the metadata service", away("http://169.254.169.254/"), "input_blocked_address", /not a public one/],
		["http on a public host", away("http://files.example/"), "input_invalid_url", /https/],
		["a port of the stack", away("http://localhost:8787/"), "input_blocked_address", /deployment's own/],
		["a path of the simulator", away("/%63dn-cgi/local/explorer"), "input_blocked_address", /cdn-cgi/],
		["a file", away("file:///etc/passwd"), "input_invalid_url", /https/],
		["shorter than promised", { habit: "length/5000", attempts: [1, 10] }, "input_network", /broke before/],
		["larger than may be", { habit: `length/${6 * 1024 * MIB}` }, "input_too_large", /larger than 5 GiB/],
		["compressed with gzip", { habit: "encoded/gzip" }, "input_encoded_body", /without Content-Encoding/],
		["compressed with Brotli", { habit: "encoded/br" }, "input_encoded_body", /without Content-Encoding/],
		["compressed with deflate", { habit: "encoded/deflate" }, "input_encoded_body", /Content-Encoding/],
		["a gigabyte in a megabyte", { habit: "bomb" }, "input_encoded_body", /without Content-Encoding/],
		[
			"compressed from a break on",
			{ habit: `encodedRest/${CUT}`, query: `seconds=${LONG}` },
			"input_encoded_body",
			/Content-Encoding/,
		],
		["a page instead of audio", { habit: "page" }, "input_not_audio", /HTML/],
		["a gigabyte of junk", { habit: "junk" }, "input_not_audio", /not audio/],
		["gone meanwhile", { habit: "after/404", query: `seconds=${LONG}` }, "input_http_error", /status 404/],
	])("%s", async (_, { habit, query, attempts }, code, message) => {
		const { row } = await start(corner().url(habit, query), attempts);
		expect(row).toMatchObject({ status: "FAILED", error: { code, message: expect.stringMatching(message) } });
		expect(await keysOf(row)).toEqual([]);
	});

	test("longer than promised: what was promised counts", async () => {
		const { row } = await start(corner().url("length/-1000"));
		expect(row).toMatchObject({ status: "DECODING", inputMetadata: { size_bytes: 95_044 } });
	});
});

test.each(["bomb", "junk", "page"])(
	"nothing is stored of an input that cannot be audio: %s",
	async (habit) => {
		const { ctx } = createLoopbackPipeline();
		let received = 0;
		const counting: typeof fetch = async (...args) => {
			const response = await fetch(...args);
			const count = new TransformStream<Uint8Array, Uint8Array>({
				transform(bytes, controller) {
					received += bytes.byteLength;
					controller.enqueue(bytes);
				},
			});
			return new Response(response.body?.pipeThrough(count) ?? null, response);
		};
		const refuseWrites = new Proxy(env.MEDIA, {
			get(bucket, name) {
				if (name === "put" || name === "createMultipartUpload") throw new Error(`${name} was called`);
				const value = Reflect.get(bucket, name);
				return typeof value === "function" ? value.bind(bucket) : value;
			},
		});
		const { signal } = new AbortController();
		const row = await insertJob({});
		const own = { ...ctx, fetch: counting, env: { ...ctx.env, MEDIA: refuseWrites } };
		const fetched = fetchInput(own, row, corner().url(habit), signal);
		await expect(fetched).rejects.toMatchObject({
			code: expect.stringMatching(/^input_(encoded_body|not_audio)$/),
		});
		expect(received).toBeLessThan(2 * MIB);
	},
);

describe("a host that takes too long is left", () => {
	test.each<[string, object, string]>([
		["drip", { timeoutMs: 700 }, "input_timeout"],
		["silent", { silenceMs: 300 }, "input_timeout"],
		["drip", { silenceMs: 300, silenceBytes: MIB }, "input_timeout"],
		["endless", { maxBytes: 30 * MIB }, "input_too_large"],
	])("%s", async (behaviour, change, code) => {
		const { ctx } = createLoopbackPipeline();
		const row = await insertJob({});
		const limits = {
			maxBytes: 40 * MIB,
			timeoutMs: 30_000,
			silenceMs: 20_000,
			silenceBytes: 0,
			maxResumes: 20,
			...change,
		};
		const { signal } = new AbortController();
		const fetched = fetchInput(ctx, row, corner().url(behaviour), signal, limits);
		await expect(fetched).rejects.toMatchObject({ code });
		expect(await keysOf(row)).toEqual([]);
	});

	test("but not for ever: four tries", async () => {
		const { ctx } = createLoopbackPipeline();
		const limits = { maxBytes: MIB, timeoutMs: 300, silenceMs: 300, silenceBytes: 0, maxResumes: 20 };
		const { signal } = new AbortController();
		const fetched = fetchInput(ctx, await insertJob({}), corner().url("drip"), signal, limits);
		await expect(fetched).rejects.toMatchObject({ retryable: true, maxAttempts: 4 });
	});
});

describe("what a worker leaves behind that dies", () => {
	/** A fetch that was cut off at 17 MiB, by the worker's own end. */
	async function killed(etag = "strong") {
		const { url, seen } = corner();
		const pipeline = createLoopbackPipeline();
		const row = await insertJob({ inputUrl: url("ok", `seconds=${LONG}&etag=${etag}`) });
		const death = new AbortController();
		let received = 0;
		const dying: typeof fetch = async (...args) => {
			const response = await fetch(...args);
			const counted = response.body?.pipeThrough(
				new TransformStream<Uint8Array, Uint8Array>({
					transform(bytes, controller) {
						received += bytes.byteLength;
						if (received > 17 * MIB) death.abort(new Error("killed"));
						controller.enqueue(bytes);
					},
				}),
			);
			return new Response(counted ?? null, response);
		};
		const ctx = { ...pipeline.ctx, fetch: dying };
		await expect(fetchInput(ctx, row, row.inputUrl ?? "", death.signal)).rejects.toThrow("killed");
		return { pipeline, row, seen };
	}

	test("is carried on by the next one, as far as it was marked", async () => {
		const { pipeline, row, seen } = await killed();
		await pipeline.deliver([fetchMessage(row)]);
		expect(await read(row)).toMatchObject({ status: "DECODING", inputMetadata: { sha256: sums[LONG] } });
		const ranges = (await seen()).map(({ range }) => range);
		expect(ranges).toEqual([null, `bytes=${16 * MIB}-`]);
	});

	test("is not fetched again once it is whole", async () => {
		const { url, seen } = corner();
		const pipeline = createLoopbackPipeline();
		const row = await insertJob({ inputUrl: url("ok", `seconds=${LONG}`) });
		const { signal } = new AbortController();
		await fetchInput(pipeline.ctx, row, row.inputUrl ?? "", signal);
		await pipeline.deliver([fetchMessage(row)]);
		expect(await read(row)).toMatchObject({ status: "DECODING", inputMetadata: { sha256: sums[LONG] } });
		expect(await seen()).toHaveLength(1);
	});

	test.each(["strong", "none"])("is aborted when the job ends (validator: %s)", async (etag) => {
		const { pipeline, row } = await killed(etag);
		const mark = await env.MEDIA.head(fetchKey(row));
		const { key = "", multipartId = "" } = mark?.customMetadata ?? {};
		const upload = env.MEDIA.resumeMultipartUpload(key, multipartId);
		await upload.uploadPart(1, new Uint8Array(1));
		await failJob(pipeline.ctx, toJobRef(row), new StepError("test", "Enough."));
		await expect(upload.uploadPart(1, new Uint8Array(1))).rejects.toThrow("does not exist");
		expect(await keysOf(row)).toEqual([]);
	});
});
