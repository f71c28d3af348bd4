import type { TranscriptFormat } from "@parley/contracts/batch/jobs";

/** The two columns that name a job. */
export type JobKey = { organisationId: string; jobId: string };

const MAX_NAME_BYTES = 180;

const folder = (kind: "inputs" | "work" | "outputs", { organisationId, jobId }: JobKey) =>
	`${kind}/${organisationId}/${jobId}/`;

/** Prefixes and keys of a job's objects in the media bucket. */
export const inputPrefix = (job: JobKey): string => folder("inputs", job);
export const outputPrefix = (job: JobKey): string => folder("outputs", job);
export const workPrefix = (job: JobKey): string => folder("work", job);
export const inputKey = (job: JobKey, filename: string): string => inputPrefix(job) + safeFilename(filename);
export const outputKey = (job: JobKey, format: TranscriptFormat): string =>
	`${outputPrefix(job)}transcript.${format}`;
export const peaksKey = (job: JobKey): string => `${outputPrefix(job)}peaks.bin`;
export const revisionKey = (job: JobKey, revisionId: string): string =>
	`${outputPrefix(job)}revisions/${revisionId}.json`;
export const revisionExportKey = (job: JobKey, revisionId: string, format: TranscriptFormat): string =>
	`${outputPrefix(job)}revisions/${revisionId}-export.${format}`;
export const notificationKey = (job: JobKey, deliveryId: string): string =>
	`${outputPrefix(job)}notifications/${deliveryId}.json`;
export const planKey = (job: JobKey): string => `${workPrefix(job)}plan.json`;
export const fetchKey = (job: JobKey): string => `${workPrefix(job)}fetch.json`;
export const chunkResultKey = (job: JobKey, position: number): string =>
	`${workPrefix(job)}${String(position).padStart(5, "0")}.json`;
export const channelResultKey = (job: JobKey, position: number, channel: number): string =>
	`${workPrefix(job)}${String(position).padStart(5, "0")}-${channel}.json`;

/**
 * Returns the last part of a path as a name that is safe in a key, a URL and a file system. It has letters and digits of any
 * script, `.`, `-`, `_` and `+`, no leading dots, and at most 180 bytes with its extension. `audio` when nothing is left.
 */
export function safeFilename(name: string): string {
	const last = name.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
	const clean = last.replaceAll(/[^\p{L}\p{M}\p{N}._+-]+/gu, "_").replace(/^[._]+/, "");
	const extension = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? "";
	const stem = shorten(clean.slice(0, clean.length - extension.length), MAX_NAME_BYTES - extension.length);
	return (stem || "audio") + extension;
}

function shorten(text: string, maxBytes: number): string {
	const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
	return text.slice(0, read);
}
