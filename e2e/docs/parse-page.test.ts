import { expect, test } from "vitest";
import { matchesOutput } from "./match-output.ts";
import { parsePage } from "./parse-page.ts";

const fence = "```";

test("console blocks become commands with their output", () => {
	const page = parsePage(
		`# Page\n\n${fence}console\n$ echo a \\\n    b\na b\n\n$ true\n$ echo c\nc\n${fence}\n\n${fence}sh\nnpm start\n${fence}\n`,
	);
	expect(page.steps).toEqual([
		{ kind: "command", text: "echo a \\\n    b", output: "a b", line: 4 },
		{ kind: "command", text: "true", output: "", line: 8 },
		{ kind: "command", text: "echo c", output: "c", line: 9 },
	]);
});

test("a directive runs, saves or skips the block below it", () => {
	const page = parsePage(
		[
			"<!-- docs-test: run -->",
			`${fence}sh\nA=1\nB=2\n${fence}`,
			"<!-- docs-test: file a.mjs -->",
			`${fence}js\nconsole.log(1);\n${fence}`,
			"<!-- docs-test: skip it needs a cloud account -->",
			"",
			`${fence}console\n$ deploy\n${fence}`,
		].join("\n"),
	);
	expect(page.steps).toEqual([
		{ kind: "command", text: "A=1\nB=2", output: "…", line: 3 },
		{ kind: "file", name: "a.mjs", text: "console.log(1);\n", line: 8 },
	]);
	expect(page.skipped).toEqual([{ line: 13, reason: "it needs a cloud account" }]);
});

test("a block without an end is an error", () => {
	expect(() => parsePage(`${fence}console\n$ echo`)).toThrow("The block in line 1 has no end");
});

test("ids, times, keys and durations may differ, other text may not", () => {
	const shown =
		'{"id":"01a1f926-9ccd-743d-818f-e50a7ed3a380","at":"2026-11-20T13:30:28.266Z","took":"4.8 s"}';
	const actual =
		'{"id":"01b2f926-9ccd-743d-818f-e50a7ed3a381","at":"2027-01-20T13:30:28.000Z","took":"12 s"}\n';
	expect(matchesOutput(shown, actual)).toBe(true);
	expect(matchesOutput(shown, actual.replace("took", "takes"))).toBe(false);
});

test("an ellipsis stands for any text in a line, and alone for any lines", () => {
	expect(matchesOutput('{"a":1, … "z":9}', '{"a":1,"b":2,"z":9}')).toBe(true);
	expect(matchesOutput('{"a":1, …', '{"a":2,"b":2}')).toBe(false);
	expect(matchesOutput("first\n…\nlast", "first\nx\ny\nlast")).toBe(true);
	expect(matchesOutput("first\n…\nlast", "first\nlast")).toBe(true);
	expect(matchesOutput("first\n…", "second\nthird")).toBe(false);
	expect(matchesOutput("a (b) [c]", "a (b) [c]")).toBe(true);
});
