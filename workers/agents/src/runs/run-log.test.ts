import { createScrubber } from "@parley/vault/scrub/scrub";
import { expect, test } from "vitest";
import { createRunLog } from "./run-log.ts";

const plain = (text: string) => text;

test("a log keeps at most a thousand lines", () => {
	const log = createRunLog(plain);
	for (let i = 0; i < 1000; i++) log.add(String(i));
	expect(log.isTruncated()).toBe(false);
	for (let i = 1000; i < 1500; i++) log.add(String(i));
	expect(log.isTruncated()).toBe(true);
	expect(log.lines()).toHaveLength(1000);
	expect(log.lines().at(-1)).toBe("999");
});

test("a log keeps 64 KiB of UTF-8, in whole lines", () => {
	const log = createRunLog(plain);
	for (let i = 0; i < 100; i++) log.add("é".repeat(1000));
	expect(log.lines()).toEqual(Array.from({ length: 32 }, () => "é".repeat(1000)));
	log.add("short");
	expect(log.lines()).toHaveLength(32);
});

test("a long line is scrubbed before it is cut, so that half a secret never remains", () => {
	const { text } = createScrubber(["s3cr3t-canary-51b0"]);
	for (let before = 1980; before < 2000; before++) {
		const log = createRunLog(text);
		log.add(`${"x".repeat(before)} s3cr3t-canary-51b0`);
		expect(log.lines()[0]?.length).toBeLessThanOrEqual(2000);
		expect(log.lines()[0]).not.toContain("s3c");
		expect(log.isTruncated()).toBe(before > 1989);
	}
});

test("printed lines are scrubbed as a whole and may be long, up to 64 KiB in total", () => {
	const secret = "first line of a key\nsecond line of a key";
	const log = createRunLog(createScrubber([secret]).text);
	log.print(["before", ...secret.split("\n"), "é".repeat(40_000), "after"]);
	log.add("later");
	const [before, redacted, long, ...rest] = log.lines();
	expect([before, redacted, rest]).toEqual(["before", "[redacted]", []]);
	expect(log.isTruncated()).toBe(true);
	expect(long).toMatch(/^é+$/);
	const bytes = new TextEncoder().encode(log.lines().join("")).byteLength;
	expect(bytes).toBeLessThanOrEqual(64 * 1024);
	expect(bytes).toBeGreaterThan(64 * 1024 - 4);
});

test("output that the sandbox has cut counts as truncated", () => {
	const log = createRunLog(plain);
	log.print(["all of it"], false);
	expect(log.isTruncated()).toBe(false);
	log.print(["the beginning"], true);
	expect([log.lines(), log.isTruncated()]).toEqual([["all of it", "the beginning"], true]);
});
