import { DurableObject } from "cloudflare:workers";
import type { JobFeedMessage, JobFeedReport } from "@parley/contracts/batch/events";
import { RecentReports } from "./recent-reports.ts";

/** Tag of a listener that wants every job; one that waits for a job has `job:<job_id>`. */
const EVERY_JOB = "every-job";
const MAX_STREAMS = 1_000;
/** A little less than the number of WebSockets that one object can hold. */
const MAX_LISTENERS = 30_000;

/**
 * Feed of one organisation's jobs, named by the organisation's id. It stores nothing and holds only its listeners, each a
 * WebSocket of a batch worker; between events it hibernates.
 */
export class JobFeed extends DurableObject {
	private readonly recent = new RecentReports(crypto.randomUUID().slice(0, 8));

	/** Accepts a listener as a WebSocket. The query of the URL says which jobs it wants. */
	override async fetch(request: Request): Promise<Response> {
		const { searchParams } = new URL(request.url);
		const jobId = searchParams.get("job_id");
		const [listeners, max] =
			jobId === null
				? [this.ctx.getWebSockets(EVERY_JOB), MAX_STREAMS]
				: [this.ctx.getWebSockets(), MAX_LISTENERS];
		if (listeners.length >= max) return new Response(null, { status: 429 });
		const { 0: client, 1: server } = new WebSocketPair();
		this.ctx.acceptWebSocket(server, [jobId === null ? EVERY_JOB : tagOf(jobId)]);
		if (jobId === null) this.welcome(server, searchParams.get("last_event_id") ?? undefined);
		return new Response(null, { status: 101, webSocket: client });
	}

	/** Tells the listeners what happened to jobs. */
	report(reports: JobFeedReport[]): void {
		for (const report of reports) {
			const message = this.recent.add(report);
			if (!message) continue;
			const listeners = [EVERY_JOB, tagOf(report.data.job_id)].flatMap((tag) => this.ctx.getWebSockets(tag));
			for (const listener of listeners) send(listener, message);
		}
	}

	private welcome(socket: WebSocket, lastEventId: string | undefined): void {
		const missed = lastEventId === undefined ? undefined : this.recent.since(lastEventId);
		const id = missed?.[0] ? (lastEventId ?? "") : this.recent.lastId;
		send(socket, { id, event: "ready", data: { resumed: missed !== undefined } });
		for (const message of missed ?? []) send(socket, message);
	}
}

const tagOf = (jobId: string): string => `job:${jobId}`;

function send(socket: WebSocket, message: JobFeedMessage): void {
	try {
		socket.send(JSON.stringify(message));
	} catch {
		// The listener is going: its close is on the way.
	}
}
