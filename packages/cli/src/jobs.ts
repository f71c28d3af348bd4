import { styleText } from "node:util";
import type { Job } from "@parley/contracts/batch/jobs";
import { Command } from "commander";
import { connectBatch } from "./batch.ts";
import { withExitCode } from "./exit-codes.ts";
import { printable } from "./transcribe/progress.ts";

export const jobsCommand = new Command("jobs")
	.description("List jobs, newest first")
	.option("--status <status>", "only jobs in this status, such as DONE or FAILED")
	.option("--page <number>", "page of the list", "1")
	.action(({ status, page }: { status?: string; page: string }) =>
		withExitCode(async () => {
			const { items, meta } = await connectBatch().list({ status, page });
			for (const job of items) console.log(formatJob(job));
			console.error(
				meta.total === 0
					? "no jobs"
					: `page ${meta.page} of ${meta.pages}, ${meta.total} ${meta.total === 1 ? "job" : "jobs"}`,
			);
		}),
	);

function formatJob(job: Job): string {
	const title = job.tracking?.title ?? job.tracking?.reference ?? "";
	const duration = job.input_metadata?.duration_seconds;
	const columns = [
		job.job_id.padEnd(36),
		styleText(colourOf(job.status), job.status.padEnd(15)),
		`${Math.round(job.progress * 100)}%`.padStart(4),
		(duration == null ? "" : `${duration.toFixed(1)} s`).padStart(10),
		job.submitted_at,
		printable(job.error_message ?? title),
	];
	return columns.join("  ").trimEnd();
}

const colourOf = (status: Job["status"]) =>
	status === "DONE" ? "green" : status === "FAILED" ? "red" : status === "CANCELLED" ? "gray" : "yellow";
