import { MAX_INPUT_BYTES, MAX_PUT_BYTES } from "@parley/contracts/batch/input-sizes";
import type { CatalogModel } from "@parley/contracts/platform/catalog";
import type { Deployment, DeploymentModel } from "@parley/contracts/platform/deployment";
import { REGION_FACTS } from "@parley/contracts/platform/regions";
import { VERSION } from "@parley/contracts/shared/version";
import { jobs } from "@parley/db/batch/jobs";
import { and, eq, gte, inArray, sql } from "drizzle-orm";
import { readCatalog } from "../catalog/catalog.service.ts";
import type { Ctx } from "../context.ts";
import { deploymentOf } from "../regions/deployment.ts";
import { type EngineRecord, statusOf } from "./engine-status.ts";

const WINDOW_MS = 24 * 60 * 60 * 1000;

type Policy = "read" | "write" | "run" | "anonymous";

/** @param limitOf requests a minute of a policy; null when limits are off */
export async function getDeployment(
	ctx: Ctx,
	limitOf: (policy: Policy) => number | null,
): Promise<Deployment> {
	const { regions } = deploymentOf(ctx.home);
	const [catalog, records] = await Promise.all([readCatalog(ctx), readRecords(ctx)]);
	return {
		version: VERSION,
		regions: regions.map((code, index) => ({
			code,
			name: REGION_FACTS[code].name,
			world_part: REGION_FACTS[code].worldPart,
			is_home: index === 0,
			is_current: code === ctx.region,
		})),
		models: catalog.map((model) => toModel(model, records.get(model.code))),
		retention: {
			job_files_days: Number(ctx.home.RETENTION_DAYS),
			job_deadline_hours: Number(ctx.home.JOB_DEADLINE_HOURS),
		},
		limits: {
			reads_per_minute: limitOf("read"),
			writes_per_minute: limitOf("write"),
			runs_per_minute: limitOf("run"),
			anonymous_per_minute: limitOf("anonymous"),
			max_input_bytes: MAX_INPUT_BYTES,
			max_put_bytes: MAX_PUT_BYTES,
		},
	};
}

/** Reads how the organisation's jobs of the last 24 hours ended, by the code of their model. */
async function readRecords({ db, actor, clock }: Ctx): Promise<Map<string, EngineRecord>> {
	const since = new Date(clock().getTime() - WINDOW_MS).toISOString();
	const code = sql`json_extract(${jobs.error}, '$.code')`;
	const isDone = sql`${jobs.status} = 'DONE'`;
	const isEngineFailure = sql`${jobs.status} = 'FAILED' and (${code} like 'engine\\_%' escape '\\' or ${code} = 'model_unavailable')`;
	const rows = await db
		.select({
			modelCode: jobs.modelCode,
			done: sql<number>`sum(${isDone})`,
			failed: sql<number>`sum(${isEngineFailure})`,
			lastDoneAt: sql<string | null>`max(case when ${isDone} then ${jobs.completedAt} end)`,
			lastFailureAt: sql<string | null>`max(case when ${isEngineFailure} then ${jobs.completedAt} end)`,
		})
		.from(jobs)
		.where(
			and(
				eq(jobs.organisationId, actor.organisation.id),
				gte(jobs.submittedAt, since),
				inArray(jobs.status, ["DONE", "FAILED"]),
			),
		)
		.groupBy(jobs.modelCode);
	return new Map(rows.map(({ modelCode, ...record }) => [modelCode, record]));
}

const toModel = (model: CatalogModel, record: EngineRecord | undefined): DeploymentModel => ({
	code: model.code,
	name: model.name,
	service_type: model.service_type,
	provider: model.provider.name,
	is_default: model.is_default,
	regions: model.available_regions,
	status: statusOf(record),
	jobs_done: record?.done ?? 0,
	jobs_failed: record?.failed ?? 0,
	last_failure_at: record?.lastFailureAt ?? null,
});
