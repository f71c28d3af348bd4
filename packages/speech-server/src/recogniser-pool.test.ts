import { decode, recording } from "@parley/decoder/recordings.fixture";
import { afterAll, expect, test } from "vitest";
import { ThreadFailure } from "./ask-thread.ts";
import { loadAssets } from "./assets.ts";
import { RecogniserPool } from "./recogniser-pool.ts";
import { NO_VOCABULARY } from "./vocabulary.ts";

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

test("more utterances than threads are all answered, each with its own words", async () => {
	const pool = makePool(2);
	const answers = await Promise.all(
		[speech(), new Int16Array(8000), speech(), new Int16Array(8000)].map((s) => pool.listen(s)),
	);
	expect(answers.map((words) => words.length > 8)).toEqual([true, false, true, false]);
	expect(answers[2]).toEqual(answers[0]);
});

test("requests take turns, an utterance each", async () => {
	const pool = makePool(1);
	const [long, short] = [new AbortController().signal, new AbortController().signal];
	const answered: string[] = [];
	const listen = (name: string, signal: AbortSignal) =>
		pool.listen(new Int16Array(8000), NO_VOCABULARY, signal).then(() => answered.push(name));
	await Promise.all([
		listen("long 1", long),
		listen("long 2", long),
		listen("long 3", long),
		listen("long 4", long),
		listen("short", short),
	]);
	expect(answered).toEqual(["long 1", "long 2", "short", "long 3", "long 4"]);
});

test("a thread that crashes fails its own utterance and is replaced", async () => {
	const pool = makePool(1);
	const [crashed, waiting] = await Promise.allSettled([
		pool.listen(speech(), CRASHING),
		pool.listen(speech()),
	]);
	expect(crashed).toMatchObject({ status: "rejected", reason: expect.any(ThreadFailure) });
	expect(waiting.status).toBe("fulfilled");
	expect((await pool.listen(speech())).length).toBeGreaterThan(8);
});

test("a thread that gives no answer in time is ended", async () => {
	await expect(makePool(1, 1).listen(speech())).rejects.toThrow("gave no answer for 1 ms");
});

test("a waiting utterance whose request has gone is dropped", async () => {
	const pool = makePool(1);
	const gone = new AbortController();
	const running = pool.listen(speech());
	const waiting = pool.listen(speech(), NO_VOCABULARY, gone.signal);
	const next = pool.listen(speech());
	gone.abort(new Error("gone"));
	await expect(waiting).rejects.toThrow("gone");
	expect((await running).length).toBe((await next).length);
	await expect(pool.listen(speech(), NO_VOCABULARY, gone.signal)).rejects.toThrow("gone");
});

test("words added for one request are unknown to the next", async () => {
	const pool = makePool(1);
	const added = [{ word: "cloudflare", phones: "K L AW D F L EH R" }];
	const has = async (vocabulary = NO_VOCABULARY) => {
		const words = await pool.listen(await decode(decoder, recording("vocabulary").bytes), vocabulary);
		return words.some(({ word }) => word === "cloudflare");
	};
	expect(await has({ ...NO_VOCABULARY, key: "cloudflare", added })).toBe(true);
	expect(await has()).toBe(false);
});
