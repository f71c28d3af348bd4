import { expect, test } from "vitest";
import { Gate } from "./gate.ts";

/** Starts tasks that run until they are told to end, and notes the order they began in. */
function tasksOf(gate: Gate) {
	const begun: string[] = [];
	const start = (name: string, bytes: number, signal = new AbortController().signal) => {
		const { promise, resolve: end } = Promise.withResolvers<void>();
		const done = gate.run(bytes, signal, () => {
			begun.push(name);
			return promise;
		});
		return { done, end };
	};
	return { begun, start };
}

test("tasks beyond the seats wait, and enter in the order of their coming", async () => {
	const { begun, start } = tasksOf(new Gate({ seats: 1, bytes: 10 }));
	const tasks = ["first", "second", "third"].map((name) => start(name, 1));
	await expect.poll(() => begun).toEqual(["first"]);
	for (const { done, end } of tasks) {
		end();
		await done;
	}
	expect(begun).toEqual(["first", "second", "third"]);
});

test("a task too large for the room that is left is passed by smaller ones", async () => {
	const { begun, start } = tasksOf(new Gate({ seats: 3, bytes: 10 }));
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

test("a task whose signal comes while it waits leaves no gap", async () => {
	const { begun, start } = tasksOf(new Gate({ seats: 1, bytes: 10 }));
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
