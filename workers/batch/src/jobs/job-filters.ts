import type { BulkFilter } from "@parley/contracts/batch/bulk";
import { jobs } from "@parley/db/batch/jobs";
import { eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";

/** Returns the conditions for the jobs that a filter selects; those of the organisation and of deletion come beside them. */
export function filtersOf({
	status,
	model_code,
	submitted_after,
	submitted_before,
	reference,
	tag,
}: BulkFilter): (SQL | undefined)[] {
	const utc = (time: string) => new Date(time).toISOString();
	return [
		status && inArray(jobs.status, [...new Set(status)]),
		model_code === undefined ? undefined : eq(jobs.modelCode, model_code),
		submitted_after === undefined ? undefined : gte(jobs.submittedAt, utc(submitted_after)),
		submitted_before === undefined ? undefined : lte(jobs.submittedAt, utc(submitted_before)),
		reference === undefined ? undefined : sql`json_extract(${jobs.tracking}, '$.reference') = ${reference}`,
		tag === undefined
			? undefined
			: sql`exists (select 1 from json_each(${jobs.tracking}, '$.tags') where value = ${tag})`,
	];
}
