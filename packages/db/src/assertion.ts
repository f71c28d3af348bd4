import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./client.ts";

/**
 * A statement for a `db.batch` that makes the whole batch fail, and leave nothing, unless the condition holds. D1 has no
 * RAISE outside triggers: a JSON path that is none raises, and its text comes back in the error.
 * @param failure what `failedAssertion` answers for it: letters, digits and underscores.
 */
export const assertThat = (db: Database, condition: SQL, failure: string) =>
	db
		.select({ held: sql`json_extract('{}', case when ${condition} then '$' else ${failure} end)` })
		.from(sql`(select 1)`);

/** The `failure` of the assertion that made a batch fail; undefined for any other error. */
export function failedAssertion(error: unknown): string | undefined {
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		const failure = /bad JSON path: '(\w+)'/.exec(cause.message)?.[1];
		if (failure) return failure;
	}
	return undefined;
}
