import type { AudioInfo } from "@parley/audio-files/audio-info";
import { planKey } from "@parley/batch/object-keys";
import type { ChunkPlan } from "@parley/chunking/plan";
import type { JobRow } from "@parley/db/batch/jobs";
import type { Ctx } from "../context.ts";

/** Properties of a job's audio and its chunks. Stored beside the results of the chunks until the job has ended. */
export type JobPlan = ChunkPlan & { info: AudioInfo };

export async function writePlan({ env }: Ctx, row: JobRow, plan: JobPlan): Promise<void> {
	const httpMetadata = { contentType: "application/json" };
	await env.MEDIA.put(planKey(row), JSON.stringify(plan), { httpMetadata });
}

export async function readPlan({ env }: Ctx, row: JobRow): Promise<JobPlan> {
	const object = await env.MEDIA.get(planKey(row));
	if (!object) throw new Error("The plan of a job that has not ended is missing");
	return object.json<JobPlan>();
}
