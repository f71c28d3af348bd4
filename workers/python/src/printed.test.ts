import { PYTHON_LIMITS } from "@parley/contracts/internal/python-rpc";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CUT_SLACK_BYTES, presentLogs, presentTraceback } from "./printed.ts";

test("lines within the limits stay as they are", () => {
	fc.assert(
		fc.property(fc.array(fc.string().map((line) => line.replaceAll("\n", " "))), (logs) => {
			expect(presentLogs({ logs, logs_truncated: false })).toEqual({ logs, logs_truncated: false });
		}),
	);
});

test("no cut exceeds the limits or splits a character", () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 5 }), fc.constantFrom("a", "é", "漢", "😀"), (shift, character) => {
			const logs = [`${"-".repeat(shift)}${character.repeat(PYTHON_LIMITS.logBytes)}`, "more"];
			const cut = presentLogs({ logs, logs_truncated: false });
			expect(cut.logs_truncated).toBe(true);
			expect(new TextEncoder().encode(cut.logs.join("\n")).length).toBeLessThanOrEqual(
				PYTHON_LIMITS.logBytes,
			);
			expect(logs[0]?.startsWith(cut.logs[0] ?? "")).toBe(true);
		}),
		{ numRuns: 20 },
	);
});

test("no part of a secret is left in output that the sandbox has cut", () => {
	const secret = "secret-0123456789";
	const flood = secret.repeat(10_000).slice(0, PYTHON_LIMITS.logBytes + CUT_SLACK_BYTES);
	const scrub = (text: string) => text.replaceAll(secret, "[redacted]");
	const { logs } = presentLogs({ logs: [flood], logs_truncated: true }, scrub);
	expect(logs.join("\n")).toMatch(/^(\[redacted\])+[[\]a-z]*$/);
	expect(logs.join("\n")).not.toContain("secret");
});

test("a secret that spans lines is found, and the end of a traceback stays", () => {
	const scrub = (text: string) => text.replaceAll("one\ntwo", "[redacted]");
	expect(presentLogs({ logs: ["one", "two", "three"], logs_truncated: false }, scrub).logs).toEqual([
		"[redacted]",
		"three",
	]);
	expect(presentTraceback(`${"x".repeat(20_000)}the end`)?.endsWith("the end")).toBe(true);
});
