import type { Job } from "@parley/contracts/batch/jobs";
import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test, vi } from "vitest";
import { createApply } from "./live.ts";
import { parseEvent, readEvents } from "./read-events.ts";

describe("readEvents", () => {
	test("events that are cut anywhere arrive whole, and comments are left out", async () => {
		const bytes = new TextEncoder().encode(
			': keep-alive\n\nid: 7\nevent: job\ndata: {"a":\ndata: "ü"}\n\nevent: ready\r\ndata: {}\r\n\r\n',
		);
		const body = new ReadableStream({
			start(controller) {
				for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
				controller.close();
			},
		});
		const events: unknown[] = [];
		for await (const event of readEvents(new Response(body), () => {})) events.push(event);
		expect(events).toEqual([
			{ event: "job", data: { a: "ü" }, id: "7" },
			{ event: "ready", data: {} },
		]);
	});

	test("what is no JSON is left out", () => {
		expect(parseEvent("event: job\ndata: {")).toBeUndefined();
	});
});

describe("createApply", () => {
	const job = (more: Partial<Job>) =>
		({ job_id: "a", status: "QUEUED", progress: 0, updated_at: "2026-11-20T09:30:00.000Z", ...more }) as Job;
	const change = (more: object) => ({
		event: "job",
		data: {
			...{ job_id: "a", status: "DECODING", progress: 0.5, error: null, completed_at: null },
			...{ updated_at: "2026-11-20T09:30:07.000Z", submitted_at: "2026-11-20T09:30:00.000Z" },
			...more,
		},
	});

	test("a change reaches the job's own screen and every list that has it", () => {
		const queries = new QueryClient();
		queries.setQueryData(["job", "a"], job({}));
		queries.setQueryData(["jobs", { page: 1 }], { items: [job({}), job({ job_id: "b" })] });
		createApply(queries)(change({}));
		expect(queries.getQueryData<Job>(["job", "a"])?.progress).toBe(0.5);
		const { items } = queries.getQueryData<{ items: Job[] }>(["jobs", { page: 1 }]) ?? { items: [] };
		expect(items.map(({ status }) => status)).toEqual(["DECODING", "QUEUED"]);
	});

	test("an event that is older than what is shown changes nothing", () => {
		const queries = new QueryClient();
		queries.setQueryData(["job", "a"], job({ status: "DONE", updated_at: "2026-11-20T09:31:00.000Z" }));
		createApply(queries)(change({}));
		expect(queries.getQueryData<Job>(["job", "a"])?.status).toBe("DONE");
	});

	test("many unknown jobs read the lists once", () => {
		vi.useFakeTimers();
		const queries = new QueryClient();
		const read = vi.spyOn(queries, "invalidateQueries");
		const apply = createApply(queries);
		for (let at = 0; at < 50; at++) apply(change({ job_id: `new${at}` }));
		vi.advanceTimersByTime(1_000);
		expect(read).toHaveBeenCalledTimes(1);
		vi.useRealTimers();
	});
});
