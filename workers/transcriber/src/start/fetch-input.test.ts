import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import { createPipeline, fetchMessage, insertJob, keysOf, read } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";

const url = "https://audio.example/talks/a%20talk.wav?token=secret";

async function start(reply: () => Response | Promise<Response>, attempts = 1, inputUrl = url) {
	const pipeline = createPipeline(outside({ "audio.example": reply }));
	const row = await insertJob({ inputUrl });
	const result = await pipeline.deliver([fetchMessage(row)], attempts);
	return { pipeline, row: await read(row), result };
}

test("the audio behind a URL is brought into the bucket and transcribed", async () => {
	const headers = { "content-type": "audio/wav" };
	const { pipeline, row } = await start(() => new Response(wav(3), { headers }));
	const key = `inputs/${row.organisationId}/${row.jobId}/a_talk.wav`;
	expect(row).toMatchObject({
		status: "DECODING",
		inputKey: key,
		inputUrl: null,
		inputMetadata: { source: "url", size_bytes: 96_044 },
	});
	expect((await env.MEDIA.head(key))?.httpMetadata?.contentType).toBe("audio/wav");
	await pipeline.drain();
	expect((await read(row)).status).toBe("DONE");
});

test.each(["text/html", "image/svg+xml; charset=utf-8", "audio/x+xml", "nonsense"])(
	"what a host calls %s is not stored as that",
	async (type) => {
		const { row } = await start(() => new Response(wav(3), { headers: { "content-type": type } }));
		expect((await env.MEDIA.head(row.inputKey ?? ""))?.httpMetadata?.contentType).toBe("audio/wav");
	},
);

test.each([
	[206, "input_http_error", "status 206"],
	[401, "input_http_error", "status 401"],
	[410, "input_http_error", "status 410"],
])("a host that answers %d fails the job", async (status, code, reason) => {
	const { row } = await start(() => new Response("no", { status }));
	expect(row).toMatchObject({ status: "FAILED", error: { code, message: expect.stringContaining(reason) } });
	expect(await keysOf(row)).toEqual([]);
});

test.each([429, 500, 503])("a host that answers %d is asked again later", async (status) => {
	const { row, result } = await start(() => new Response("later", { status }));
	expect(row).toMatchObject({ status: "IN_PROGRESS", leaseUntil: null });
	expect(result.retryMessages).toHaveLength(1);
});

test("a host that stays away fails the job in the end, without its URL in the reason", async () => {
	const refused = () => Promise.reject(new TypeError("connect ECONNREFUSED"));
	expect((await start(refused, 3)).row.status).toBe("IN_PROGRESS");
	const { row } = await start(refused, 4);
	expect(row).toMatchObject({ status: "FAILED", error: { retryable: true } });
	expect(row.error?.message).toMatch(/^The input URL could not be fetched: /);
	expect(row.error?.message).not.toContain("secret");
});

test("an empty answer fails the job", async () => {
	const { row } = await start(() => new Response(null));
	expect(row).toMatchObject({ status: "FAILED", error: { code: "input_empty" } });
});

test("a connection that breaks in the middle leaves nothing in the bucket", async () => {
	let sent = 0;
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			if (sent++ > 10) controller.error(new Error("Network connection lost."));
			else controller.enqueue(wav(30).subarray(0, sent === 1 ? 44 : undefined));
		},
	});
	const { row, result } = await start(() => new Response(body));
	expect(result.retryMessages).toHaveLength(1);
	expect(await keysOf(row)).toEqual([]);
});
