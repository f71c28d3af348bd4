import { defineCommand } from "citty";
import { connectBatch } from "./batch.ts";
import { orExplain } from "./errors.ts";

export const FORMATS = ["txt", "json", "srt", "vtt"];

export const transcriptCommand = defineCommand({
	meta: { name: "transcript", description: "Print the transcript of a job" },
	args: {
		job: { type: "positional", description: "Job id", required: true },
		format: { type: "enum", options: FORMATS, default: "txt", description: "Form of the transcript" },
	},
	run: ({ args, cmd }) =>
		orExplain({ args, cmd }, async () => {
			process.stdout.write(await connectBatch().transcript(args.job, args.format));
		}),
});
