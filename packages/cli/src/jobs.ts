import { styleText } from "node:util";
import type { Job } from "@parley/contracts/jobs";
import { defineCommand } from "citty";
import { connectBatch } from "./batch.ts";
import { orExplain } from "./errors.ts";

export const jobsCommand = defineCommand({
	meta: { name: "jobs", description: "List jobs, newest first" },
	args: {
		status: { type: "string", description: "Only jobs in this state, such as DONE or FAILED" },
		page: { type: "string", default: "1", description: "Page of the list" },
	},
	run: ({ args, cmd }) =>
		orExplain({ args, cmd }, async () => {
			const { items, meta } = await connectBatch().list({ status: args.status, page: args.page });
			for (const job of items) console.log(line(job));
			console.error(
				meta.total === 0
					? "no jobs"
					: `page ${meta.page} of ${meta.pages}, ${meta.total} ${meta.total === 1 ? "job" : "jobs"}`,
			);
		}),
});

function line(job: Job): string {
	const title = job.tracking?.title ?? job.tracking?.reference ?? "";
	const duration = job.input_metadata?.duration_seconds;
	const columns = [
		job.job_id.padEnd(36),
		styleText(colourOf(job.status), job.status.padEnd(15)),
		`${Math.round(job.progress * 100)}%`.padStart(4),
		(duration == null ? "" : `${duration.toFixed(1)} s`).padStart(10),
		job.submitted_at,
		job.error_message ?? title,
	];
	return columns.join("  ").trimEnd();
}

const colourOf = (status: Job["status"]) =>
	status === "DONE" ? "green" : status === "FAILED" ? "red" : status === "CANCELLED" ? "gray" : "yellow";
