import { inputKey } from "@parley/batch/object-keys";
import { MAX_INPUT_BYTES } from "@parley/contracts/batch/input-sizes";
import type { JobRow } from "@parley/db/batch/jobs";
import { EgressError } from "@parley/egress/egress-error";
import { egressRules } from "@parley/egress/egress-rules";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { isRetryableStatus, parseRetryAfter } from "@parley/egress/retry";
import type { Ctx } from "../context.ts";
import { StepError } from "../step-error.ts";
import { beginDownload, type Download, discard, findDownload, keep, receive } from "./download.ts";
import { isResumable, isTheRest, rangeHeaders } from "./range-resume.ts";
import type { StoredObject } from "./store-stream.ts";

const LIMITS = {
	maxBytes: MAX_INPUT_BYTES,
	/** Total time. A queue consumer has 15 minutes. */
	timeoutMs: 12 * 60_000,
	/** Silence after which the attempt ends. Other messages of the batch wait for it. */
	silenceMs: 20_000,
	/** Bytes per `silenceMs` below which a host counts as silent. */
	silenceBytes: 128 * 1024,
	/** Resumes per attempt. A host that breaks off more often is retried later. */
	maxResumes: 20,
};
const RESUME_PAUSE_MS = 500;

/**
 * Fetches the audio behind a URL into the bucket. Resumes a broken transfer if the host confirms that the file has not changed;
 * otherwise starts again. A later call resumes after the last complete part.
 * @throws StepError when the host does not deliver the file; retryable if another attempt may succeed.
 */
export async function fetchInput(
	ctx: Ctx,
	row: JobRow,
	url: string,
	signal: AbortSignal,
	limits = LIMITS,
): Promise<StoredObject> {
	const key = inputKey(row, nameOf(url));
	const until = ctx.clock().getTime() + limits.timeoutMs;
	const ask = (begun: Download | undefined) => request(ctx, url, begun, { ...limits, until, signal });
	let { stored, download } = await findDownload(ctx, row, key);
	for (let resumes = 0; !stored; resumes++) {
		const offset = download?.writer.size() ?? 0;
		try {
			let response = await ask(download);
			if (download && isAnotherFile(response, download)) {
				await discard(ctx, row, download);
				download = undefined;
				if (response.status !== 200) {
					await response.body?.cancel();
					response = await ask(undefined);
				}
			}
			if (!response.ok || (response.status === 206 && !download)) throw await refusal(ctx, response);
			download ??= beginDownload(ctx, row, key, response);
			stored = await receive(ctx, row, download, response.body);
		} catch (error) {
			if (signal.aborted) throw error;
			const hasGained = download !== undefined && download.writer.size() > offset;
			if (
				isBreak(error) &&
				hasGained &&
				resumes < limits.maxResumes &&
				download &&
				isResumable(download.source)
			) {
				await scheduler.wait(RESUME_PAUSE_MS);
				continue;
			}
			const stepError = error instanceof EgressError ? toInputError(error) : error;
			if (download) {
				const mayGoOn = stepError instanceof StepError && stepError.retryable;
				await (mayGoOn ? keep(ctx, row, download) : discard(ctx, row, download));
			}
			throw stepError;
		}
	}
	return stored;
}

/** Requests the whole file, or the rest of a download on the condition that the file has not changed. */
function request(
	ctx: Ctx,
	url: string,
	download: Download | undefined,
	limits: typeof LIMITS & { until: number; signal: AbortSignal },
): Promise<Response> {
	return guardedFetch(
		{
			url,
			headers: {
				accept: "audio/*, video/*;q=0.9, */*;q=0.5",
				// A body that is encoded on its way has no bytes to resume from.
				"accept-encoding": "identity",
				...(download && rangeHeaders(download.source, download.writer.size())),
			},
		},
		{
			...egressRules(ctx.env),
			timeoutMs: Math.max(1, limits.until - ctx.clock().getTime()),
			idleMs: limits.silenceMs,
			idleBytes: limits.silenceBytes,
			maxResponseBytes: limits.maxBytes,
			fetch: ctx.fetch,
			signal: limits.signal,
		},
	);
}

/** Tells whether a response is not the requested rest: the file has changed, or the host ignores ranges. */
const isAnotherFile = (response: Response, { source, writer }: Download): boolean =>
	(response.ok || response.status === 416) && !isTheRest(response, source, writer.size());

const isBreak = (error: unknown): boolean => error instanceof EgressError && error.code === "network";

async function refusal({ clock }: Ctx, response: Response): Promise<StepError> {
	await response.body?.cancel();
	const { status, headers } = response;
	return new StepError("input_http_error", `The input URL answered with status ${status}.`, {
		retryable: isRetryableStatus(status),
		retryAfterMs: parseRetryAfter(headers.get("retry-after"), clock()),
	});
}

/** Errors with fewer attempts: an unreachable host is usually a wrong name, and a slow host stays slow. */
const RARELY_TRANSIENT = new Set<EgressError["code"]>([
	"dns_failed",
	"connect_failed",
	"tls_failed",
	"timeout",
]);

const toInputError = (error: EgressError): StepError =>
	error.code === "body_too_large"
		? new StepError("input_too_large", "The input is larger than 5 GiB.")
		: new StepError(`input_${error.code}`, `The input URL could not be fetched: ${error.message}.`, {
				retryable: error.retryable,
				...(RARELY_TRANSIENT.has(error.code) && { maxAttempts: 4 }),
				cause: error,
			});

/** Returns the last segment of the path. Percent-escapes that are not UTF-8 stay as they are. */
function nameOf(url: string): string {
	const last = new URL(url).pathname.split("/").at(-1) ?? "";
	try {
		return decodeURIComponent(last);
	} catch {
		return last;
	}
}
