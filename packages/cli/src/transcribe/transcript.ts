import type { Revision } from "@parley/contracts/batch/revisions";
import { Command, Option } from "commander";
import { connectBatch } from "../batch.ts";
import { UsageError, withExitCode } from "../exit-codes.ts";

/** Returns the option that chooses the format of a transcript. */
export const formatOption = (): Option =>
	new Option("--format <format>", "format of the transcript")
		.choices(["txt", "json", "srt", "vtt"])
		.default("txt");

export const transcriptCommand = new Command("transcript")
	.description("Print the transcript of a job")
	.argument("<job>", "job id")
	.addOption(formatOption())
	.option(
		"--revision <N|latest|original>",
		"edited state of the transcript, by its number; original is the engine's own result",
		"latest",
	)
	.action((jobId: string, options: { format: string; revision: string }) =>
		withExitCode(() => printTranscript(jobId, options)),
	);

async function printTranscript(
	jobId: string,
	{ format, revision }: { format: string; revision: string },
): Promise<void> {
	const wanted = parseRevision(revision);
	const client = connectBatch();
	const [latest] = (await client.revisions(jobId, { page_size: "1" })).items;
	// By number, so that a revision that is saved in between is not printed under the number of another.
	const number = wanted === "latest" ? (latest?.revision ?? 0) : wanted;
	const text = await client.transcript(jobId, format, number);
	if (latest && latest.revision > 0) console.error(`${jobId}: ${describeRevision(number, latest)}`);
	process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

function parseRevision(text: string): number | "latest" {
	if (text === "latest") return text;
	if (text === "original") return 0;
	if (/^\d{1,9}$/.test(text)) return Number(text);
	throw new UsageError("--revision must be the number of a revision, latest or original");
}

/** Describes which of several revisions is printed. */
function describeRevision(number: number, latest: Revision): string {
	if (number === 0)
		return `the engine's original, which was edited; \`--revision latest\` prints revision ${latest.revision}`;
	if (number < latest.revision) return `revision ${number}; the latest is ${latest.revision}`;
	return `revision ${number}, the latest; \`--revision original\` prints the engine's original`;
}
