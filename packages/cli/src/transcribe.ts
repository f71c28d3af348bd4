import { statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Job } from "@parley/contracts/jobs";
import type { BatchClient } from "@parley/sdk/batch";
import { defineCommand } from "citty";
import { BLOB_LIMIT_BYTES } from "./audio-file.ts";
import { connectBatch } from "./batch.ts";
import { explain, orExplain } from "./errors.ts";
import { onInterrupt, partingWord, type Standing } from "./interrupt.ts";
import { makeOutFolder } from "./out-folder.ts";
import { type Bar, createProgress } from "./progress.ts";
import { isUrl, type Submission, submit } from "./submit.ts";
import { FORMATS } from "./transcript.ts";
import { isRefusal } from "./upload.ts";

export const transcribeCommand = defineCommand({
	meta: { name: "transcribe", description: "Transcribe files and https URLs" },
	args: {
		input: { type: "positional", description: "FILE or URL, as many as you like", required: true },
		format: { type: "enum", options: FORMATS, default: "txt", description: "Form of the transcript" },
		model: { type: "string", description: "Model code; the deployment's default when absent" },
		language: { type: "string", default: "en", description: "Language code, or auto" },
		out: { type: "string", description: "Folder to write transcripts into, instead of standard output" },
		"parts-above": {
			type: "string",
			description: "Upload files larger than so many MiB in parts, which go on after a break; 16 when absent",
		},
		wait: {
			type: "boolean",
			default: true,
			description: "Wait for the transcript",
			negativeDescription: "Only submit, and print the job ids",
		},
	},
	run: ({ args, cmd }) =>
		orExplain({ args, cmd }, async () => {
			const inputs = args._;
			const paths = outputPaths(inputs, args);
			const partsAboveBytes = args["parts-above"] === undefined ? undefined : mebibytes(args["parts-above"]);
			checkFiles(inputs.filter((input) => !isUrl(input)));
			if (args.out) makeOutFolder(args.out);
			const client = connectBatch();
			const progress = createProgress();
			const config = {
				...(args.model && { model_code: args.model }),
				transcription_config: { language: args.language },
			};
			const failures: string[] = [];
			const works = inputs.map((input) => ({ input, standing: { at: "unsent" } as Standing }));
			const ignoreInterrupt = onInterrupt(() => {
				progress.stop();
				const words = works.map(({ input, standing }) => partingWord(input, standing, args.format));
				return [...failures, ...words.filter((word) => word !== undefined)];
			});
			await Promise.all(
				works.map(async (work, index) => {
					const { input } = work;
					const onStanding = (standing: Standing) => {
						work.standing = standing;
					};
					const shown = { bar: progress.bar(basename(input)), onStanding };
					try {
						const options = { ...args, config, partsAboveBytes };
						const { text, forget } = await transcribe(client, input, options, shown);
						deliver(input, text, paths[index], inputs.length);
						forget();
					} catch (error) {
						failures.push(`parley: ${input}: ${explain(error)}`);
					}
					onStanding({ at: "ended" });
				}),
			);
			ignoreInterrupt();
			progress.stop();
			for (const failure of failures) console.error(failure);
			if (failures.length > 0) process.exitCode = 1;
		}),
});

type Options = Submission & { format: string; wait: boolean };

/** Sends one input and follows its job. @returns the transcript, or the job's id when nobody waits */
async function transcribe(
	client: BatchClient,
	input: string,
	options: Options,
	shown: { bar: Bar; onStanding: (standing: Standing) => void },
): Promise<{ text: string; forget: () => void }> {
	const { job_id, forget } = await submit(client, input, options, shown);
	const { bar } = shown;
	shown.onStanding({ at: "job", jobId: job_id });
	if (!options.wait) {
		bar.end("queued");
		return { text: `${job_id}\n`, forget };
	}
	bar.note(job_id);
	try {
		const job = await client.wait(job_id, (seen) => bar.update(stageOf(seen), seen.progress));
		if (job.status !== "DONE") {
			bar.end(job.status.toLowerCase());
			forget();
			throw new Error(job.error_message ?? `the job was ${job.status.toLowerCase()}`);
		}
		bar.end("done");
		return { text: await client.transcript(job_id, options.format), forget };
	} catch (error) {
		if (isRefusal(error)) forget();
		throw error;
	}
}

const stageOf = (job: Job): string => job.status.toLowerCase().replaceAll("_", " ");

/**
 * A mistake in one name is best known before the others have cost anything.
 * @throws Error naming every file that cannot be sent; then none is.
 */
export function checkFiles(paths: string[]): void {
	const faults = paths.flatMap((path) => {
		const fault = faultOf(path);
		return fault ? [`${path}: ${fault}`] : [];
	});
	if (faults.length > 0) throw new Error(`${faults.join("; ")}. Nothing was sent`);
}

function faultOf(path: string): string | undefined {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (!stat) return "there is no such file";
	if (!stat.isFile()) return "not a file";
	return stat.size === 0 ? "the file is empty" : undefined;
}

function mebibytes(text: string): number {
	const bytes = /^\d{1,4}$/.test(text) ? Number(text) * 1024 ** 2 : Number.NaN;
	if (!(bytes < BLOB_LIMIT_BYTES)) throw new Error("--parts-above must be a whole number of MiB below 2048");
	return bytes;
}

/**
 * Where each transcript goes; undefined is standard output.
 * @throws Error when two inputs would be written to one file.
 */
export function outputPaths(
	inputs: string[],
	{ out, format, wait }: { out?: string; format: string; wait: boolean },
) {
	if (!out || !wait) return inputs.map(() => undefined);
	const paths = inputs.map((input) => join(out, `${nameOf(input)}.${format}`));
	const twice = inputs.filter(
		(_, index) => paths.indexOf(paths[index] ?? "") !== paths.lastIndexOf(paths[index] ?? ""),
	);
	if (twice.length > 0)
		throw new Error(`${twice.join(" and ")} would be written to one file; transcribe them apart`);
	return paths;
}

function nameOf(input: string): string {
	const path = isUrl(input) ? decodeURIComponent(new URL(input).pathname) : input;
	return basename(path) || "transcript";
}

/** Several transcripts on standard output each get their input's name before them, if they are text. */
function deliver(input: string, text: string, path: string | undefined, count: number): void {
	if (path) {
		writeFileSync(path, text);
		console.error(`wrote ${path}`);
		return;
	}
	const body = text.endsWith("\n") ? text : `${text}\n`;
	process.stdout.write(count > 1 ? `==> ${input} <==\n${body}\n` : body);
}
