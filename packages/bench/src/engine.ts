import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Engine = { settings: Record<string, string>; asked: () => number; stop: () => void };

/** An engine that takes a known time, so that what a job takes beyond it is ours. Every chunk reads as one word a second. */
export async function startEngine(answerAfterMs: number): Promise<Engine> {
	const words = Array.from({ length: 3 }, (_, at) => ({ word: `word${at}`, start: at, end: at + 0.5 }));
	const answer = JSON.stringify({
		language: "english",
		duration: 3,
		text: words.map(({ word }) => word).join(" "),
		words,
		segments: [],
	});
	let asked = 0;
	const server = createServer((request, response) => {
		asked++;
		request.resume();
		request.once("end", () => {
			setTimeout(() => response.setHeader("content-type", "application/json").end(answer), answerAfterMs);
		});
	}).listen(0, "127.0.0.1");
	await new Promise((listening) => server.once("listening", listening));
	const { port } = server.address() as AddressInfo;
	const engine = {
		vendor: "openai-compatible",
		base_url: `http://127.0.0.1:${port}/v1`,
		models: [{ code: "bench/engine", model: "bench" }],
	};
	return {
		settings: { SPEECH_ENGINES: JSON.stringify([engine]), DEFAULT_MODEL: "bench/engine" },
		asked: () => asked,
		stop: () => server.close(),
	};
}
