import type { BegunUpload, CompletedUpload, PresignedParts, Upload } from "@parley/contracts/batch/uploads";
import { mediaTypeOf } from "@parley/contracts/shared/media-types";
import { type Http, ParleyError } from "./http.ts";

/** Size above which a file is uploaded in parts and can be resumed. */
const PARTS_ABOVE_BYTES = 16 * 1024 ** 2;
const PARTS_AT_ONCE = 4;
const TRIES = 4;

/**
 * Content of an upload: a Blob, or anything else that returns slices. In Node `openAsBlob(path)` works for files below 2 GiB; for larger
 * ones it returns a wrong size and empty slices (nodejs/node#52585).
 */
export type Audio = { size: number; slice: (start: number, end: number) => Blob | Promise<Blob> };

/** How far an upload in parts has come. Kept and given back as `resume`, it spares what has arrived. */
export type UploadState = { upload_id: string; etags: Record<number, string> };

export type UploadOptions = {
	filename: string;
	/** As the name implies when absent. */
	content_type?: string | undefined;
	/** Configuration of the job: the service refuses an unknown model or language before anything is uploaded. */
	config?: object | undefined;
	/** Id of the job that the upload is for; generated when absent. */
	job_id?: string | undefined;
	/** 16 MiB when absent. */
	partsAboveBytes?: number | undefined;
	/** Size of each part but the last, 5 MiB to 1 GiB; 16 MiB when absent. */
	partSizeBytes?: number | undefined;
	/** Upload to resume. Ignored if it has expired or is of a file of another size. */
	resume?: UploadState | undefined;
	/** Told when an upload in parts has begun and whenever a part has arrived. */
	onState?: (state: UploadState) => void;
	onProgress?: (sentBytes: number) => void;
	signal?: AbortSignal | undefined;
};

/** Result of an upload, to submit as `submit({ ...uploaded, … })`. */
export type Uploaded = { job_id: string; s3_key: string };

type Transport = { http: Http; fetch: typeof globalThis.fetch };

/**
 * Brings audio into the service's storage, in one PUT or in parts. A request that fails for a reason that may pass is
 * repeated.
 * @throws ParleyError when the service or the storage refuses it; whatever `fetch` throws when they are not reached.
 */
export async function uploadAudio(
	transport: Transport,
	audio: Audio,
	options: UploadOptions,
): Promise<Uploaded> {
	const file = {
		filename: options.filename,
		content_type: options.content_type ?? mediaTypeOf(options.filename),
		size_bytes: audio.size,
		...(options.job_id !== undefined && { job_id: options.job_id }),
	};
	if (audio.size <= (options.partsAboveBytes ?? PARTS_ABOVE_BYTES))
		return uploadWhole(transport, audio, file, options);
	return uploadParts(transport, audio, file, options);
}

type File = { filename: string; content_type: string; size_bytes: number; job_id?: string };

async function uploadWhole(
	{ http, fetch }: Transport,
	audio: Audio,
	file: File,
	{ config, onProgress, signal }: UploadOptions,
): Promise<Uploaded> {
	const { job_id, upload } = await http.json<{
		job_id: string;
		upload: { url: string; s3_key: string; headers: Record<string, string> };
	}>("POST", "/v1/batch/jobs", { body: { ...config, ...file, mode: "presign" }, signal });
	// The length is `fetch`'s own to say.
	const { "Content-Length": _, ...headers } = upload.headers;
	await put(fetch, upload.url, {
		headers,
		body: await audio.slice(0, audio.size),
		signal: signal ?? null,
	});
	onProgress?.(audio.size);
	return { job_id, s3_key: upload.s3_key };
}

async function uploadParts(
	{ http, fetch }: Transport,
	audio: Audio,
	file: File,
	{ config, resume, partSizeBytes, onState, onProgress, signal }: UploadOptions,
): Promise<Uploaded> {
	const known = resume && (await findUpload(http, resume, audio.size));
	// An upload in parts has no configuration, so a presign call checks it.
	if (!known && config) {
		await http.json("POST", "/v1/batch/jobs", { body: { ...config, mode: "presign" }, signal });
	}
	const upload: BegunUpload =
		known?.upload ??
		(await http.json<BegunUpload>("POST", "/v1/batch/uploads", {
			body: { ...file, ...(partSizeBytes !== undefined && { part_size: partSizeBytes }) },
			signal,
		}));
	const { job_id, s3_key, upload_id, part_size, part_count } = upload;
	if (known?.upload.status === "completed") return { job_id, s3_key };
	const etags = { ...known?.etags };
	const path = `/v1/batch/uploads/${upload_id}`;
	const sizeOf = (part: number) => Math.min(part_size, audio.size - (part - 1) * part_size);
	const numbers = Array.from({ length: part_count }, (_, index) => index + 1);
	const missing = numbers.filter((part) => etags[part] === undefined);
	let sent = numbers.reduce((sum, part) => sum + (etags[part] === undefined ? 0 : sizeOf(part)), 0);
	const tell = () => {
		onState?.({ upload_id, etags: { ...etags } });
		onProgress?.(sent);
	};
	tell();
	for (let at = 0; at < missing.length; at += PARTS_AT_ONCE) {
		const part_numbers = missing.slice(at, at + PARTS_AT_ONCE);
		const { parts } = await http.json<PresignedParts>("POST", `${path}/parts`, {
			body: { part_numbers },
			signal,
		});
		// All are awaited before the first failure is told: what has arrived beside it is not to be sent again.
		const results = await Promise.allSettled(
			parts.map(async ({ part_number, url }) => {
				const from = (part_number - 1) * part_size;
				const body = await audio.slice(from, from + sizeOf(part_number));
				etags[part_number] = await put(fetch, url, { body, signal: signal ?? null });
				sent += body.size;
				tell();
			}),
		);
		const failed = results.find((result) => result.status === "rejected");
		if (failed) throw failed.reason;
	}
	await http.json<CompletedUpload>("POST", `${path}/complete`, {
		body: { parts: numbers.map((part_number) => ({ part_number, etag: etags[part_number] })) },
		signal,
	});
	return { job_id, s3_key };
}

/** An upload that can be carried on, and what has arrived of it: as the storage tells, or else as is remembered. */
async function findUpload(
	http: Http,
	{ upload_id, etags }: UploadState,
	size: number,
): Promise<{ upload: Upload; etags: Record<number, string> } | undefined> {
	try {
		const upload = await http.json<Upload>("GET", `/v1/batch/uploads/${encodeURIComponent(upload_id)}`);
		if (upload.status === "aborted" || upload.size_bytes !== size) return undefined;
		const stored = upload.parts?.map(({ part_number, etag }) => [part_number, etag]);
		return { upload, etags: stored ? Object.fromEntries(stored) : etags };
	} catch (error) {
		if (error instanceof ParleyError && error.status === 404) return undefined;
		throw error;
	}
}

/** @returns the ETag that the storage gave it. */
async function put(fetch: Transport["fetch"], url: string, init: RequestInit): Promise<string> {
	for (let attempt = 1; ; attempt++) {
		try {
			const response = await fetch(url, { ...init, method: "PUT" });
			await response.body?.cancel();
			if (response.ok) return response.headers.get("etag") ?? "";
			throw new ParleyError(`The storage refused the upload with HTTP ${response.status}`, response);
		} catch (error) {
			if (init.signal?.aborted || attempt === TRIES || !mayPass(error)) throw error;
		}
		await new Promise((done) => setTimeout(done, 250 * 2 ** attempt));
	}
}

const mayPass = (error: unknown): boolean =>
	!(error instanceof ParleyError) || error.status === 408 || error.status === 429 || error.status >= 500;
