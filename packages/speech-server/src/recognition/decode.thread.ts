import { parentPort, workerData } from "node:worker_threads";
import { type AudioDecoder, openAudio, UndecodableAudio } from "@parley/decoder/audio-decoder";
import { cutUtterances, type Utterance } from "./utterances.ts";

/** Input of a thread, which decodes one file. Each message requests the next utterance. */
export interface DecodeInput {
	decoder: WebAssembly.Module;
	file: ArrayBuffer;
}

export type DecodeResponse =
	| { kind: "utterance"; utterance: Utterance }
	/** `length` is that of the recording in samples. */
	| { kind: "end"; length: number }
	| { kind: "undecodable"; reason: string };

/** Yields the decoded blocks of a file. */
function* blocks(decoder: AudioDecoder): Generator<Int16Array> {
	for (let block = decoder.read(); block; block = decoder.read()) yield block;
}

/** Yields a response per request. */
async function* responses({ decoder, file }: DecodeInput): AsyncGenerator<DecodeResponse> {
	try {
		const utterances = cutUtterances(blocks(await openAudio(decoder, new Uint8Array(file))));
		for (;;) {
			const next = utterances.next();
			if (next.done) return yield { kind: "end", length: next.value.length };
			yield { kind: "utterance", utterance: next.value };
		}
	} catch (error) {
		if (!(error instanceof UndecodableAudio)) throw error;
		yield { kind: "undecodable", reason: error.message };
	}
}

const pending = responses(workerData as DecodeInput);
parentPort?.on("message", async () => {
	const { value } = await pending.next();
	if (value)
		parentPort?.postMessage(value, value.kind === "utterance" ? [value.utterance.samples.buffer] : []);
});
