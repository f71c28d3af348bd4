import { expect, test } from "vitest";
import { withDeadline } from "./deadline.ts";

test("an engine that does not answer in time is said to have had whole milliseconds", async () => {
	const work = () => new Promise<never>(() => undefined);
	await expect(withDeadline(work, { deadlineMs: 9.999999999999998 })).rejects.toMatchObject({
		code: "engine_timeout",
		detail: "no answer in 10 ms",
	});
});
