// The command in a pseudo-terminal of several widths, read as a person reads it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BatchServer, startBatchServer } from "../../test/batch-server.ts";
import { runInTerminal } from "../../test/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-terminal-"));
const file = join(folder, "a call with a long name, recorded on Monday.wav");
const second = join(folder, "second.wav");
let server: BatchServer;
beforeAll(async () => {
	for (const path of [file, second]) writeFileSync(path, "sound");
	server = await startBatchServer();
});
afterAll(() => {
	server.stop();
	rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
	server.job = {
		status: "DECODING",
		progress: 0.5,
		model_code: "m",
		started_at: new Date(Date.now() - 60_000).toISOString(),
		input_metadata: { duration_seconds: 600 },
	};
});

const environment = () => ({
	...process.env,
	PARLEY_URL: server.origin,
	PARLEY_API_KEY: "key",
	XDG_CACHE_HOME: folder,
	TERM: "xterm-256color",
});

const words = "we have received your payment and the order will be sent on monday";

describe.each([40, 80, 200])("on a terminal of %d columns", (columns) => {
	test("the progress fits on one line and the transcript is printed whole", async () => {
		server.transcript = `${words}\n`;
		const terminal = runInTerminal(["transcribe", file], environment(), columns);
		await terminal.until((screen) => screen.some((line) => line.includes("decoding")));
		const [progress, ...others] = terminal.screen().filter((line) => line.includes("decoding"));
		expect(others).toEqual([]);
		expect(progress).toMatch(/50% decoding \d+ s/);
		if (columns >= 80) expect(progress).toMatch(/█+░+ .*, about 1 min \d\d s left$|about 59 s left$/);
		expect(terminal.screen().at(-1)).toBe(progress);

		server.job = { ...server.job, status: "DONE", progress: 1 };
		expect(await terminal.exited).toBe(0);
		const screen = terminal.screen();
		const [note, ...transcript] = splitAfterNote(screen);
		expect(note).toContain("job1");
		expect(transcript.join("")).toBe(words);
		expect(screen.join("\n")).not.toContain("decoding");
	});

	test("several transcripts stand one below the other", async () => {
		server.transcript = "first line\nsecond line\n";
		server.job = { ...server.job, status: "DONE", progress: 1 };
		const terminal = runInTerminal(["transcribe", file, second], environment(), columns);
		expect(await terminal.exited).toBe(0);
		const lines = terminal.screen();
		expect(lines.filter((line) => line === "first line")).toHaveLength(2);
		for (const [index, line] of lines.entries())
			if (line === "first line") expect(lines[index + 1]).toBe("second line");
	});

	test("a failure is the last line", async () => {
		server.job = { ...server.job, status: "FAILED", error_message: "The file is not audio." };
		const terminal = runInTerminal(["transcribe", second], environment(), columns);
		expect(await terminal.exited).toBe(1);
		expect(terminal.screen().join("")).toMatch(/second\.wav: The file is not audio\.$/);
	});
});

test("escape sequences in a file name do not reach the terminal", async () => {
	const hostile = join(folder, "\u001b[2Jgone\u0007.wav");
	writeFileSync(hostile, "sound");
	const terminal = runInTerminal(["transcribe", hostile], environment(), 80);
	await terminal.until((screen) => screen.some((line) => line.includes("decoding")));
	expect(terminal.screen().at(-1)).toContain("gone?.wav");
	server.job = { ...server.job, status: "DONE", progress: 1 };
	expect(await terminal.exited).toBe(0);
});

/** Joins the line that names the job, which a narrow terminal wraps, and leaves what follows. */
function splitAfterNote(screen: string[]): string[] {
	const end = screen.findIndex((line) => line.endsWith("job1")) + 1;
	return [screen.slice(0, end).join(""), ...screen.slice(end)];
}
