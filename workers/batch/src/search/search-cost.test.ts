import { env } from "cloudflare:workers";
import { indexTranscript } from "@parley/batch/search-index";
import type { SearchResults } from "@parley/contracts/batch/search";
import { jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { asc, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { countingDatabase } from "../../test/counting.ts";
import { spoken } from "../../test/transcripts.ts";
import type { Ctx } from "../context.ts";
import { searchTranscripts } from "./search.service.ts";

const JOBS = 2500;
const AT_ONCE = 250;
const db = openDatabase(env.DB);

/** Jobs whose transcripts all have one word in common. One of them, near the beginning, has a word of its own. */
async function insertMany(organisationId: string): Promise<void> {
	const now = new Date().toISOString();
	const row = sql`select 'many' || value, ${organisationId}, 'key', 'm', 'DONE', '{}', '{}', ${now}, ${now}, ${now}`;
	const ids = JSON.stringify(Array.from({ length: JOBS }, (_, index) => index));
	await db.run(sql`insert into jobs (job_id, organisation_id, api_key_id, model_code, status, job_config, input_metadata,
		deadline_at, submitted_at, updated_at) ${row} from json_each(${ids})`);
	const inserted = await db
		.select({ id: jobs.id, organisationId: jobs.organisationId })
		.from(jobs)
		.where(eq(jobs.organisationId, organisationId))
		.orderBy(asc(jobs.id));
	for (let from = 0; from < JOBS; from += AT_ONCE) {
		const statements = inserted.slice(from, from + AT_ONCE).flatMap((job, index) => {
			const text = `the common word${(from + index) % 7} ${from + index === 3 ? "needle" : "hay"}.`;
			return indexTranscript(db, job, spoken(text), { before: [], condition: sql`true` });
		});
		const [first, ...rest] = statements;
		if (first) await db.batch([first, ...rest]);
	}
}

test("a page reads a bounded number of rows, wherever it is and however many jobs match", async () => {
	const { organisation } = await createClient();
	await insertMany(organisation.id);
	const { database, rowsRead } = countingDatabase(env.DB);
	const ctx = { db: openDatabase(database), env, actor: { organisation } } as unknown as Ctx;
	const cost = async (q: string, cursor?: string): Promise<[number, SearchResults]> => {
		const before = rowsRead();
		const found = await searchTranscripts(ctx, { q, limit: 10, cursor });
		return [rowsRead() - before, found];
	};
	const [first, page] = await cost("common");
	expect(page.items).toHaveLength(10);
	expect(first).toBeLessThanOrEqual(1_100);
	let cursor = page.next_cursor ?? "";
	for (let pages = 0; pages < 20; pages++) {
		const [next, { next_cursor }] = await cost("common", cursor);
		expect(next).toBeLessThanOrEqual(first + 5);
		cursor = next_cursor ?? "";
	}
	const [rare, { items }] = await cost("needle");
	expect(items).toHaveLength(1);
	expect(rare).toBeLessThanOrEqual(20);
	expect((await cost("common absent"))[0]).toBeLessThanOrEqual(20);
}, 600_000);
