import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { rememberJob } from "./file-memory.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PARLEY_URL: "https://parley.example", PARLEY_API_KEY: "one", XDG_CACHE_HOME: folder };
const config = { transcription_config: { language: "en" } };

test("a job is remembered for the same file, configuration and key alone, until it is forgotten", () => {
	const path = join(folder, "a.wav");
	writeFileSync(path, "sound");
	rememberJob(path, config, env).write({ job_id: "job1" });
	expect(rememberJob(path, config, env).read()).toEqual({ job_id: "job1" });
	expect(rememberJob(path, { ...config, model_code: "other" }, env).read()).toBeUndefined();
	expect(rememberJob(path, config, { ...env, PARLEY_API_KEY: "two" }).read()).toBeUndefined();
	rememberJob(path, config, env).forget();
	expect(rememberJob(path, config, env).read()).toBeUndefined();
});

test("a file that has changed has no job", () => {
	const path = join(folder, "b.wav");
	writeFileSync(path, "sound");
	rememberJob(path, config, env).write({ job_id: "job1" });
	appendFileSync(path, "more");
	expect(rememberJob(path, config, env).read()).toBeUndefined();
});
