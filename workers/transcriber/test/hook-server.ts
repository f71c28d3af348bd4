import type { IncomingMessage, ServerResponse } from "node:http";
import { startLoopback } from "@parley/testing/loopback";
import type { TestProject } from "vitest/node";

/** One request as it arrived. */
export type Received = { method: string; headers: Record<string, string>; body: string };

declare module "vitest" {
	interface ProvidedContext {
		hooks: string;
	}
}

/**
 * A real receiver of webhooks on loopback. `/h/<id>/<answers>` gives its answers in turn, the last one again and again, and
 * `/seen/<id>` what has arrived. Answers are divided by commas: a status, `<status>-<seconds>` with Retry-After, `hang` for
 * none, `echo` for the request's headers, `flood` for the same many times over, `break` for a connection that is closed.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const seen = new Map<string, Received[]>();
	const { url, stop } = await startLoopback(async (request, response) => {
		const [, kind, id = "", answers = "200"] = (request.url ?? "").split("/");
		const before = seen.get(id) ?? [];
		if (kind === "seen") return void response.end(JSON.stringify(before));
		const received = await receive(request);
		seen.set(id, [...before, received]);
		const script = answers.split(",");
		answer(response, script[Math.min(before.length, script.length - 1)] ?? "200", received);
	});
	project.provide("hooks", url);
	return stop;
}

function answer(response: ServerResponse, kind: string, { headers }: Received): void {
	const echo = JSON.stringify(headers);
	if (kind === "hang") return;
	if (kind === "break") return void response.destroy();
	if (kind === "echo") return void response.end(echo);
	if (kind === "flood") return void response.end(echo.repeat(100_000 / echo.length));
	const [status = "200", retryAfter] = kind.split("-");
	const sent = {
		...(retryAfter && { "retry-after": retryAfter }),
		...(status.startsWith("3") && { location: "/h/elsewhere/200" }),
	};
	response.writeHead(Number(status), sent).end(`answer ${status}`);
}

async function receive(request: IncomingMessage): Promise<Received> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return {
		method: request.method ?? "",
		headers: request.headers as Record<string, string>,
		body: Buffer.concat(chunks).toString(),
	};
}
