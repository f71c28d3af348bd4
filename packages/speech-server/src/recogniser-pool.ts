import { Worker } from "node:worker_threads";
import { askThread, ThreadFailure } from "./ask-thread.ts";
import type { RecogniseAnswer, RecogniseInput, RecogniseQuestion } from "./recognise.thread.ts";
import type { HeardWord } from "./recogniser.ts";
import { NO_VOCABULARY, type Vocabulary } from "./vocabulary.ts";

const THREAD = new URL("./recognise.thread.ts", import.meta.url);

interface Task {
	/** Takes it out of the line. */
	drop: () => void;
	samples: Int16Array<ArrayBuffer>;
	vocabulary: Vocabulary;
	signal: AbortSignal;
	resolve: (words: HeardWord[]) => void;
	reject: (reason: unknown) => void;
}

interface Thread {
	worker: Worker;
	vocabularyKey: string | undefined;
}

/** Recognisers in threads: started when there is work for them, replaced when they crash. */
export class RecogniserPool {
	readonly size: number;
	readonly #input: RecogniseInput;
	readonly #timeoutMs: number;
	readonly #threads = new Set<Thread>();
	readonly #idle: Thread[] = [];
	readonly #waiting: Task[] = [];

	constructor(options: { size: number; input: RecogniseInput; timeoutMs: number }) {
		this.size = options.size;
		this.#input = options.input;
		this.#timeoutMs = options.timeoutMs;
	}

	/**
	 * The words of one utterance, first come, first served. The samples are handed over. Throws `ThreadFailure`, or the
	 * reason of the signal: then a waiting utterance is dropped, and the answer to a running one.
	 */
	listen(
		samples: Int16Array<ArrayBuffer>,
		vocabulary: Vocabulary = NO_VOCABULARY,
		signal: AbortSignal = new AbortController().signal,
	): Promise<HeardWord[]> {
		return new Promise((resolve, reject) => {
			if (signal.aborted) return reject(signal.reason);
			const drop = () => {
				this.#waiting.splice(this.#waiting.indexOf(task), 1);
				reject(signal.reason);
			};
			const task: Task = { drop, samples, vocabulary, signal, resolve, reject };
			signal.addEventListener("abort", drop, { once: true });
			this.#waiting.push(task);
			this.#assign();
		});
	}

	/** Ends the threads; what they do and what waits for them fails. */
	async close(): Promise<void> {
		for (const task of this.#waiting.splice(0)) task.reject(new ThreadFailure("the threads were ended"));
		await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
	}

	#assign(): void {
		for (;;) {
			const task = this.#waiting[0];
			const thread = task && this.#take(task.vocabulary.key);
			if (!task || !thread) return;
			this.#waiting.shift();
			task.signal.removeEventListener("abort", task.drop);
			void this.#run(thread, task);
		}
	}

	/** An idle thread, best one that knows the vocabulary already; else a new one. */
	#take(vocabularyKey: string): Thread | undefined {
		const knowing = this.#idle.findIndex((thread) => thread.vocabularyKey === vocabularyKey);
		if (knowing >= 0) return this.#idle.splice(knowing, 1)[0];
		return this.#threads.size < this.size ? this.#start() : this.#idle.pop();
	}

	#start(): Thread {
		const worker = new Worker(THREAD, { workerData: this.#input, execArgv: [] });
		const thread: Thread = { worker, vocabularyKey: undefined };
		this.#threads.add(thread);
		// Whoever asked the thread hears of the crash; without a listener it would end the process.
		worker.on("error", () => {});
		worker.on("exit", () => {
			this.#threads.delete(thread);
			const at = this.#idle.indexOf(thread);
			if (at >= 0) this.#idle.splice(at, 1);
			this.#assign();
		});
		return thread;
	}

	async #run(thread: Thread, { samples, vocabulary, resolve, reject }: Task): Promise<void> {
		const question: RecogniseQuestion = { samples, vocabularyKey: vocabulary.key, added: vocabulary.added };
		const transfer = [samples.buffer];
		try {
			resolve(
				await askThread<RecogniseAnswer>(thread.worker, question, { transfer, timeoutMs: this.#timeoutMs }),
			);
			thread.vocabularyKey = vocabulary.key;
			this.#idle.push(thread);
			this.#assign();
		} catch (error) {
			reject(error);
			await thread.worker.terminate();
		}
	}
}
