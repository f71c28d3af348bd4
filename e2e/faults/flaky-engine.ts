// The real speech engine behind a line that fails: three requests of ten are answered with an error, one of ten never.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { availableParallelism } from "node:os";
import { buffer } from "node:stream/consumers";
import { sleep } from "@parley/dev-stack/processes/processes";
import { startSpeech } from "@parley/dev-stack/speech";
import { startLoopback } from "@parley/testing/loopback";
import { fate, seededRandom } from "./fate.ts";

export type FlakyEngine = {
	/** Its settings for a stack. @param timeoutSeconds how long the stack waits for an answer. */
	settings: (timeoutSeconds: number) => Record<string, string>;
	/** From now on requests fail, or from now on none does. */
	setFlaky: (flaky: boolean) => void;
	counts: Record<"asked" | "answered" | "failed" | "stalled", number>;
	stop: () => Promise<void>;
};

const MODEL = "faults/pocketsphinx";
const ANSWER_AFTER_MS = 400;

/** Starts an engine that fails at random. Caches its result per recording, so that each recording is transcribed once. */
export async function startFlakyEngine(seed: number): Promise<FlakyEngine> {
	const random = seededRandom(seed);
	const counts = { asked: 0, answered: 0, failed: 0, stalled: 0 };
	const answers = new Map<string, Promise<Response>>();
	const speech = await startSpeech();
	let flaky = false;

	const { url, stop } = await startLoopback(async (request, response) => {
		counts.asked++;
		const body = await wholeBody(request);
		if (!body) return;
		const end = flaky ? fate(random, { error: 0.3, stall: 0.1 }) : undefined;
		if (end === "stall") return void counts.stalled++;
		if (end === "error") {
			counts.failed++;
			return fail(response, random());
		}
		const type = request.headers["content-type"] ?? "";
		const key = await recordingOf(body, type);
		if (!answers.has(key)) answers.set(key, ask(speech.url, body, type));
		const answer = ((await answers.get(key)) as Response).clone();
		if (!answer.ok) answers.delete(key);
		await sleep(ANSWER_AFTER_MS);
		counts.answered++;
		response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
	});

	return {
		counts,
		setFlaky: (value) => {
			flaky = value;
		},
		settings: (timeoutSeconds) => ({
			SPEECH_ENGINES: JSON.stringify([
				{
					vendor: "openai-compatible",
					base_url: `${url}/v1`,
					timeout_seconds: timeoutSeconds,
					models: [{ code: MODEL, model: "pocketsphinx-en-us", accepts_vocabulary: true }],
				},
			]),
			DEFAULT_MODEL: MODEL,
		}),
		stop: async () => {
			await stop();
			speech.stop();
		},
	};
}

/** Undefined when whoever sent it was killed on the way. */
async function wholeBody(request: IncomingMessage): Promise<Buffer | undefined> {
	try {
		return await buffer(request);
	} catch {
		return undefined;
	}
}

/** Boundaries differ from request to request, the recording does not. */
async function recordingOf(body: Buffer, type: string): Promise<string> {
	const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
	const file = form.get("file") as File;
	return createHash("sha256")
		.update(new Uint8Array(await file.arrayBuffer()))
		.digest("hex");
}

/** As many at a time as it has threads: the engine refuses what it cannot take, and nothing here is about that. */
const turns: Promise<unknown>[] = Array.from({ length: availableParallelism() }, () => Promise.resolve());
let next = 0;
function ask(url: string, body: Buffer, type: string): Promise<Response> {
	const turn = next++ % turns.length;
	const answer = (turns[turn] as Promise<unknown>).then(async () => {
		const response = await fetch(`${url}/v1/audio/transcriptions`, {
			method: "POST",
			headers: { "content-type": type },
			body: new Uint8Array(body),
		});
		return new Response(await response.text(), { status: response.status });
	});
	turns[turn] = answer.catch(() => undefined);
	return answer;
}

/** The ways in which engines fail: with a status, with a limit, with nonsense, in the middle, and without a word. */
function fail(response: ServerResponse, which: number): void {
	if (which < 0.3) response.writeHead(500).end('{"error":{"message":"overloaded"}}');
	else if (which < 0.5) response.writeHead(503).end("<html><title>Service Unavailable</title></html>");
	else if (which < 0.65) response.writeHead(429, { "retry-after": "1" }).end("{}");
	else if (which < 0.8) response.writeHead(200, { "content-type": "application/json" }).end('{"text":"trunc');
	else if (which < 0.9) {
		response.writeHead(200, { "content-length": "1000" }).write('{"text":');
		setTimeout(() => response.destroy(), 50);
	} else response.destroy();
}
