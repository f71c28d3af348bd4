import { asAttachment, downloadMetadata } from "@parley/batch/downloads";
import { outputKey, revisionExportKey } from "@parley/batch/object-keys";
import { revisionsOf } from "@parley/batch/revisions";
import { zipStream } from "@parley/bytes/zip";
import type { BulkDownload, BulkLinks } from "@parley/contracts/batch/bulk";
import { TRANSCRIPT_TYPES, type TranscriptFormat } from "@parley/contracts/batch/jobs";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { JobRow } from "@parley/db/batch/jobs";
import { revisions } from "@parley/db/batch/revisions";
import { desc } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { assertTranscript, expired, type Revised, whyNoTranscript } from "../revisions/revision-row.ts";
import { exportTranscript } from "../transcripts/export-transcript.ts";
import { presignedUrl } from "../uploads/presigned-url.ts";
import { failureOf } from "./bulk.service.ts";
import { type BulkFailure, selectJobs } from "./select-jobs.ts";

/** Words of edited transcripts that one call writes anew. */
const MAX_EXPORTED_WORDS = 1_000_000;

type Chosen = { revised: Revised; name: string };
type Choice = { chosen: Chosen[]; failed: BulkFailure[]; hasMore: boolean };

/** Returns an archive of transcripts. Jobs without one are named in its `failed.json`. */
export async function downloadZip(ctx: Ctx, body: BulkDownload): Promise<Response> {
	const { chosen, failed, hasMore } = await chooseTranscripts(ctx, body);
	const stream = zipStream(entries());
	return new Response(stream, {
		headers: {
			"content-type": "application/zip",
			"content-disposition": asAttachment("transcripts.zip").replace(";", "; "),
			"x-has-more": String(hasMore),
		},
	});

	async function* entries() {
		for (const { revised, name } of chosen) {
			try {
				const exported = await exportTranscript(ctx, revised, body);
				yield { name, bytes: new Uint8Array(await new Response(exported).arrayBuffer()) };
			} catch (error) {
				failed.push(failureOf(ctx, revised.job.jobId, error));
			}
		}
		if (failed.length > 0)
			yield {
				name: "failed.json",
				bytes: new Uint8Array(new TextEncoder().encode(JSON.stringify(failed, null, 2))),
			};
	}
}

/** Returns one signed URL per transcript. An edited one is written as an object first. */
export async function downloadLinks(ctx: Ctx, body: BulkDownload): Promise<BulkLinks> {
	const { chosen, failed, hasMore } = await chooseTranscripts(ctx, body);
	const items: BulkLinks["items"] = [];
	for (const { revised, name } of chosen) {
		try {
			const key = await storedExport(ctx, revised, body.format);
			const query = { "response-content-disposition": asAttachment(name) };
			const download_url = await presignedUrl(ctx, { method: "GET", query }, key);
			items.push({ job_id: revised.job.jobId, filename: name, download_url });
		} catch (error) {
			failed.push(failureOf(ctx, revised.job.jobId, error));
		}
	}
	return { items, failed, has_more: hasMore };
}

async function chooseTranscripts(ctx: Ctx, body: BulkDownload): Promise<Choice> {
	const { rows, failed, hasMore } = await selectJobs(ctx, body, ["DONE"], whyNoTranscript);
	const names = new Set<string>(["failed.json"]);
	const chosen: Chosen[] = [];
	let words = 0;
	for (const revised of await findRevisions(ctx, rows, body.revision)) {
		const { job, row } = revised;
		try {
			assertTranscript(job);
			words += row?.wordCount ?? 0;
			if (words > MAX_EXPORTED_WORDS)
				throw new ApiError(
					"INVALID_REQUEST",
					"The call has too many edited words: download this job by another",
				);
			chosen.push({ revised, name: uniqueName(names, nameOf(job), body.format) });
		} catch (error) {
			failed.push(failureOf(ctx, job.jobId, error));
		}
	}
	return { chosen, failed, hasMore };
}

async function findRevisions(ctx: Ctx, rows: JobRow[], which: BulkDownload["revision"]): Promise<Revised[]> {
	if (which === "engine" || rows.length === 0) return rows.map((job) => ({ job, row: undefined }));
	const [first, ...rest] = rows.map((job) =>
		ctx.db.select().from(revisions).where(revisionsOf(job)).orderBy(desc(revisions.number)).limit(1),
	);
	const found = first ? await ctx.db.batch([first, ...rest]) : [];
	return rows.map((job, index) => ({ job, row: found[index]?.[0] }));
}

/** Returns the key of an export; those of the engine's own result are there from the end of the job. */
async function storedExport(ctx: Ctx, revised: Revised, format: TranscriptFormat): Promise<string> {
	const { job, row } = revised;
	const key = row ? revisionExportKey(job, row.id, format) : outputKey(job, format);
	if (await ctx.env.MEDIA.head(key)) return key;
	if (!row) throw expired(job);
	const httpMetadata = downloadMetadata(TRANSCRIPT_TYPES[format], key, job.inputKey);
	const exported = await new Response(await exportTranscript(ctx, revised, { format })).arrayBuffer();
	await ctx.env.MEDIA.put(key, exported, { httpMetadata });
	return key;
}

const nameOf = ({ inputKey, jobId }: JobRow): string =>
	inputKey
		?.split("/")
		.at(-1)
		?.replace(/\.[A-Za-z0-9]{1,8}$/, "") || jobId;

function uniqueName(taken: Set<string>, stem: string, format: TranscriptFormat): string {
	let name = `${stem}.${format}`;
	for (let copy = 2; taken.has(name.toLowerCase()); copy++) name = `${stem}-${copy}.${format}`;
	taken.add(name.toLowerCase());
	return name;
}
