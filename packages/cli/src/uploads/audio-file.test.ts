import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openAudio } from "./audio-file.ts";

const GIB = 1024 ** 3;
const folder = mkdtempSync(join(tmpdir(), "parley-audio-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of five GiB that takes no room, with a word at some places. */
function largeFile(name: string, places: number[]): string {
	const path = join(folder, name);
	writeFileSync(path, "");
	truncateSync(path, 5 * GIB);
	const file = openSync(path, "r+");
	for (const place of places) writeSync(file, "here", place);
	closeSync(file);
	return path;
}

test("a file of five GiB is as long as it is, and whole at every place", async () => {
	const places = [2 * GIB - 2, 4 * GIB - 2, 5 * GIB - 4];
	const audio = await openAudio(largeFile("large.wav", places));
	expect(audio.size).toBe(5 * GIB);
	for (const place of places) expect(await (await audio.slice(place, place + 4)).text()).toBe("here");
});

test("a large file that changes or is cut off on the way is sent no further", async () => {
	const path = largeFile("changing.wav", []);
	const audio = await openAudio(path);
	await audio.slice(0, 10);
	truncateSync(path, 3 * GIB);
	await expect(audio.slice(0, 10)).rejects.toThrow("the file has changed");
	await expect(audio.slice(4 * GIB, 4 * GIB + 10)).rejects.toThrow("the file has changed");
});
