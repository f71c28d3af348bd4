import { statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Job } from "@parley/contracts/batch/jobs";
import type { BatchClient } from "@parley/sdk/batch";
import { Command } from "commander";
import { connectBatch } from "../batch.ts";
import { describeError, exitCodeOf, isRefusal, UsageError, withExitCode } from "../exit-codes.ts";
import { describeInterrupted, type InputState, onInterrupt } from "../interrupt.ts";
import { BLOB_LIMIT_BYTES } from "../uploads/audio-file.ts";
import { createEstimate, type Estimate } from "./estimate.ts";
import { makeOutFolder } from "./out-folder.ts";
import { createProgress, type InputProgress } from "./progress.ts";
import { isUrl, type Submission, submit } from "./submit.ts";
import { formatOption } from "./transcript.ts";

type Options = {
	format: string;
	model?: string;
	language: string;
	out?: string;
	partsAbove?: string;
	wait: boolean;
};

export const transcribeCommand = new Command("transcribe")
	.description("Transcribe files and https URLs")
	.argument("<input...>", "files and URLs")
	.addOption(formatOption())
	.option("--model <code>", "model code (default: the deployment's default model)")
	.option("--language <code>", "language code, or auto", "en")
	.option("--out <folder>", "write transcripts into this folder instead of standard output")
	.option(
		"--parts-above <MiB>",
		"upload larger files in parts, which an interrupted command resumes (default: 16)",
	)
	.option("--no-wait", "only submit, and print the job ids")
	.action((inputs: string[], options: Options) => withExitCode(() => transcribeAll(inputs, options)));

async function transcribeAll(inputs: string[], options: Options): Promise<void> {
	const paths = outputPaths(inputs, options);
	const partsAboveBytes = options.partsAbove === undefined ? undefined : parseMebibytes(options.partsAbove);
	checkFiles(inputs.filter((input) => !isUrl(input)));
	const client = connectBatch();
	if (options.out) makeOutFolder(options.out);
	const progress = createProgress();
	const estimate = createEstimate(client);
	const config = {
		...(options.model && { model_code: options.model }),
		transcription_config: { language: options.language },
	};
	const failures: { text: string; exitCode: number }[] = [];
	const states = inputs.map((): InputState => ({ at: "unsent" }));
	const ignoreInterrupt = onInterrupt(() => {
		progress.stop();
		const unfinished = inputs.map((input, index) =>
			describeInterrupted(input, states[index] ?? { at: "unsent" }, options.format),
		);
		return [...failures.map(({ text }) => text), ...unfinished.filter((line) => line !== undefined)];
	});
	await Promise.all(
		inputs.map(async (input, index) => {
			const inputProgress = progress.add(basename(input));
			const onState = (state: InputState) => {
				states[index] = state;
			};
			try {
				const { text, forget } = await transcribe(
					client,
					input,
					{ ...options, config, partsAboveBytes },
					{ progress: inputProgress, onState, estimate },
				);
				const path = paths[index];
				if (path) {
					writeFileSync(path, text);
					inputProgress.note(`wrote ${path}`);
				} else progress.print(formatTranscript(input, text, inputs.length));
				forget();
			} catch (error) {
				failures.push({
					text: `parley: ${input}: ${describeError(error)}`,
					exitCode: exitCodeOf(error),
				});
			}
			onState({ at: "ended" });
		}),
	);
	ignoreInterrupt();
	progress.stop();
	for (const { text } of failures) console.error(text);
	// One input decides the status by itself; of several the first failure does.
	if (failures[0]) process.exitCode = failures[0].exitCode;
}

/** Submits one input and follows its job. Returns the transcript, or the job's id with `--no-wait`. */
async function transcribe(
	client: BatchClient,
	input: string,
	options: Submission & { format: string; wait: boolean },
	{
		progress,
		onState,
		estimate,
	}: { progress: InputProgress; onState: (state: InputState) => void; estimate: Estimate },
): Promise<{ text: string; forget: () => void }> {
	let stage = "failed";
	try {
		const { job_id, forget } = await submit(client, input, options, { progress, onState });
		onState({ at: "job", jobId: job_id });
		if (!options.wait) {
			stage = "queued";
			return { text: `${job_id}\n`, forget };
		}
		progress.note(job_id);
		try {
			const job = await client.wait(job_id, (seen) =>
				progress.update(describeStatus(seen), seen.progress, estimate(seen, Date.now())),
			);
			stage = describeStatus(job);
			if (job.status === "DONE") return { text: await client.transcript(job_id, options.format), forget };
			forget();
			throw new Error(job.error_message ?? `the job was ${stage}`);
		} catch (error) {
			if (isRefusal(error)) forget();
			throw error;
		}
	} finally {
		progress.end(stage);
	}
}

const describeStatus = (job: Job): string => job.status.toLowerCase().replaceAll("_", " ");

/**
 * Checks all files before the first is sent.
 * @throws UsageError naming every file that cannot be sent.
 */
export function checkFiles(paths: string[]): void {
	const faults = paths.flatMap((path) => {
		const fault = findFault(path);
		return fault ? [`${path}: ${fault}`] : [];
	});
	if (faults.length > 0) throw new UsageError(`${faults.join("; ")}. Nothing was sent`);
}

function findFault(path: string): string | undefined {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (!stat) return "there is no such file";
	if (!stat.isFile()) return "not a file";
	return stat.size === 0 ? "the file is empty" : undefined;
}

function parseMebibytes(text: string): number {
	const bytes = /^\d{1,4}$/.test(text) ? Number(text) * 1024 ** 2 : Number.NaN;
	if (!(bytes < BLOB_LIMIT_BYTES))
		throw new UsageError("--parts-above must be a whole number of MiB below 2048");
	return bytes;
}

/**
 * Returns the path for each transcript, undefined for standard output.
 * @throws UsageError when two inputs would be written to one file.
 */
export function outputPaths(
	inputs: string[],
	{ out, format, wait }: { out?: string; format: string; wait: boolean },
): (string | undefined)[] {
	if (!out || !wait) return inputs.map(() => undefined);
	const paths = inputs.map((input) => join(out, `${fileNameOf(input)}.${format}`));
	const twice = inputs.filter(
		(_, index) => paths.indexOf(paths[index] ?? "") !== paths.lastIndexOf(paths[index] ?? ""),
	);
	if (twice.length > 0)
		throw new UsageError(`${twice.join(" and ")} would be written to one file; transcribe them apart`);
	return paths;
}

function fileNameOf(input: string): string {
	const path = isUrl(input) ? decodeURIComponent(new URL(input).pathname) : input;
	return basename(path) || "transcript";
}

/** Formats a transcript for standard output. Several transcripts each get the name of their input as a heading. */
function formatTranscript(input: string, text: string, inputCount: number): string {
	const body = text.endsWith("\n") ? text : `${text}\n`;
	return inputCount > 1 ? `==> ${input} <==\n${body}\n` : body;
}
