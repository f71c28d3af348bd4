import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cachedJob } from "./upload-cache.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-cache-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PARLEY_URL: "https://parley.example", PARLEY_API_KEY: "one", XDG_CACHE_HOME: folder };
const config = { transcription_config: { language: "en" } };

test("a cached job is found for the same file, configuration and key alone, until it is deleted", () => {
	const path = join(folder, "a.wav");
	writeFileSync(path, "sound");
	cachedJob(path, config, env).write({ job_id: "job1" });
	expect(cachedJob(path, config, env).read()).toEqual({ job_id: "job1" });
	expect(cachedJob(path, { ...config, model_code: "other" }, env).read()).toBeUndefined();
	expect(cachedJob(path, config, { ...env, PARLEY_API_KEY: "two" }).read()).toBeUndefined();
	cachedJob(path, config, env).delete();
	expect(cachedJob(path, config, env).read()).toBeUndefined();
});

test("a changed file has no cached job", () => {
	const path = join(folder, "b.wav");
	writeFileSync(path, "sound");
	cachedJob(path, config, env).write({ job_id: "job1" });
	appendFileSync(path, "more");
	expect(cachedJob(path, config, env).read()).toBeUndefined();
});
