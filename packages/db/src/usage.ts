import { and, eq, sql } from "drizzle-orm";
import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";
import { type JobRow, jobs } from "./jobs.ts";

/** What a key used on a day (UTC), of a model where one was used, else of none. Live jobs and runs are counted from their own rows. */
export const usage = sqliteTable(
	"usage",
	{
		organisationId: text("organisation_id").notNull(),
		day: text("day").notNull(),
		apiKeyId: text("api_key_id").notNull(),
		modelCode: text("model_code").notNull(),
		requests: integer("requests").notNull().default(0),
		jobs: integer("jobs").notNull().default(0),
		audioSeconds: real("audio_seconds").notNull().default(0),
		characters: integer("characters").notNull().default(0),
	},
	(t) => [primaryKey({ columns: [t.organisationId, t.day, t.apiKeyId, t.modelCode] })],
);

export type UsageOf = { organisationId: string; apiKeyId: string; modelCode: string; at: Date };
export type UsageAmounts = { requests?: number; jobs?: number; audioSeconds?: number; characters?: number };

const KEY = [usage.organisationId, usage.day, usage.apiKeyId, usage.modelCode];
const SUM_UP = {
	requests: sql`${usage.requests} + excluded.requests`,
	jobs: sql`${usage.jobs} + excluded.jobs`,
	audioSeconds: sql`${usage.audioSeconds} + excluded.audio_seconds`,
	characters: sql`${usage.characters} + excluded.characters`,
};

/** Adds to a day's usage, as a statement for the batch of what was used. */
export function addUsage(db: Database, { at, ...of }: UsageOf, amounts: UsageAmounts) {
	const { requests = 0, jobs: submitted = 0, audioSeconds = 0, characters = 0 } = amounts;
	return db
		.insert(usage)
		.values({
			...of,
			day: at.toISOString().slice(0, 10),
			...{ requests, jobs: submitted, audioSeconds, characters },
		})
		.onConflictDoUpdate({ target: KEY, set: SUM_UP });
}

/** Seconds of audio that a job has used: none before it is done. */
export const usedSeconds = sql<number>`case when ${jobs.status} = 'DONE' then coalesce(json_extract(${jobs.inputMetadata}, '$.duration_seconds'), 0) else 0 end`;

/**
 * Keeps what a job used, as a statement for the batch that deletes its row: until then it is counted from the row. The row
 * is read by the statement itself, so that a repeated deletion keeps nothing twice.
 */
export const keepJobUsage = (db: Database, { id, organisationId }: Pick<JobRow, "id" | "organisationId">) =>
	db
		.insert(usage)
		.select(
			db
				.select({
					organisationId: jobs.organisationId,
					day: sql<string>`substr(${jobs.submittedAt}, 1, 10)`.as("day"),
					apiKeyId: jobs.apiKeyId,
					modelCode: jobs.modelCode,
					requests: sql<number>`0`.as("requests"),
					jobs: sql<number>`1`.as("jobs"),
					audioSeconds: usedSeconds.as("audio_seconds"),
					characters: sql<number>`0`.as("characters"),
				})
				.from(jobs)
				.where(and(eq(jobs.organisationId, organisationId), eq(jobs.id, id))),
		)
		.onConflictDoUpdate({ target: KEY, set: SUM_UP });
