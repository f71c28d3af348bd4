import type { ApiRequestConfig } from "@parley/contracts/agents/tool-config";
import { EgressError } from "@parley/egress/egress-error";
import type { EgressRules } from "@parley/egress/egress-rules";
import { type EgressInput, guardedFetch } from "@parley/egress/guarded-fetch";
import { backoffMs, isRetryableStatus, parseRetryAfter } from "@parley/egress/retry";
import { RunFailure } from "../run-failure.ts";

const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Idempotent methods (RFC 9110 section 9.2.2) among those that a tool can use. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "PUT", "DELETE"]);

type SendOptions = {
	rules: EgressRules;
	fetch?: typeof globalThis.fetch | undefined;
	config: Pick<ApiRequestConfig, "http_method" | "timeout_seconds" | "retries">;
	log: (line: string) => void;
	clock: () => Date;
};

/**
 * Sends a request and returns the body of a successful answer. Retries transient failures within the tool's time limit.
 * @throws EgressError; RunFailure HTTP_ERROR for an unsuccessful status.
 */
export async function sendRequest(input: EgressInput, sending: SendOptions): Promise<string> {
	const { config, log, clock } = sending;
	const deadline = clock().getTime() + config.timeout_seconds * 1000;
	const attempts = IDEMPOTENT.has(config.http_method) ? config.retries + 1 : 1;
	for (let attempt = 1; ; attempt++) {
		const timeLeft = deadline - clock().getTime();
		const result = await sendOnce(input, { ...sending, timeoutMs: Math.max(1, timeLeft) });
		if (result.body !== undefined) return result.body;
		const waitMs = backoffMs(attempt, { baseMs: 200, maxMs: 5_000, retryAfterMs: result.retryAfterMs });
		const isWorthIt = result.isTransient && attempt < attempts;
		if (!isWorthIt || clock().getTime() + waitMs >= deadline) throw result.failure;
		log(`attempt ${attempt} failed (${result.failure.message}); trying again`);
		await new Promise((resolve) => setTimeout(resolve, waitMs));
	}
}

type Attempt =
	| { body: string }
	| { body?: undefined; failure: Error; isTransient: boolean; retryAfterMs?: number | undefined };

async function sendOnce(input: EgressInput, sending: SendOptions & { timeoutMs: number }): Promise<Attempt> {
	const { log, clock } = sending;
	try {
		const response = await guardedFetch(input, {
			...sending.rules,
			timeoutMs: sending.timeoutMs,
			maxResponseBytes: MAX_RESPONSE_BYTES,
			fetch: sending.fetch,
			onEvent: (event) =>
				log(
					event.type === "request"
						? `sent ${event.method} ${event.url}`
						: `received ${event.status} from ${event.url}`,
				),
		});
		const body = await response.text();
		if (response.ok) return { body };
		log(`the answer was: ${body}`);
		return {
			failure: new RunFailure("HTTP_ERROR", `The endpoint answered with status ${response.status}`),
			isTransient: isRetryableStatus(response.status),
			retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), clock()),
		};
	} catch (error) {
		if (!(error instanceof EgressError)) throw error;
		return { failure: error, isTransient: error.retryable && error.code !== "timeout" };
	}
}
