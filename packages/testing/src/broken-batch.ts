import { assertThat } from "@parley/db/assertion";
import { type Database, openDatabase } from "@parley/db/client";
import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";

type Statements = [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]];

/**
 * Proves that a verb writes all or nothing: runs it with its batch broken before the first statement, before the second,
 * and so on to its end, and compares the organisation's rows of every table each time. Then it runs once unbroken.
 * @returns the number of places where it was broken.
 * @throws Error when a broken write left something behind, or was not noticed.
 */
export async function breakEachWrite(
	d1: D1Database,
	organisationId: string,
	verb: (db: Database) => Promise<unknown>,
): Promise<number> {
	const before = await dump(d1, organisationId);
	for (let place = 0; ; place++) {
		const { db, wasBroken } = breakBatchAt(openDatabase(d1), place);
		const failure = await verb(db).then(
			() => undefined,
			(error: unknown) => error,
		);
		if (!wasBroken()) {
			if (failure !== undefined) throw failure;
			return place;
		}
		if (failure === undefined) throw new Error(`A write broken at statement ${place} was not noticed`);
		if ((await dump(d1, organisationId)) !== before)
			throw new Error(`A write broken at statement ${place} left something behind`);
	}
}

function breakBatchAt(db: Database, place: number): { db: Database; wasBroken: () => boolean } {
	let seen = 0;
	let broken = false;
	const batch = (statements: Statements) => {
		const at = place - seen;
		seen += statements.length + 1;
		if (at < 0 || at > statements.length) return db.batch(statements);
		broken = true;
		const failing = assertThat(db, sql`false`, "BROKEN_BY_THE_TEST");
		return db.batch([...statements.slice(0, at), failing, ...statements.slice(at)] as unknown as Statements);
	};
	const proxy = new Proxy(db, {
		get: (target, key) => (key === "batch" ? batch : Reflect.get(target, key, target)),
	});
	return { db: proxy, wasBroken: () => broken };
}

/** All rows of an organisation, as text. */
export async function dump(d1: D1Database, organisationId: string): Promise<string> {
	const { results: tables } = await d1
		.prepare(
			"select name from sqlite_master where type = 'table' and sql like '%organisation_id%' order by name",
		)
		.all<{ name: string }>();
	const rows = await d1.batch(
		tables.map(({ name }) =>
			d1.prepare(`select * from "${name}" where organisation_id = ? order by 1, 2, 3`).bind(organisationId),
		),
	);
	return JSON.stringify(tables.map(({ name }, i) => [name, rows[i]?.results]));
}
