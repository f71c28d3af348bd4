import { z } from "zod";
import { Timestamp } from "../shared/common.ts";
import { ModelCode, ServiceType } from "./catalog.ts";
import { Region, WorldPart } from "./regions.ts";

export const DeploymentRegion = z
	.object({
		code: Region,
		name: z.string().describe("Name of the region"),
		world_part: WorldPart,
		is_home: z.boolean().describe("Whether it is the home region, which keeps the records"),
		is_current: z.boolean().describe("Whether it answers this request"),
	})
	.meta({ id: "DeploymentRegion" });
export type DeploymentRegion = z.infer<typeof DeploymentRegion>;

export const EngineStatus = z.enum(["ok", "degraded", "failing", "unknown"]).meta({
	id: "EngineStatus",
	description:
		"State of a model's engine in the last 24 hours, from the organisation's batch jobs. `failing`: its latest failure is later than its latest success. `degraded`: it failed, and has succeeded since. `ok`: it did not fail. `unknown`: no job used it.",
});
export type EngineStatus = z.infer<typeof EngineStatus>;

export const DeploymentModel = z
	.object({
		code: ModelCode,
		name: z.string().describe("Name of the model"),
		service_type: ServiceType,
		provider: z.string().describe("Name of the provider"),
		is_default: z.boolean().describe("Whether it is used when a request names no model"),
		regions: z.array(Region).describe("Regions that offer it"),
		status: EngineStatus,
		jobs_done: z.int().min(0).describe("Jobs that it finished in the last 24 hours"),
		jobs_failed: z
			.int()
			.min(0)
			.describe(
				"Jobs that failed because of the engine in the last 24 hours. Broken recordings do not count.",
			),
		last_failure_at: Timestamp.nullable().describe("Time of the latest of these failures; null without one"),
	})
	.meta({ id: "DeploymentModel" });
export type DeploymentModel = z.infer<typeof DeploymentModel>;

const perMinute = (what: string) =>
	z.int().min(1).nullable().describe(`${what} a minute; null when limits are off`);

/** What the deployment offers and allows. */
export const Deployment = z
	.object({
		version: z.string().describe("Version of Parley"),
		regions: z.array(DeploymentRegion).describe("Regions of the deployment, the home region first"),
		models: z.array(DeploymentModel).describe("Models of all regions, by their code"),
		retention: z
			.object({
				job_files_days: z
					.number()
					.describe("Days for which a job's recording and transcripts are kept after it ended"),
				job_deadline_hours: z.number().describe("Hours after which a job that has not ended fails"),
			})
			.describe("How long things are kept"),
		limits: z
			.object({
				reads_per_minute: perMinute("Reads of one key or session"),
				writes_per_minute: perMinute("Writes of one key or session"),
				runs_per_minute: perMinute("Tool runs of one key or session"),
				anonymous_per_minute: perMinute("Requests of one address without a key"),
				max_input_bytes: z.int().describe("Largest recording of a batch job, in bytes"),
				max_put_bytes: z
					.int()
					.describe("Largest recording that goes up in one request, in bytes. Larger ones go up in parts."),
			})
			.describe("Limits of the deployment. Each plane counts requests by itself."),
	})
	.meta({
		id: "Deployment",
		example: {
			version: "v0.2.0",
			regions: [
				{
					...{ code: "us-east", name: "US East (Virginia)", world_part: "na" },
					...{ is_home: true, is_current: true },
				},
			],
			models: [
				{
					...{ code: "parley/pocketsphinx-en-us", name: "PocketSphinx US English" },
					...{ service_type: "speech_to_text", provider: "Parley", is_default: true, regions: ["us-east"] },
					...{ status: "ok", jobs_done: 12, jobs_failed: 0, last_failure_at: null },
				},
			],
			retention: { job_files_days: 7, job_deadline_hours: 24 },
			limits: {
				...{ reads_per_minute: 600, writes_per_minute: 120, runs_per_minute: 30, anonymous_per_minute: 120 },
				...{ max_input_bytes: 5_368_709_120, max_put_bytes: 5_363_466_240 },
			},
		},
	});
export type Deployment = z.infer<typeof Deployment>;
