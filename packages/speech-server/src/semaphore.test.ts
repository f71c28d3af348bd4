import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

/** Starts tasks that run until their `end` is called, and records the order in which they begin. */
function tasksOf(semaphore: Semaphore) {
	const begun: string[] = [];
	const start = (name: string, bytes: number, signal = new AbortController().signal) => {
		const { promise, resolve: end } = Promise.withResolvers<void>();
		const done = semaphore.withSlot(bytes, signal, () => {
			begun.push(name);
			return promise;
		});
		return { done, end };
	};
	return { begun, start };
}

test("tasks beyond the slots wait and enter in order of arrival", async () => {
	const { begun, start } = tasksOf(new Semaphore({ slots: 1, bytes: 10 }));
	const tasks = ["first", "second", "third"].map((name) => start(name, 1));
	await expect.poll(() => begun).toEqual(["first"]);
	for (const { done, end } of tasks) {
		end();
		await done;
	}
	expect(begun).toEqual(["first", "second", "third"]);
});

test("a small task overtakes one that is too large for the remaining bytes", async () => {
	const { begun, start } = tasksOf(new Semaphore({ slots: 3, bytes: 10 }));
	const first = start("first", 6);
	const large = start("large", 6);
	const small = start("small", 4);
	await expect.poll(() => begun).toEqual(["first", "small"]);
	small.end();
	await small.done;
	expect(begun).toEqual(["first", "small"]);
	first.end();
	await first.done;
	await expect.poll(() => begun).toEqual(["first", "small", "large"]);
	large.end();
	await large.done;
});

test("a task that aborts while it waits leaves the queue", async () => {
	const { begun, start } = tasksOf(new Semaphore({ slots: 1, bytes: 10 }));
	const gone = new AbortController();
	const first = start("first", 1);
	const second = start("second", 1, gone.signal);
	const third = start("third", 1);
	gone.abort(new Error("gone"));
	await expect(second.done).rejects.toThrow("gone");
	first.end();
	third.end();
	await Promise.all([first.done, third.done]);
	expect(begun).toEqual(["first", "third"]);
	await expect(start("late", 1, gone.signal).done).rejects.toThrow("gone");
});
