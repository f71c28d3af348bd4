// The sweeper looks after the jobs of everybody: what other tests have left must not keep a test's own waiting.
import { jobChunks } from "@parley/db/batch/job-chunks";
import { jobs } from "@parley/db/batch/jobs";
import { beforeEach } from "vitest";
import { db } from "./pipeline.ts";

beforeEach(async () => {
	await db.batch([db.delete(jobChunks), db.delete(jobs)]);
});
