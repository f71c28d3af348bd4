import { Worker } from "node:worker_threads";
import { UndecodableAudio } from "@parley/decoder/audio-decoder";
import { askThread } from "./ask-thread.ts";
import type { DecodeAnswer, DecodeInput } from "./decode.thread.ts";
import type { Utterance } from "./utterances.ts";

const THREAD = new URL("./decode.thread.ts", import.meta.url);

/**
 * Decodes a file in a thread of its own, so that a hostile one can neither block nor crash anything else, and gives its
 * utterances as they are asked for; returns the recording's length in samples. The file's buffer is handed over to the
 * thread. Throws `UndecodableAudio`, `ThreadFailure` or the reason of the signal.
 */
export async function* decodeUtterances(
	decoder: WebAssembly.Module,
	file: ArrayBuffer,
	options: { timeoutMs: number; signal: AbortSignal },
): AsyncGenerator<Utterance, { length: number }> {
	const workerData: DecodeInput = { decoder, file };
	const thread = new Worker(THREAD, { workerData, transferList: [file], execArgv: [] });
	// Whoever asked hears of a crash; without a listener it would end the process.
	thread.on("error", () => {});
	try {
		for (;;) {
			const answer = await askThread<DecodeAnswer>(thread, "next", options);
			if (answer.kind === "undecodable") throw new UndecodableAudio(answer.reason);
			if (answer.kind === "end") return { length: answer.length };
			yield answer.utterance;
		}
	} finally {
		await thread.terminate();
	}
}
