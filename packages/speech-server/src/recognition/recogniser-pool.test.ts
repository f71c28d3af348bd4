import { decode, recording } from "@parley/decoder/recordings.fixture";
import { afterAll, expect, test } from "vitest";
import { loadAssets } from "../assets.ts";
import { NO_VOCABULARY } from "../vocabulary/vocabulary.ts";
import { ThreadFailure } from "./call-thread.ts";
import { RecogniserPool } from "./recogniser-pool.ts";

const { decoder, recogniser, model } = await loadAssets();
const pools: RecogniserPool[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

function makePool(size: number, timeoutMs = 60_000): RecogniserPool {
	const pool = new RecogniserPool({ size, input: { recogniser, model }, timeoutMs });
	pools.push(pool);
	return pool;
}

const speech = () => new Int16Array(recording("formats", "clip.wav").bytes.buffer.slice(44));
const CRASHING = { ...NO_VOCABULARY, key: "crash", added: [{ word: "wrong", phones: "NO SUCH PHONES" }] };

test("more utterances than threads are all recognised, each with its own words", async () => {
	const pool = makePool(2);
	const results = await Promise.all(
		[speech(), new Int16Array(8000), speech(), new Int16Array(8000)].map((s) => pool.recognise(s)),
	);
	expect(results.map((words) => words.length > 8)).toEqual([true, false, true, false]);
	expect(results[2]).toEqual(results[0]);
});

test("requests take turns, one utterance each", async () => {
	const pool = makePool(1);
	const [long, short] = [new AbortController().signal, new AbortController().signal];
	const finished: string[] = [];
	const recognise = (name: string, signal: AbortSignal) =>
		pool.recognise(new Int16Array(8000), NO_VOCABULARY, signal).then(() => finished.push(name));
	await Promise.all([
		recognise("long 1", long),
		recognise("long 2", long),
		recognise("long 3", long),
		recognise("long 4", long),
		recognise("short", short),
	]);
	expect(finished).toEqual(["long 1", "long 2", "short", "long 3", "long 4"]);
});

test("a crashed thread fails only its own utterance and is replaced", async () => {
	const pool = makePool(1);
	const [crashed, waiting] = await Promise.allSettled([
		pool.recognise(speech(), CRASHING),
		pool.recognise(speech()),
	]);
	expect(crashed).toMatchObject({ status: "rejected", reason: expect.any(ThreadFailure) });
	expect(waiting.status).toBe("fulfilled");
	expect((await pool.recognise(speech())).length).toBeGreaterThan(8);
});

test("a thread that does not respond in time is ended", async () => {
	await expect(makePool(1, 1).recognise(speech())).rejects.toThrow("did not respond within 1 ms");
});

test("a waiting utterance of an aborted request is dropped", async () => {
	const pool = makePool(1);
	const gone = new AbortController();
	const running = pool.recognise(speech());
	const waiting = pool.recognise(speech(), NO_VOCABULARY, gone.signal);
	const next = pool.recognise(speech());
	gone.abort(new Error("gone"));
	await expect(waiting).rejects.toThrow("gone");
	expect((await running).length).toBe((await next).length);
	await expect(pool.recognise(speech(), NO_VOCABULARY, gone.signal)).rejects.toThrow("gone");
});

test("words added for one request are unknown to the next", async () => {
	const pool = makePool(1);
	const added = [{ word: "cloudflare", phones: "K L AW D F L EH R" }];
	const has = async (vocabulary = NO_VOCABULARY) => {
		const words = await pool.recognise(await decode(decoder, recording("vocabulary").bytes), vocabulary);
		return words.some(({ word }) => word === "cloudflare");
	};
	expect(await has({ ...NO_VOCABULARY, key: "cloudflare", added })).toBe(true);
	expect(await has()).toBe(false);
});
