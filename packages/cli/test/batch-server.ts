import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Loopback server that speaks as much of the batch API as the command needs. */
export type BatchServer = {
	origin: string;
	/** Method and path of each request so far. */
	requests: string[];
	/** Fields of the job that the next read returns, beside its id. */
	job: Record<string, unknown>;
	transcript: string;
	/** Number of the newest revision of the transcript; 0 when nobody edited it. */
	latestRevision: number;
	/** Bodies of the submissions and uploads so far. */
	submissions: Record<string, unknown>[];
	/** Answers every request with this status and error, when set. */
	refusal?: { status: number; error: string } | undefined;
	stop: () => void;
};

export async function startBatchServer(): Promise<BatchServer> {
	const http = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const call = `${request.method} ${request.url?.split("?")[0]}`;
		server.requests.push(call);
		const json = (value: unknown) => response.end(JSON.stringify(value));
		if (server.refusal) {
			response.statusCode = server.refusal.status;
			return json({ error: server.refusal.error });
		}
		const text = Buffer.concat(chunks).toString();
		const presign = call === "POST /v1/batch/jobs" && JSON.parse(text).mode === "presign";
		if (call.startsWith("POST /v1/batch/jobs")) server.submissions.push(JSON.parse(text));
		if (call.endsWith("/transcript")) {
			const revision = new URL(request.url ?? "/", server.origin).searchParams.get("revision") ?? "0";
			response.end(revision === "0" ? server.transcript : `${server.transcript.trim()} r${revision}\n`);
		} else if (call.endsWith("/revisions")) json({ items: [{ revision: server.latestRevision }] });
		else if (presign)
			json({ job_id: "job1", upload: { url: `${server.origin}/storage`, s3_key: "key", headers: {} } });
		else if (call === "GET /v1/batch/jobs/job1") {
			// The service holds the answer for a moment, too.
			setTimeout(() => json({ job_id: "job1", ...server.job }), 50);
		} else if (call === "GET /v1/batch/jobs") {
			json({ items: [], meta: { page: 1, page_size: 10, total: 0, pages: 0 } });
		} else json({ job_id: "job1", status: "QUEUED" });
	});
	await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
	const server: BatchServer = {
		origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
		requests: [],
		job: { status: "DECODING", progress: 0.5 },
		transcript: "hello\n",
		latestRevision: 0,
		submissions: [],
		stop: () => {
			http.close();
			http.closeAllConnections();
		},
	};
	return server;
}
