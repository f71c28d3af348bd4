import { revisions } from "@parley/db/batch/revisions";
import { and, eq, type SQL } from "drizzle-orm";
import type { JobKey } from "./object-keys.ts";

/** Condition for the revisions of a job. */
export const revisionsOf = ({ organisationId, jobId }: JobKey): SQL | undefined =>
	and(eq(revisions.organisationId, organisationId), eq(revisions.jobId, jobId));
