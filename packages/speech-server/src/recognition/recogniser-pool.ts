import { Worker } from "node:worker_threads";
import { NO_VOCABULARY, type Vocabulary } from "../vocabulary/vocabulary.ts";
import { callThread, ThreadFailure } from "./call-thread.ts";
import type { RecogniseInput, RecogniseRequest, RecogniseResponse } from "./recognise.thread.ts";
import type { RecognisedWord } from "./recogniser.ts";

const THREAD = new URL("./recognise.thread.ts", import.meta.url);

interface Task {
	/** Removes the task from its queue. */
	drop: () => void;
	samples: Int16Array<ArrayBuffer>;
	vocabulary: Vocabulary;
	signal: AbortSignal;
	resolve: (words: RecognisedWord[]) => void;
	reject: (reason: unknown) => void;
}

interface Thread {
	worker: Worker;
	vocabularyKey: string | undefined;
}

/** A pool of recogniser threads, which start on demand and are replaced after a crash. */
export class RecogniserPool {
	readonly size: number;
	readonly #input: RecogniseInput;
	readonly #timeoutMs: number;
	readonly #threads = new Set<Thread>();
	readonly #idle: Thread[] = [];
	/** Waiting tasks, with a queue per request. The first queue has the next turn. No queue is empty. */
	readonly #queues = new Map<AbortSignal, Task[]>();

	constructor(options: { size: number; input: RecogniseInput; timeoutMs: number }) {
		this.size = options.size;
		this.#input = options.input;
		this.#timeoutMs = options.timeoutMs;
	}

	/**
	 * Recognises one utterance. Requests take turns, one utterance each, so that a short request does not wait for all of a long one. Utterances with
	 * the same signal belong to one request and keep their order. Transfers the samples to a thread.
	 * @throws ThreadFailure, or the reason of the signal, which also drops a waiting utterance.
	 */
	recognise(
		samples: Int16Array<ArrayBuffer>,
		vocabulary: Vocabulary = NO_VOCABULARY,
		signal: AbortSignal = new AbortController().signal,
	): Promise<RecognisedWord[]> {
		return new Promise((resolve, reject) => {
			if (signal.aborted) return reject(signal.reason);
			const drop = () => {
				this.#dequeue(task);
				reject(signal.reason);
			};
			const task: Task = { drop, samples, vocabulary, signal, resolve, reject };
			signal.addEventListener("abort", drop, { once: true });
			const queue = this.#queues.get(signal);
			if (queue) queue.push(task);
			else this.#queues.set(signal, [task]);
			this.#assign();
		});
	}

	/** Ends the threads. Running and waiting tasks fail. */
	async close(): Promise<void> {
		const waiting = [...this.#queues.values()].flat();
		this.#queues.clear();
		for (const { signal, drop, reject } of waiting) {
			signal.removeEventListener("abort", drop);
			reject(new ThreadFailure("the threads were ended"));
		}
		await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
	}

	#assign(): void {
		for (;;) {
			const [queue] = this.#queues.values();
			const task = queue?.[0];
			const thread = task && this.#take(task.vocabulary.key);
			if (!task || !thread) return;
			this.#dequeue(task);
			task.signal.removeEventListener("abort", task.drop);
			void this.#run(thread, task);
		}
	}

	/** Removes a task from its queue. The rest of the queue gets its turn after all others. */
	#dequeue(task: Task): void {
		const rest = this.#queues.get(task.signal)?.filter((other) => other !== task) ?? [];
		this.#queues.delete(task.signal);
		if (rest.length > 0) this.#queues.set(task.signal, rest);
	}

	/** Returns an idle thread, preferably one with the vocabulary, or a new thread. */
	#take(vocabularyKey: string): Thread | undefined {
		const matching = this.#idle.findIndex((thread) => thread.vocabularyKey === vocabularyKey);
		if (matching >= 0) return this.#idle.splice(matching, 1)[0];
		return this.#threads.size < this.size ? this.#start() : this.#idle.pop();
	}

	#start(): Thread {
		const worker = new Worker(THREAD, { workerData: this.#input, execArgv: [] });
		const thread: Thread = { worker, vocabularyKey: undefined };
		this.#threads.add(thread);
		// The pending call reports a crash. Without a listener, a crash would end the process.
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
		const request: RecogniseRequest = { samples, vocabularyKey: vocabulary.key, added: vocabulary.added };
		const transfer = [samples.buffer];
		try {
			resolve(
				await callThread<RecogniseResponse>(thread.worker, request, { transfer, timeoutMs: this.#timeoutMs }),
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
