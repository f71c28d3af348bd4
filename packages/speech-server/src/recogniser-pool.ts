import { Worker } from "node:worker_threads";
import { askThread, ThreadFailure } from "./ask-thread.ts";
import type { RecogniseAnswer, RecogniseInput, RecogniseQuestion } from "./recognise.thread.ts";
import type { HeardWord } from "./recogniser.ts";
import { NO_VOCABULARY, type Vocabulary } from "./vocabulary.ts";

const THREAD = new URL("./recognise.thread.ts", import.meta.url);

interface Task {
	/** Takes it out of its line. */
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
	/** What waits, a line for each request; the first line has the next turn. No line is empty. */
	readonly #lines = new Map<AbortSignal, Task[]>();

	constructor(options: { size: number; input: RecogniseInput; timeoutMs: number }) {
		this.size = options.size;
		this.#input = options.input;
		this.#timeoutMs = options.timeoutMs;
	}

	/**
	 * The words of one utterance. Requests take turns, an utterance each, so that a short one need not wait for the whole
	 * of a long one; utterances with the same signal are of one request, and keep their order. The samples are handed
	 * over. Throws `ThreadFailure`, or the reason of the signal: then a waiting utterance is dropped.
	 */
	listen(
		samples: Int16Array<ArrayBuffer>,
		vocabulary: Vocabulary = NO_VOCABULARY,
		signal: AbortSignal = new AbortController().signal,
	): Promise<HeardWord[]> {
		return new Promise((resolve, reject) => {
			if (signal.aborted) return reject(signal.reason);
			const drop = () => {
				this.#leave(task);
				reject(signal.reason);
			};
			const task: Task = { drop, samples, vocabulary, signal, resolve, reject };
			signal.addEventListener("abort", drop, { once: true });
			const line = this.#lines.get(signal);
			if (line) line.push(task);
			else this.#lines.set(signal, [task]);
			this.#assign();
		});
	}

	/** Ends the threads; what they do and what waits for them fails. */
	async close(): Promise<void> {
		const waiting = [...this.#lines.values()].flat();
		this.#lines.clear();
		for (const { signal, drop, reject } of waiting) {
			signal.removeEventListener("abort", drop);
			reject(new ThreadFailure("the threads were ended"));
		}
		await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
	}

	#assign(): void {
		for (;;) {
			const [line] = this.#lines.values();
			const task = line?.[0];
			const thread = task && this.#take(task.vocabulary.key);
			if (!task || !thread) return;
			this.#leave(task);
			task.signal.removeEventListener("abort", task.drop);
			void this.#run(thread, task);
		}
	}

	/** Takes a task out of its line; what is left of the line has its turn after all others. */
	#leave(task: Task): void {
		const rest = this.#lines.get(task.signal)?.filter((other) => other !== task) ?? [];
		this.#lines.delete(task.signal);
		if (rest.length > 0) this.#lines.set(task.signal, rest);
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
