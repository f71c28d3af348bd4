import type { JobChanged, JobDeleted } from "@parley/contracts/batch/events";
import type { Job, JobPage } from "@parley/contracts/batch/jobs";
import type { QueryClient } from "@tanstack/react-query";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call, send } from "../api/client.ts";
import { isStatus } from "../api/failures.ts";
import { useScope } from "../api/session.ts";
import { createStore } from "../ui/store.ts";
import { inOneTab } from "./one-tab.ts";
import { readEvents, type ServerEvent } from "./read-events.ts";

/** `off` until the first event stream opens. */
export const liveState = createStore<"off" | "live" | "reconnecting">("off");

/** Wait before the first new try; each further one doubles it. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** A stream that says nothing for so long is dead: the server sends a comment every 8 s. */
const SILENCE_MS = 25_000;
/** Lists are read again this long after a change, so that many changes read them once. */
const LIST_DELAY_MS = 400;

/** Keeps the jobs on the page up to date while it is open. */
export function useLiveJobs(): void {
	const queries = useQueryClient();
	const mayRead = useScope("batch:read");
	useEffect(() => {
		if (!mayRead) return;
		const end = new AbortController();
		void stayLive(end.signal, createApply(queries));
		return () => end.abort();
	}, [queries, mayRead]);
}

/** What the tab that reads the stream tells the others. */
type Shared = { state: "live" | "reconnecting" } | { event: ServerEvent };

/** Keeps the stream open in one tab, and this tab up to date with it. */
async function stayLive(signal: AbortSignal, apply: (event: ServerEvent) => void): Promise<void> {
	const receive = (shared: Shared) => {
		if ("event" in shared) return apply(shared.event);
		const isFirst = liveState.get() === "off";
		liveState.set((old) => (old === "off" && shared.state === "reconnecting" ? "off" : shared.state));
		// A tab that joins may have missed what happened since it asked for its first answers.
		if (isFirst && shared.state === "live") apply({ event: "ready", data: { resumed: false } });
	};
	let isRefused = false;
	while (!signal.aborted && !isRefused) {
		await inOneTab<Shared>("parley-live", signal, {
			receive,
			current: () => ({ state: liveState.get() === "live" ? "live" : "reconnecting" }),
			work: async (publish) => {
				isRefused = (await stayConnected(signal, publish)) === "refused";
			},
		});
		// Whoever signs in first, in whichever tab, goes on reading for all.
		if (!signal.aborted && !isRefused) await call("GET /v1/console/session").catch(() => undefined);
	}
}

/** Reads the stream until this tab closes, its session ends, or the server refuses. */
async function stayConnected(
	signal: AbortSignal,
	publish: (shared: Shared) => void,
): Promise<"refused" | "signed-out" | undefined> {
	let lastId: string | undefined;
	let wait = FIRST_WAIT_MS;
	while (!signal.aborted) {
		const silence = new AbortController();
		let timer = 0;
		const listen = () => {
			clearTimeout(timer);
			timer = window.setTimeout(() => silence.abort(), SILENCE_MS);
		};
		try {
			const response = await send("GET /v1/batch/events", {
				headers: { accept: "text/event-stream", ...(lastId && { "last-event-id": lastId }) },
				handles401: true,
				signal: AbortSignal.any([signal, silence.signal]),
			});
			listen();
			for await (const event of readEvents(response, listen)) {
				lastId = event.id ?? lastId;
				wait = FIRST_WAIT_MS;
				publish({ state: "live" });
				publish({ event });
			}
		} catch (error) {
			// Without the stream the screens ask for themselves.
			if (isStatus(error, 403, 404)) return "refused";
			if (isStatus(error, 401)) return "signed-out";
		} finally {
			clearTimeout(timer);
		}
		if (signal.aborted) return;
		publish({ state: "reconnecting" });
		await new Promise((done) => setTimeout(done, wait * (0.75 + Math.random() / 2)));
		wait = Math.min(MAX_WAIT_MS, wait * 2);
	}
}

/** Returns what carries an event into the cached answers. */
export function createApply(queries: QueryClient): (event: ServerEvent) => void {
	let isReadSoon = false;
	const readListsSoon = () => {
		if (isReadSoon) return;
		isReadSoon = true;
		setTimeout(() => {
			isReadSoon = false;
			void queries.invalidateQueries({ queryKey: ["jobs"] });
		}, LIST_DELAY_MS);
	};
	return ({ event, data }) => {
		if (event === "ready" && !(data as { resumed: boolean }).resumed) {
			void queries.invalidateQueries({ queryKey: ["job"] });
			readListsSoon();
		}
		if (event === "job_deleted") {
			void queries.invalidateQueries({ queryKey: ["job", (data as JobDeleted).job_id] });
			readListsSoon();
		}
		if (event === "job") {
			const change = data as JobChanged;
			patchJob(queries, change);
			if (change.completed_at) {
				void queries.invalidateQueries({ queryKey: ["job", change.job_id] });
				void queries.invalidateQueries({ queryKey: ["deliveries", change.job_id] });
			}
			if (change.completed_at || !isListed(queries, change.job_id)) readListsSoon();
		}
	};
}

const isListed = (queries: QueryClient, jobId: string): boolean =>
	queries
		.getQueriesData<JobPage>({ queryKey: ["jobs"] })
		.some(([, page]) => page?.items?.some(({ job_id }) => job_id === jobId));

function patchJob(queries: QueryClient, { job_id, ...change }: JobChanged): void {
	const patch = (job: Job): Job =>
		job.updated_at > change.updated_at
			? job
			: { ...job, ...change, error_message: change.error?.message ?? null };
	queries.setQueryData<Job>(["job", job_id], (job) => job && patch(job));
	queries.setQueriesData<JobPage>(
		{ queryKey: ["jobs"] },
		(page) =>
			page?.items && { ...page, items: page.items.map((job) => (job.job_id === job_id ? patch(job) : job)) },
	);
}
