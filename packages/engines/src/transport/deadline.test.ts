import { expect, test } from "vitest";
import { withDeadline } from "./deadline.ts";

test("the timeout error states the deadline in whole milliseconds", async () => {
	const work = () => new Promise<never>(() => undefined);
	await expect(withDeadline(work, { deadlineMs: 9.999999999999998 })).rejects.toMatchObject({
		code: "engine_timeout",
		detail: "no answer in 10 ms",
	});
});
