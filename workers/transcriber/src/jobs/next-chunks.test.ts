import { expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import { createPipeline, insertJob, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";

const positions = (sent: { body: object }[]) =>
	sent.map(({ body }) => ("position" in body ? body.position : undefined));

test("a long job never has more chunks on the queue than the setting allows, and completes", async () => {
	const world = outside();
	const { deliver, sent, drain } = createPipeline(world, { CHUNKS_IN_FLIGHT: "2" as never });
	const row = await insertJob({ audio: wav(700) });
	await deliver([startMessage(row)]);
	expect((await read(row)).chunkCount).toBeGreaterThan(3);
	expect(positions(sent)).toEqual([0, 1]);
	const first = sent.splice(0).map(({ body }) => body);
	await deliver(first.slice(1));
	expect(positions(sent)).toEqual([3]);
	await deliver(first.slice(0, 1));
	expect(positions(sent)).toEqual([3, 2]);
	await drain();
	const done = await read(row);
	expect(done).toMatchObject({ status: "DONE", chunksDone: done.chunkCount });
	expect(world.engineCalls).toBe(done.chunkCount);
}, 30_000);
