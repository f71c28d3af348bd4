import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Logs } from "./logs.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const wide = { maxLines: 1_000, maxBytes: 64 * 1024 };

describe("logs", () => {
	test("are the same lines, however the bytes are cut into writes", () => {
		fc.assert(
			fc.property(fc.array(fc.string({ unit: "binary" })), fc.integer({ min: 1, max: 7 }), (lines, size) => {
				const printed = bytes(lines.map((line) => `${line.replaceAll("\n", " ")}\n`).join(""));
				const logs = new Logs(wide);
				const stream = logs.stream("stdout");
				for (let i = 0; i < printed.length; i += size) stream.write(printed.subarray(i, i + size));
				logs.close();
				expect(logs.lines).toEqual(lines.map((line) => line.replaceAll("\n", " ")));
				expect(logs.truncated).toBe(false);
			}),
		);
	});
	test("keep the streams apart until a line ends", () => {
		const logs = new Logs(wide);
		const [out, error] = [logs.stream("stdout"), logs.stream("stderr")];
		out.write(bytes("one"));
		error.write(bytes("two\n"));
		out.write(bytes(" more\nrest"));
		logs.close();
		expect(logs.lines).toEqual(["two", "one more", "rest"]);
	});
	test("stop at their limits but swallow all that is written", () => {
		const logs = new Logs({ maxLines: 2, maxBytes: 10 });
		const out = logs.stream("stdout");
		expect(out.write(bytes("a\nb\nc\n"))).toBe(6);
		expect(logs).toMatchObject({ lines: ["a", "b"], truncated: true });
		expect(out.write(bytes("0123456789"))).toBe(10);
	});
	test("give back the stack of a torn down interpreter", () => {
		const logs = new Logs(wide);
		logs
			.stream("stdout")
			.write(
				bytes(
					'said\nStack (most recent call first):\n  File "tool.py", line 2 in f\n  File "x", line 1 in g\n',
				),
			);
		expect(logs.takeStack((frame) => frame.includes("tool.py"))).toBe(
			'Stack (most recent call first):\n  File "tool.py", line 2 in f\n',
		);
		expect(logs.lines).toEqual(["said"]);
	});
});
