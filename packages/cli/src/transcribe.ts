import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { Job } from "@parley/contracts/jobs";
import type { BatchClient } from "@parley/sdk/batch";
import { defineCommand } from "citty";
import { connectBatch } from "./batch.ts";
import { explain, orExplain } from "./errors.ts";
import { type Bar, createProgress } from "./progress.ts";
import { FORMATS } from "./transcript.ts";
import { uploadFile } from "./upload.ts";

const CONTENT_TYPES: Record<string, string> = {
	".wav": "audio/wav",
	".mp3": "audio/mpeg",
	".flac": "audio/flac",
	".ogg": "audio/ogg",
	".opus": "audio/ogg",
	".m4a": "audio/mp4",
	".mp4": "video/mp4",
	".aac": "audio/aac",
	".webm": "audio/webm",
	".amr": "audio/amr",
};

export const transcribeCommand = defineCommand({
	meta: { name: "transcribe", description: "Transcribe files and https URLs" },
	args: {
		input: { type: "positional", description: "FILE or URL, as many as you like", required: true },
		format: { type: "enum", options: FORMATS, default: "txt", description: "Form of the transcript" },
		model: { type: "string", description: "Model code; the deployment's default when absent" },
		language: { type: "string", default: "en", description: "Language code, or auto" },
		out: { type: "string", description: "Folder to write transcripts into, instead of standard output" },
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
			for (const input of inputs) if (!isUrl(input)) checkFile(input);
			if (args.out) mkdirSync(args.out, { recursive: true });
			const client = connectBatch();
			const progress = createProgress();
			const config = {
				...(args.model && { model_code: args.model }),
				transcription_config: { language: args.language },
			};
			const failures: string[] = [];
			await Promise.all(
				inputs.map(async (input, index) => {
					try {
						const text = await transcribe(client, input, progress.bar(basename(input)), { ...args, config });
						deliver(input, text, paths[index], inputs.length);
					} catch (error) {
						failures.push(`parley: ${input}: ${explain(error)}`);
					}
				}),
			);
			progress.stop();
			for (const failure of failures) console.error(failure);
			if (failures.length > 0) process.exitCode = 1;
		}),
});

type Options = { format: string; wait: boolean; config: object };

/** Sends one input and follows its job. @returns the transcript, or the job's id when nobody waits */
async function transcribe(client: BatchClient, input: string, bar: Bar, options: Options): Promise<string> {
	const { job_id } = await submit(client, input, bar, options.config);
	if (!options.wait) {
		bar.end("queued");
		return `${job_id}\n`;
	}
	const job = await client.wait(job_id, (seen) => bar.update(stageOf(seen), seen.progress));
	if (job.status !== "DONE") {
		bar.end(job.status.toLowerCase());
		throw new Error(job.error_message ?? `the job was ${job.status.toLowerCase()}`);
	}
	bar.end("done");
	return client.transcript(job_id, options.format);
}

async function submit(
	client: BatchClient,
	input: string,
	bar: Bar,
	config: object,
): Promise<{ job_id: string }> {
	if (isUrl(input)) return client.submit({ ...config, input_url: input });
	const size = Math.max(1, statSync(input).size);
	const filename = basename(input);
	const content_type = CONTENT_TYPES[extname(input).toLowerCase()] ?? "application/octet-stream";
	const { job_id, upload } = await client.presign({ ...config, filename, content_type });
	await uploadFile(input, upload, (sent) => bar.update("uploading", sent / size));
	return client.submit({ job_id, s3_key: upload.s3_key });
}

const isUrl = (input: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(input);

const stageOf = (job: Job): string => job.status.toLowerCase().replaceAll("_", " ");

function checkFile(path: string): void {
	if (!existsSync(path)) throw new Error(`${path}: there is no such file`);
	if (!statSync(path).isFile()) throw new Error(`${path}: not a file`);
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
