import type { JobRow } from "@parley/db/jobs";
import { inputKey } from "@parley/db/media";
import { allowsLoopback } from "@parley/egress/address";
import { EgressError } from "@parley/egress/egress-error";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { isRetryableStatus, parseRetryAfter } from "@parley/egress/retry";
import type { Ctx } from "../context.ts";
import { Setback } from "../setback.ts";
import { type StoredObject, storeStream } from "./store-stream.ts";

const MAX_INPUT_BYTES = 5 * 1024 ** 3;
/** Within the time that a queue consumer has. */
const FETCH_TIMEOUT_MS = 12 * 60_000;
/** A host that is silent for longer is given up until the next try: the messages of its batch wait for it. */
const SILENCE_MS = 20_000;

/**
 * Brings the audio behind a URL into the bucket as a stream.
 * @throws Setback when the host does not give it; retryable where another try may.
 */
export async function fetchInput(
	ctx: Ctx,
	row: JobRow,
	url: string,
	signal: AbortSignal,
): Promise<StoredObject> {
	try {
		const response = await guardedFetch(
			{ url, headers: { accept: "audio/*, video/*;q=0.9, */*;q=0.5" } },
			{
				allowLoopback: allowsLoopback(ctx.env.EGRESS_ALLOW_LOOPBACK),
				timeoutMs: FETCH_TIMEOUT_MS,
				idleMs: SILENCE_MS,
				maxResponseBytes: MAX_INPUT_BYTES,
				fetch: ctx.fetch,
				signal,
			},
		);
		if (!response.ok) throw await refusal(ctx, response);
		return await store(ctx, row, url, response);
	} catch (error) {
		if (error instanceof EgressError) throw toInputSetback(error);
		throw error;
	}
}

async function store({ env }: Ctx, row: JobRow, url: string, response: Response): Promise<StoredObject> {
	const contentType = response.headers.get("content-type") ?? "application/octet-stream";
	const body = response.body ?? new Blob([]).stream();
	const stored = await storeStream(env.MEDIA, inputKey(row, nameOf(url)), body, { contentType });
	const promised = response.headers.get("content-length");
	if (promised !== null && Number(promised) !== stored.size) throw toInputSetback(new EgressError("network"));
	return stored;
}

async function refusal({ clock }: Ctx, response: Response): Promise<Setback> {
	await response.body?.cancel();
	const { status, headers } = response;
	return new Setback("input_http_error", `The input URL answered with status ${status}.`, {
		retryable: isRetryableStatus(status),
		retryAfterMs: parseRetryAfter(headers.get("retry-after"), clock()),
	});
}

const UNREACHABLE = new Set<EgressError["code"]>(["dns_failed", "connect_failed", "tls_failed"]);

const toInputSetback = (error: EgressError): Setback =>
	error.code === "body_too_large"
		? new Setback("input_too_large", "The input is larger than 5 GiB.")
		: new Setback(`input_${error.code}`, `The input URL could not be fetched: ${error.message}.`, {
				retryable: error.retryable,
				// A host that nobody can reach is mostly a wrong name, and someone waits to be told.
				...(UNREACHABLE.has(error.code) && { maxAttempts: 4 }),
				cause: error,
			});

/** The last part of the path; percent-escapes that are not UTF-8 stay as they are. */
function nameOf(url: string): string {
	const last = new URL(url).pathname.split("/").at(-1) ?? "";
	try {
		return decodeURIComponent(last);
	} catch {
		return last;
	}
}
