import type { AudioInfo } from "@parley/audio-files/audio-info";
import type { ChunkPlan } from "@parley/chunking/plan";
import type { JobRow } from "@parley/db/jobs";
import { planKey } from "@parley/db/media";
import type { Ctx } from "../context.ts";

/** What a job's audio is and how it is cut; kept beside the chunks' results until the job has ended. */
export type JobPlan = ChunkPlan & { info: AudioInfo };

export async function writePlan({ env }: Ctx, row: JobRow, plan: JobPlan): Promise<void> {
	const httpMetadata = { contentType: "application/json" };
	await env.MEDIA.put(planKey(row), JSON.stringify(plan), { httpMetadata });
}

export async function readPlan({ env }: Ctx, row: JobRow): Promise<JobPlan> {
	const object = await env.MEDIA.get(planKey(row));
	if (!object) throw new Error("The plan of a living job is gone");
	return object.json<JobPlan>();
}
