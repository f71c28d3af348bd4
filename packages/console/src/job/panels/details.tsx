import type { Job } from "@parley/contracts/batch/jobs";
import type { Transcript } from "@parley/contracts/batch/transcript";
import type { ReactNode } from "react";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Badge } from "../../ui/data/badge.tsx";
import { CodeBlock } from "../../ui/data/code-block.tsx";
import { Time } from "../../ui/data/time.tsx";
import {
	formatBytes,
	formatClock,
	formatLength,
	formatList,
	formatNumber,
	formatPercent,
} from "../../ui/format.ts";
import { Details, Section } from "../../ui/page.tsx";
import { texts } from "../texts.ts";

const t = texts.details;
const MAX_RESULTS = 200;

type Row = [name: string, value: ReactNode];

/** Everything that the API says about the job. */
export function JobDetails({ job, transcript }: { job: Job; transcript: Transcript | undefined }) {
	return (
		<div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
			<Section title={t.job}>
				<Details items={known(jobRows(job))} />
			</Section>
			<div className="space-y-8">
				<Section title={t.input}>
					<Details items={known(inputRows(job))} />
				</Section>
				{job.output_metadata && (
					<Section title={t.output}>
						<Details items={known(outputRows(job.output_metadata))} />
					</Section>
				)}
			</div>
			<Section title={t.raw} className="lg:col-span-2">
				<CodeBlock label={t.raw} text={JSON.stringify(job, null, 2)} />
			</Section>
			{transcript && (
				<Section
					title={t.rawTranscript}
					className="lg:col-span-2"
					description={transcript.results.length > MAX_RESULTS && t.rawCut(MAX_RESULTS)}
				>
					<CodeBlock
						label={t.rawTranscript}
						text={JSON.stringify(
							{ ...transcript, results: transcript.results.slice(0, MAX_RESULTS) },
							null,
							2,
						)}
					/>
				</Section>
			)}
		</div>
	);
}

const known = (rows: Row[]): Row[] =>
	rows.filter(([, value]) => value !== null && value !== undefined && value !== "");

const time = (value: string | null): ReactNode => value && <Time value={value} exact />;
const second = (value: string | null): ReactNode => value && <Time value={value} exact="seconds" />;
const code = (value: string | null | undefined): ReactNode =>
	value && <code className="font-mono text-xs">{value}</code>;

function jobRows(job: Job): Row[] {
	const { tracking } = job;
	const f = t.fields;
	return [
		[
			f.id,
			<span key="id" className="flex items-center gap-1">
				<code className="min-w-0 font-mono text-xs wrap-anywhere">{job.job_id}</code>
				<CopyButton value={job.job_id} isIcon />
			</span>,
		],
		[f.model, job.model_code],
		[f.submittedBy, code(job.submitted_by)],
		[f.submitted, second(job.submitted_at)],
		[f.started, second(job.started_at)],
		[f.completed, second(job.completed_at)],
		[f.took, took(job)],
		[f.expires, time(job.expires_at)],
		[f.reference, tracking?.reference],
		[
			f.tags,
			tracking?.tags?.length ? (
				<span key="tags" className="flex flex-wrap gap-1">
					{tracking.tags.map((tag) => (
						<Badge key={tag}>{tag}</Badge>
					))}
				</span>
			) : null,
		],
		[f.details, tracking?.details],
	];
}

/** How long the work took, without the wait before it. */
function took({ started_at: started, completed_at: completed }: Job): string | null {
	if (!started || !completed) return null;
	const seconds = (Date.parse(completed) - Date.parse(started)) / 1000;
	return seconds < 1 ? t.underSecond : formatLength(seconds);
}

function inputRows({ input_metadata: input }: Job): Row[] {
	const f = t.fields;
	return [
		[f.source, input.source],
		[f.length, input.duration_seconds === null ? null : formatClock(input.duration_seconds)],
		[f.format, [...new Set([input.format, input.codec])].filter(Boolean).join(", ")],
		[f.channels, input.channels],
		[f.sampleRate, input.sample_rate === null ? null : t.hertz(input.sample_rate)],
		[f.size, input.size_bytes === null ? null : formatBytes(input.size_bytes)],
		[f.sha256, code(input.sha256)],
	];
}

function outputRows(output: NonNullable<Job["output_metadata"]>): Row[] {
	const f = t.fields;
	return [
		[f.words, formatNumber(output.word_count)],
		[f.languages, formatList(output.languages)],
		[f.engine, formatList(output.engines ?? [output.engine])],
		[f.coverage, output.coverage === null ? null : formatPercent(output.coverage)],
	];
}
