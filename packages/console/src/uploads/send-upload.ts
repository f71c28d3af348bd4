import type { PresignedUpload } from "@parley/contracts/batch/job-submission";
import type { BegunUpload, CompletedUpload, PresignedParts } from "@parley/contracts/batch/uploads";
import { call } from "../api/client.ts";
import { ApiFailure, isPassing, isStatus } from "../api/failures.ts";
import { submitJob } from "../jobs/jobs-api.ts";
import { PutFailure, putBytes } from "./put-bytes.ts";
import { arrivedBytes, missingParts, type Upload } from "./upload.ts";

/** Files up to this size go up in one request, and start again when it breaks. */
const MAX_SINGLE_BYTES = 16 * 1024 * 1024;
const PARTS_AT_ONCE = 3;
const PARTS_PER_CALL = 20;
const ATTEMPTS = 6;

type Options = {
	signal: AbortSignal;
	/** Called with what has changed, as often as bytes are sent. */
	onChange: (change: Partial<Upload>) => void;
};

/** Sends a file and submits its job. What has arrived before is not sent again. */
export async function sendUpload(upload: Upload, file: File, options: Options): Promise<void> {
	const s3Key =
		file.size > MAX_SINGLE_BYTES
			? await sendParts(upload, file, options)
			: await sendWhole(upload, file, options);
	await withRetries(options.signal, () =>
		submitJob({ ...upload.options, job_id: upload.jobId, s3_key: s3Key }).catch((error) => {
			// The answer to an earlier attempt was lost.
			if (isStatus(error, 409)) return;
			throw error;
		}),
	);
}

async function sendWhole(upload: Upload, file: File, { signal, onChange }: Options): Promise<string> {
	return withRetries(signal, async () => {
		const { upload: target } = await call<PresignedUpload>("POST /v1/batch/jobs", {
			body: {
				...{
					mode: "presign",
					job_id: upload.jobId,
					filename: upload.name.slice(-200),
					size_bytes: file.size,
				},
				...upload.options,
			},
			signal,
		});
		const headers = { "Content-Type": target.headers["Content-Type"] };
		await putBytes(target.url, file, { headers, signal, onProgress: (sentBytes) => onChange({ sentBytes }) });
		return target.s3_key;
	});
}

async function sendParts(upload: Upload, file: File, { signal, onChange }: Options): Promise<string> {
	const body = { job_id: upload.jobId, filename: upload.name.slice(-200), size_bytes: file.size };
	const begun = await withRetries(signal, () =>
		call<BegunUpload>("POST /v1/batch/uploads", { body, signal }),
	);
	const { upload_id: uploadId, part_size: partSize } = begun;
	const etags = { ...(upload.uploadId === uploadId ? upload.etags : {}) };
	onChange({ uploadId, partSize, etags });
	const inFlight = new Map<number, number>();
	const report = () => {
		const sent = [...inFlight.values()].reduce((sum, bytes) => sum + bytes, 0);
		onChange({ sentBytes: arrivedBytes({ size: file.size, partSize, etags }) + sent });
	};
	const waiting = missingParts({ size: file.size, partSize, etags });
	const urls = new Map<number, string>();
	const urlOf = async (number: number): Promise<string> => {
		const known = urls.get(number);
		if (known) return known;
		const numbers = [number, ...waiting.slice(0, PARTS_PER_CALL - 1)];
		const { parts } = await call<PresignedParts>("POST /v1/batch/uploads/{upload_id}/parts", {
			...{ params: { upload_id: uploadId }, body: { part_numbers: numbers }, signal },
		});
		for (const part of parts) urls.set(part.part_number, part.url);
		return urls.get(number) ?? "";
	};
	const work = async () => {
		for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
			const part = number;
			const bytes = file.slice((part - 1) * partSize, part * partSize);
			etags[part] = await withRetries(signal, async () => {
				const onProgress = (sent: number) => {
					inFlight.set(part, sent);
					report();
				};
				return putBytes(await urlOf(part), bytes, { signal, onProgress }).catch((error) => {
					// Its URL may have expired.
					urls.delete(part);
					throw error;
				});
			});
			inFlight.delete(part);
			onChange({ etags: { ...etags } });
			report();
		}
	};
	await Promise.all(Array.from({ length: PARTS_AT_ONCE }, work));
	const parts = Object.entries(etags).map(([number, etag]) => ({ part_number: Number(number), etag }));
	const completed = await withRetries(signal, () =>
		call<CompletedUpload>("POST /v1/batch/uploads/{upload_id}/complete", {
			...{ params: { upload_id: uploadId }, body: { parts }, signal },
		}),
	);
	return completed.s3_key;
}

/** Repeats what failed for a passing reason, after one second, then two, four and so on. */
async function withRetries<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await work();
		} catch (error) {
			signal.throwIfAborted();
			if (!isWorthRepeating(error) || attempt === ATTEMPTS) throw error;
			await pause(1000 * 2 ** (attempt - 1), signal);
		}
	}
}

const isWorthRepeating = (error: unknown): boolean =>
	isPassing(error) ||
	(error instanceof ApiFailure && error.status === 429) ||
	(error instanceof PutFailure && (error.status === 0 || error.status === 403 || error.status >= 500));

function pause(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((done, fail) => {
		const timer = setTimeout(done, ms);
		signal.addEventListener(
			"abort",
			() => {
				clearTimeout(timer);
				fail(signal.reason);
			},
			{ once: true },
		);
	});
}
