import { Worker } from "node:worker_threads";
import { UndecodableAudio } from "@parley/decoder/audio-decoder";
import { callThread } from "./call-thread.ts";
import type { DecodeInput, DecodeResponse } from "./decode.thread.ts";
import type { Utterance } from "./utterances.ts";

const THREAD = new URL("./decode.thread.ts", import.meta.url);

/**
 * Decodes a file in a thread of its own, so that a hostile file can neither block nor crash anything else. Yields utterances on request and
 * returns the recording's length in samples. Transfers the file's buffer to the thread.
 * @throws UndecodableAudio, ThreadFailure, or the reason of the signal.
 */
export async function* decodeUtterances(
	decoder: WebAssembly.Module,
	file: ArrayBuffer,
	options: { timeoutMs: number; signal: AbortSignal },
): AsyncGenerator<Utterance, { length: number }> {
	const workerData: DecodeInput = { decoder, file };
	const thread = new Worker(THREAD, { workerData, transferList: [file], execArgv: [] });
	// The pending call reports a crash. Without a listener, a crash would end the process.
	thread.on("error", () => {});
	try {
		for (;;) {
			const response = await callThread<DecodeResponse>(thread, "next", options);
			if (response.kind === "undecodable") throw new UndecodableAudio(response.reason);
			if (response.kind === "end") return { length: response.length };
			yield response.utterance;
		}
	} finally {
		await thread.terminate();
	}
}
