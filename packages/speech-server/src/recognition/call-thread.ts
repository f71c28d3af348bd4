import type { Transferable, Worker } from "node:worker_threads";

/** A thread that crashed, ended or did not respond. It must not be used again. */
export class ThreadFailure extends Error {
	override name = "ThreadFailure";
}

/**
 * Sends a message to a thread and returns its next message as the response.
 * @throws ThreadFailure, or the reason of the signal. In both cases the thread may still be busy.
 */
export function callThread<Response>(
	thread: Worker,
	request: unknown,
	options: { transfer?: Transferable[]; timeoutMs: number; signal?: AbortSignal },
): Promise<Response> {
	const { transfer = [], timeoutMs, signal } = options;
	return new Promise<Response>((resolve, reject) => {
		const settle = (settleWith: () => void) => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
			thread.off("message", onMessage).off("error", onError).off("exit", onExit);
			settleWith();
		};
		const fail = (reason: string, cause?: unknown) =>
			settle(() => reject(new ThreadFailure(`the thread ${reason}`, { cause })));
		const onMessage = (response: Response) => settle(() => resolve(response));
		const onError = (error: unknown) =>
			fail(`crashed: ${error instanceof Error ? error.message : error}`, error);
		const onExit = (code: number) => fail(`ended with ${code}`);
		const onAbort = () => settle(() => reject(signal?.reason));
		const timer = setTimeout(() => fail(`did not respond within ${timeoutMs} ms`), timeoutMs);
		if (signal?.aborted) return onAbort();
		signal?.addEventListener("abort", onAbort);
		thread.on("message", onMessage).on("error", onError).on("exit", onExit);
		thread.postMessage(request, transfer);
	});
}
