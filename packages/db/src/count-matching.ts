import { MAX_OFFSET } from "@parley/contracts/shared/common";
import { count, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

/** Counts the rows of a table that match, as a statement. It stops behind `MAX_OFFSET`, so a long list stays cheap. */
export const countMatching = (db: Database, table: SQLiteTable, where: SQL | undefined) =>
	db.select({ total: count() }).from(
		db
			.select({ one: sql`1`.as("one") })
			.from(table)
			.where(where)
			.limit(MAX_OFFSET + 1)
			.as("matching"),
	);
