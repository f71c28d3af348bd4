import { parentPort, workerData } from "node:worker_threads";
import { openRecogniser, type Pronunciation, type RecognisedWord, type Recogniser } from "./recogniser.ts";

/** Input of a thread, which keeps one recogniser and handles one request at a time. */
export interface RecogniseInput {
	recogniser: WebAssembly.Module;
	model: ReadonlyMap<string, Uint8Array>;
}

export interface RecogniseRequest {
	samples: Int16Array<ArrayBuffer>;
	/** Identifies the vocabulary. */
	vocabularyKey: string;
	added: Pronunciation[];
}

export type RecogniseResponse = RecognisedWord[];

const { recogniser: module, model } = workerData as RecogniseInput;
let current: { vocabularyKey: string; recogniser: Recogniser } | undefined;

// Words cannot be removed from the engine, so another vocabulary needs another engine.
parentPort?.on("message", async ({ samples, vocabularyKey, added }: RecogniseRequest) => {
	if (current?.vocabularyKey !== vocabularyKey) {
		current = undefined;
		current = { vocabularyKey, recogniser: await openRecogniser(module, model, added) };
	}
	parentPort?.postMessage(current.recogniser.recognise(samples) satisfies RecogniseResponse);
});
