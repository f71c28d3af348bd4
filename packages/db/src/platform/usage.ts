import { sql } from "drizzle-orm";
import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Database } from "../client.ts";

/** Use by a key on a day (UTC), per model. Live jobs and runs are counted from their own rows. */
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

/** Conflict clause of an insert that adds to the row there is. */
export const addToUsage = {
	target: [usage.organisationId, usage.day, usage.apiKeyId, usage.modelCode],
	set: {
		requests: sql`${usage.requests} + excluded.requests`,
		jobs: sql`${usage.jobs} + excluded.jobs`,
		audioSeconds: sql`${usage.audioSeconds} + excluded.audio_seconds`,
		characters: sql`${usage.characters} + excluded.characters`,
	},
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
		.onConflictDoUpdate(addToUsage);
}
