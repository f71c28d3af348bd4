// A host of recordings whose line breaks: a fifth of the answers are errors, a fifth break off in the middle.
import { createHash } from "node:crypto";
import { startLoopback } from "@parley/testing/loopback";
import { fate, seededRandom } from "./fate.ts";

export type FlakyHost = {
	url: (name: string) => string;
	setFlaky: (flaky: boolean) => void;
	counts: Record<"asked" | "failed" | "broken", number>;
	stop: () => Promise<void>;
};

/** Answers range requests, and says of each recording which version it is. @param files by name; others are not found. */
export async function startFlakyHost(seed: number, files: Record<string, Buffer>): Promise<FlakyHost> {
	const random = seededRandom(seed);
	const counts = { asked: 0, failed: 0, broken: 0 };
	let flaky = false;
	const { url, stop } = await startLoopback((request, response) => {
		counts.asked++;
		const file = files[decodeURIComponent((request.url ?? "/").slice(1))];
		if (!file) return response.writeHead(404).end("not here");
		const end = flaky ? fate(random, { error: 0.2, break: 0.2 }) : undefined;
		if (end === "error") {
			counts.failed++;
			return response.writeHead(503).end();
		}
		const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
		const etag = `"${createHash("sha256").update(file).digest("hex").slice(0, 16)}"`;
		const body = file.subarray(from);
		const headers = { "content-type": "application/octet-stream", "accept-ranges": "bytes", etag };
		if (from > 0) {
			const range = `bytes ${from}-${file.length - 1}/${file.length}`;
			response.writeHead(206, { ...headers, "content-length": body.length, "content-range": range });
		} else response.writeHead(200, { ...headers, "content-length": body.length });
		if (end !== "break") return response.end(body);
		counts.broken++;
		response.write(body.subarray(0, Math.floor(body.length / 2)), () => {
			setTimeout(() => response.destroy(), 20);
		});
	});
	return {
		url: (name) => `${url}/${encodeURIComponent(name)}`,
		counts,
		setFlaky: (value) => {
			flaky = value;
		},
		stop,
	};
}
