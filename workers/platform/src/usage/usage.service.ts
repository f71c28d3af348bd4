import { usedSeconds } from "@parley/batch/job-usage";
import type { UsageQuery, UsageReport } from "@parley/contracts/platform/usage";
import { ApiError } from "@parley/contracts/shared/api-error";
import { toolRuns } from "@parley/db/agents/tool-runs";
import { jobs } from "@parley/db/batch/jobs";
import { idPrefixAt } from "@parley/db/id";
import { apiKeys } from "@parley/db/platform/api-keys";
import { usage } from "@parley/db/platform/usage";
import { and, count, eq, gte, lt, lte, sql } from "drizzle-orm";
import { readPrices } from "../catalog/catalog.service.ts";
import type { Ctx } from "../context.ts";
import { costOf, groupUsage, type UsageRow } from "./group-usage.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

type Range = { since: string; until: string };

/** Returns the organisation's usage, today included. @throws ApiError VALIDATION_FAILED for an invalid or too long range. */
export async function reportUsage(ctx: Ctx, query: UsageQuery): Promise<UsageReport> {
	const range = readRange(ctx, query);
	const { rows, labels } = await readUsage(ctx, range);
	const prices = readPrices(ctx);
	const priced = rows.map((row) => ({ ...row, cost: costOf(row, prices.get(row.modelCode ?? "")) }));
	return { ...range, group_by: query.group_by, ...groupUsage(priced, query.group_by, labels) };
}

function readRange({ clock }: Ctx, query: UsageQuery): Range {
	const until = query.until ?? dayOf(clock());
	const since = query.since ?? dayOf(new Date(Date.parse(until) - (DEFAULT_DAYS - 1) * DAY_MS));
	const days = (Date.parse(until) - Date.parse(since)) / DAY_MS + 1;
	if (days >= 1 && days <= MAX_DAYS) return { since, until };
	const message = days < 1 ? "Lies before since" : `At most ${MAX_DAYS} days after since`;
	const fields = [{ path: "query.until", message }];
	throw new ApiError("VALIDATION_FAILED", `query.until: ${message}`, { fields });
}

/** Counters for what leaves no row of its own; jobs and runs from theirs. One round trip. */
async function readUsage({ db, actor }: Ctx, { since, until }: Range) {
	const organisation = actor.organisation.id;
	const [from, to] = [new Date(since), new Date(Date.parse(until) + DAY_MS)];
	const jobDay = sql<string>`substr(${jobs.submittedAt}, 1, 10)`;
	const runDay = sql<string>`substr(${toolRuns.createdAt}, 1, 10)`;
	const [counted, submitted, ran, keys] = await db.batch([
		db
			.select()
			.from(usage)
			.where(and(eq(usage.organisationId, organisation), gte(usage.day, since), lte(usage.day, until))),
		db
			.select({
				day: jobDay,
				modelCode: jobs.modelCode,
				apiKeyId: jobs.apiKeyId,
				jobs: count(),
				seconds: sql<number>`sum(${usedSeconds})`,
			})
			.from(jobs)
			.where(
				and(
					eq(jobs.organisationId, organisation),
					gte(jobs.submittedAt, from.toISOString()),
					lt(jobs.submittedAt, to.toISOString()),
				),
			)
			.groupBy(jobDay, jobs.modelCode, jobs.apiKeyId),
		db
			.select({ day: runDay, actor: toolRuns.actor, runs: count() })
			.from(toolRuns)
			.where(
				and(
					eq(toolRuns.organisationId, organisation),
					gte(toolRuns.id, idPrefixAt(from)),
					lt(toolRuns.id, idPrefixAt(to)),
				),
			)
			.groupBy(runDay, toolRuns.actor),
		db
			.select({ id: apiKeys.id, label: apiKeys.label })
			.from(apiKeys)
			.where(eq(apiKeys.organisationId, organisation)),
	]);
	const rows: UsageRow[] = [
		...counted.map(({ audioSeconds, modelCode, ...row }) => ({
			...row,
			apiKeyId: keyOf(row.apiKeyId),
			modelCode: modelCode || null,
			audio_seconds: audioSeconds,
		})),
		...submitted.map(({ seconds, ...row }) => ({
			...row,
			apiKeyId: keyOf(row.apiKeyId),
			audio_seconds: seconds,
		})),
		...ran.map((row) => ({ ...row, modelCode: null, apiKeyId: keyOf(row.actor) })),
	];
	return { rows, labels: new Map(keys.map(({ id, label }) => [id, label])) };
}

/** Returns the API key of an actor or a usage account; null for people and for Parley itself. */
const keyOf = (account: string): string | null => /^(?:api_key:)?([^:]+)$/.exec(account)?.[1] ?? null;
const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
