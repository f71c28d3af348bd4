import { isTerminal } from "@parley/batch/job-predicates";
import { removeListed } from "@parley/batch/stored-objects";
import { LEASE_MS } from "@parley/context/lease";
import { jobs } from "@parley/db/batch/jobs";
import { uploads } from "@parley/db/batch/uploads";
import { and, eq, inArray } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Bound parameters of one statement are limited. */
const MAX_JOBS = 90;
/** Age below which an object may belong to a submission that has no row yet, or to work that is about to lose its lease. */
const MIN_AGE_MS = { work: 4 * LEASE_MS, inputs: 60 * 60_000, outputs: 60 * 60_000 };
type Kind = keyof typeof MIN_AGE_MS;

/**
 * Removes objects that no row refers to, left by a worker that died or lost its lease before it could clean up. Each run checks
 * some jobs of one organisation, chosen at random, so that all runs together check everything without a cursor.
 */
export async function removeOrphans(ctx: Ctx): Promise<void> {
	for (const kind of ["work", "inputs", "outputs"] as const) {
		const organisations = await foldersIn(ctx, `${kind}/`);
		const folder = organisations[Math.floor(ctx.random() * organisations.length)];
		if (folder !== undefined) await removeOrphansOf(ctx, kind, folder);
	}
}

async function removeOrphansOf(ctx: Ctx, kind: Kind, organisationFolder: string): Promise<void> {
	const all = await foldersIn(ctx, organisationFolder, `${organisationFolder}${randomJobId(ctx)}`);
	const folders = (all.length > 0 ? all : await foldersIn(ctx, organisationFolder)).slice(0, MAX_JOBS);
	const [, organisationId = ""] = organisationFolder.split("/");
	const ids = folders.map((folder) => folder.slice(organisationFolder.length, -1));
	const kept = await jobsWith(ctx, kind, organisationId, ids);
	for (const [index, folder] of folders.entries()) {
		if (!kept.has(ids[index] ?? "")) await removeOld(ctx, folder, MIN_AGE_MS[kind]);
	}
}

/** Returns the ids whose objects of this kind are still in use. */
async function jobsWith(
	{ db }: Ctx,
	kind: Kind,
	organisationId: string,
	ids: string[],
): Promise<Set<string>> {
	const [rows, reserved] = await db.batch([
		db
			.select({ jobId: jobs.jobId, status: jobs.status, inputKey: jobs.inputKey })
			.from(jobs)
			.where(and(eq(jobs.organisationId, organisationId), inArray(jobs.jobId, ids))),
		db
			.select({ jobId: uploads.jobId })
			.from(uploads)
			.where(and(eq(uploads.organisationId, organisationId), inArray(uploads.jobId, ids))),
	]);
	const wanted = rows.filter((job) => !isTerminal(job.status) || isKept(kind, job));
	return new Set([...wanted, ...reserved].map(({ jobId }) => jobId));
}

/** Returns whether an ended job keeps its objects of this kind. */
function isKept(kind: Kind, { inputKey }: { inputKey: string | null }): boolean {
	switch (kind) {
		case "work":
			return false;
		case "inputs":
			return inputKey !== null;
		case "outputs":
			return true;
	}
}

async function removeOld({ env, clock }: Ctx, prefix: string, minAgeMs: number): Promise<void> {
	const before = clock().getTime() - minAgeMs;
	const { objects } = await env.MEDIA.list({ prefix, include: ["customMetadata"] });
	await removeListed(
		env.MEDIA,
		objects.filter(({ uploaded }) => uploaded.getTime() < before),
	);
}

const foldersIn = async ({ env }: Ctx, prefix: string, startAfter?: string): Promise<string[]> =>
	(await env.MEDIA.list({ prefix, delimiter: "/", ...(startAfter && { startAfter }) })).delimitedPrefixes;

/** Returns a random start among the generated ids, or among all ids. */
const randomJobId = ({ random }: Ctx): string =>
	random() < 0.5
		? `job${Math.floor(random() * 0x1000)
				.toString(16)
				.padStart(3, "0")}`
		: Math.floor(random() * 36 ** 2).toString(36);
