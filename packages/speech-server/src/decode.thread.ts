import { parentPort, workerData } from "node:worker_threads";
import { type AudioDecoder, openAudio, UndecodableAudio } from "@parley/decoder/audio-decoder";
import { cutUtterances, type Utterance } from "./utterances.ts";

/** One thread decodes one file; each message asks for the next utterance. */
export interface DecodeInput {
	decoder: WebAssembly.Module;
	file: ArrayBuffer;
}

export type DecodeAnswer =
	| { kind: "utterance"; utterance: Utterance }
	/** The recording's length in samples. */
	| { kind: "end"; length: number }
	| { kind: "undecodable"; reason: string };

function* blocks(decoder: AudioDecoder): Generator<Int16Array> {
	for (let block = decoder.read(); block; block = decoder.read()) yield block;
}

async function* answers({ decoder, file }: DecodeInput): AsyncGenerator<DecodeAnswer> {
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

const replies = answers(workerData as DecodeInput);
parentPort?.on("message", async () => {
	const { value } = await replies.next();
	if (value)
		parentPort?.postMessage(value, value.kind === "utterance" ? [value.utterance.samples.buffer] : []);
});
