import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Runs a data migration again, on rows that a test has reset to their earlier state. */
export async function rerunMigration(name: string): Promise<void> {
	const { TEST_MIGRATIONS } = env as unknown as { TEST_MIGRATIONS: D1Migration[] };
	const migration = TEST_MIGRATIONS.find((one) => one.name.endsWith(`_${name}.sql`));
	if (!migration) throw new Error(`There is no migration ${name}`);
	await env.DB.batch(migration.queries.map((query) => env.DB.prepare(query)));
}
