import { expect, test, vi } from "vitest";
import { describeError, logError } from "./log.ts";

test("a failed statement is described without its parameters", () => {
	const failed = Object.assign(new Error("Failed query"), {
		query: "insert into keys values (?)",
		params: ["secret value"],
		cause: new Error("UNIQUE constraint failed"),
	});
	expect(describeError(failed)).toBe("UNIQUE constraint failed: insert into keys values (?)");
});

test("an error is described with its causes, or by the detail that it carries", () => {
	const outer = new Error("outer", { cause: new Error("inner") });
	expect(describeError(outer)).toMatch(/^Error: outer[\s\S]*; cause: Error: inner/);
	const engine = Object.assign(new Error("public"), { code: "engine_timeout", detail: "HTTP 504" });
	expect(describeError(engine)).toBe("engine_timeout: HTTP 504");
	expect(describeError("text")).toBe("text");
});

test("a log entry is one line of JSON", () => {
	const write = vi.spyOn(console, "error").mockImplementation(() => {});
	logError("SANDBOX_FAILED", "line one\nline two", { request_id: "r1" });
	expect(write.mock.calls).toEqual([
		['{"level":"error","event":"SANDBOX_FAILED","request_id":"r1","cause":"line one\\nline two"}'],
	]);
	write.mockRestore();
});
