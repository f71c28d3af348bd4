// Tool calls of a live agent as its voice runtime sees them, beside a bare Hono worker that sends the same request.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BenchServer } from "./server.ts";
import { benchToolLists } from "./tool-lists.ts";

type Json = Record<string, unknown>;

const TOOL_MS = 20;
const WARM_UP = 50;
const ROUNDS = 5;
const CALLS_PER_ROUND = 200;
const COUNTED_CALLS = 50;
const MAX_P50_MS = 10;
const MAX_P99_MS = 50;

/** Prints what a call takes over its tool's own time, and what it costs in D1. */
export async function benchRuntime(server: BenchServer): Promise<void> {
	await benchToolLists(server);
	const { urls, keys, countD1 } = server;
	const endpoint = await startEndpoint();
	try {
		const call = await prepareCall(`${urls.agents}/v1/agents`, keys.api_key, endpoint.url);
		const proxy = () =>
			timed(() =>
				fetch(`${urls.baseline}/proxy`, {
					method: "POST",
					headers: { "x-target": endpoint.url },
					body: JSON.stringify({ city: "Oslo" }),
				}),
			);
		const own = () => timed(call);
		for (let at = 0; at < WARM_UP; at++) await Promise.all([own(), proxy()]);
		const over = { proxy: [] as number[], own: [] as number[] };
		for (let round = 0; round < ROUNDS; round++) {
			for (let at = 0; at < CALLS_PER_ROUND; at++) {
				over.proxy.push((await proxy()) - endpoint.lastMs());
				over.own.push((await own()) - endpoint.lastMs());
			}
		}
		console.log(
			`\nTool calls (${ROUNDS} × ${CALLS_PER_ROUND} calls of a tool of ${TOOL_MS} ms, in turn; time over the tool's own)`,
		);
		print("bare Hono proxy", over.proxy);
		print("POST tools/{name}/call", over.own, `at most ${MAX_P50_MS} and ${MAX_P99_MS}`);

		const before = await countD1();
		for (let at = 0; at < COUNTED_CALLS; at++) await call();
		await new Promise((resolve) => setTimeout(resolve, 500));
		const after = await countD1();
		const perCall = (key: keyof typeof after) => ((after[key] - before[key]) / COUNTED_CALLS).toFixed(2);
		console.log(
			`D1 per call: ${perCall("queries")} round trips (${perCall("reads")} that read), ` +
				`${perCall("rowsRead")} rows read, ${perCall("rowsWritten")} rows written`,
		);
	} finally {
		endpoint.stop();
	}
}

async function timed(send: () => Promise<Response>): Promise<number> {
	const startedAt = performance.now();
	const response = await send();
	const text = await response.text();
	if (!response.ok || !text.includes("clear")) throw new Error(`${response.status} ${text}`);
	return performance.now() - startedAt;
}

/** Publishes a tool that calls the endpoint, attaches it to an agent, and returns a call of it with an agent key. */
async function prepareCall(root: string, apiKey: string, url: string): Promise<() => Promise<Response>> {
	const send = (key: string, path: string, body: Json) =>
		fetch(root + path, {
			method: "POST",
			headers: { authorization: `Bearer ${key}` },
			body: JSON.stringify(body),
		});
	const create = async (path: string, body: Json = {}): Promise<Json> => {
		const response = await send(apiKey, path, body);
		const answer = (await response.json()) as Json;
		if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
		return answer;
	};
	const parameters = {
		...{ type: "object", properties: { city: { type: "string" } }, required: ["city"] },
	};
	const config = { type: "api_request", url, http_method: "POST", parameters };
	const tool = await create("/tools", { name: "bench_forecast", tool_type: "api_request", config });
	await create(`/tools/${tool.id}/run`, { sample_input: { city: "Oslo" }, confirm_side_effects: true });
	await create(`/tools/${tool.id}/publish`);
	const agent = await create("", {
		name: "bench-live-agent",
		tool_refs: [{ attachment_id: randomUUID(), tool_id: tool.id, version: 1 }],
	});
	return () => send(apiKey, `/${agent.id}/tools/bench_forecast/call`, { arguments: { city: "Oslo" } });
}

/** A tool that takes a known time. `lastMs` is what its last answer took in truth. */
async function startEndpoint() {
	let lastMs = 0;
	const server = createServer((request, response) => {
		const startedAt = performance.now();
		request.resume();
		setTimeout(() => {
			response.setHeader("content-type", "application/json").end('{"forecast":"clear"}');
			lastMs = performance.now() - startedAt;
		}, TOOL_MS);
	}).listen(0, "127.0.0.1");
	await new Promise((listening) => server.once("listening", listening));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/forecast`, lastMs: () => lastMs, stop: () => server.close() };
}

function print(name: string, times: number[], note = ""): void {
	const sorted = times.toSorted((a, b) => a - b);
	const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2).padStart(7);
	console.log(`${name.padEnd(28)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   ${note}`);
}
