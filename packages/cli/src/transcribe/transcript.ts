import { Command, Option } from "commander";
import { connectBatch } from "../batch.ts";
import { withExitCode } from "../exit-codes.ts";

/** Returns the option that chooses the format of a transcript. */
export const formatOption = (): Option =>
	new Option("--format <format>", "format of the transcript")
		.choices(["txt", "json", "srt", "vtt"])
		.default("txt");

export const transcriptCommand = new Command("transcript")
	.description("Print the transcript of a job")
	.argument("<job>", "job id")
	.addOption(formatOption())
	.action((jobId: string, { format }: { format: string }) =>
		withExitCode(async () => {
			const text = await connectBatch().transcript(jobId, format);
			process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
		}),
	);
