import { parentPort, workerData } from "node:worker_threads";
import { type HeardWord, openRecogniser, type Pronunciation, type Recogniser } from "./recogniser.ts";

/** A thread keeps one recogniser and answers one question at a time. */
export interface RecogniseInput {
	recogniser: WebAssembly.Module;
	model: ReadonlyMap<string, Uint8Array>;
}

export interface RecogniseQuestion {
	samples: Int16Array<ArrayBuffer>;
	/** Tells vocabularies apart. */
	vocabularyKey: string;
	added: Pronunciation[];
}

export type RecogniseAnswer = HeardWord[];

const { recogniser: module, model } = workerData as RecogniseInput;
let current: { vocabularyKey: string; recogniser: Recogniser } | undefined;

// Words cannot be taken out of the engine again: another vocabulary is another engine.
parentPort?.on("message", async ({ samples, vocabularyKey, added }: RecogniseQuestion) => {
	if (current?.vocabularyKey !== vocabularyKey) {
		current = undefined;
		current = { vocabularyKey, recogniser: await openRecogniser(module, model, added) };
	}
	parentPort?.postMessage(current.recogniser.listen(samples) satisfies RecogniseAnswer);
});
