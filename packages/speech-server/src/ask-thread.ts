import type { Transferable, Worker } from "node:worker_threads";

/** The thread crashed, ended or did not answer; it must not be used again. */
export class ThreadFailure extends Error {
	override name = "ThreadFailure";
}

/**
 * Asks a thread one question and takes its next message as the answer. Throws `ThreadFailure`, or the reason of the
 * signal; in both cases the thread may still be busy.
 */
export function askThread<Answer>(
	thread: Worker,
	question: unknown,
	options: { transfer?: Transferable[]; timeoutMs: number; signal?: AbortSignal },
): Promise<Answer> {
	const { transfer = [], timeoutMs, signal } = options;
	return new Promise<Answer>((resolve, reject) => {
		const settle = (settleWith: () => void) => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
			thread.off("message", onMessage).off("error", onError).off("exit", onExit);
			settleWith();
		};
		const fail = (reason: string, cause?: unknown) =>
			settle(() => reject(new ThreadFailure(`the thread ${reason}`, { cause })));
		const onMessage = (answer: Answer) => settle(() => resolve(answer));
		const onError = (error: unknown) =>
			fail(`crashed: ${error instanceof Error ? error.message : error}`, error);
		const onExit = (code: number) => fail(`ended with ${code}`);
		const onAbort = () => settle(() => reject(signal?.reason));
		const timer = setTimeout(() => fail(`gave no answer for ${timeoutMs} ms`), timeoutMs);
		if (signal?.aborted) return onAbort();
		signal?.addEventListener("abort", onAbort);
		thread.on("message", onMessage).on("error", onError).on("exit", onExit);
		thread.postMessage(question, transfer);
	});
}
