import type { IncomingMessage, ServerResponse } from "node:http";
import { startLoopback } from "@parley/testing/loopback";
import type { TestProject } from "vitest/node";

type Seen = { method: string; path: string; headers: NodeJS.Dict<string | string[]>; body: string };

/**
 * A real endpoint on loopback for tools to call. What arrives under `/t/<id>/` can be read at `/seen/<id>`, so that a test
 * sees what no answer of the service shows. `/t/<id>/<behaviour>/<argument>`:
 * `echo` · `json` and `text` answer the query's `value` · `status/<code>` · `flaky/<n>` fails n times · `slow/<ms>` ·
 * `big/<bytes>` · `redirect` goes to the query's `to` · `hang` never answers.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const seen = new Map<string, Seen[]>();
	const { url, stop } = await startLoopback(async (request, response) => {
		const url = new URL(request.url ?? "/", "http://endpoint");
		const [, kind, id = "", behaviour = "", argument = ""] = url.pathname.split("/");
		if (kind === "seen") return answer(response, 200, JSON.stringify(seen.get(id) ?? []));
		const entry = await toSeen(request);
		const all = [...(seen.get(id) ?? []), entry];
		seen.set(id, all);
		behave(response, { behaviour, argument, query: url.searchParams, entry, count: all.length });
	});
	project.provide("endpoint", url);
	return stop;
}

type Occasion = { behaviour: string; argument: string; query: URLSearchParams; entry: Seen; count: number };

function behave(response: ServerResponse, { behaviour, argument, query, entry, count }: Occasion): void {
	const echo = JSON.stringify(entry);
	const behaviours: Record<string, () => void> = {
		echo: () => answer(response, 200, echo),
		json: () => answer(response, 200, query.get("value") ?? "{}"),
		text: () => answer(response, 200, query.get("value") ?? "", "text/plain"),
		status: () => answer(response, Number(argument), echo),
		flaky: () => answer(response, count > Number(argument) ? 200 : 503, JSON.stringify({ count })),
		slow: () => void setTimeout(() => answer(response, 200, "{}"), Number(argument)),
		big: () => answer(response, 200, JSON.stringify({ big: "x".repeat(Number(argument)) })),
		redirect: () => void response.writeHead(302, { location: query.get("to") ?? "/" }).end(),
		hang: () => {},
	};
	behaviours[behaviour]?.();
}

async function toSeen(request: IncomingMessage): Promise<Seen> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return {
		method: request.method ?? "",
		path: request.url ?? "",
		headers: request.headers,
		body: Buffer.concat(chunks).toString(),
	};
}

function answer(response: ServerResponse, status: number, body: string, type = "application/json"): void {
	response.writeHead(status, { "content-type": type }).end(body);
}
