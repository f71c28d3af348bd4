import { logError } from "@parley/context/log";
import type { DeliveryAttempt } from "@parley/contracts/batch/webhooks";
import type { DeliveryRow } from "@parley/db/batch/deliveries";
import type { JobRow } from "@parley/db/batch/jobs";
import { EgressError, type EgressErrorCode } from "@parley/egress/egress-error";
import { egressRules } from "@parley/egress/egress-rules";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { parseRetryAfter } from "@parley/egress/retry";
import { openHeaders } from "@parley/webhooks/sealed-headers";
import { signatureHeaders } from "@parley/webhooks/signature";
import { openSigningSecrets } from "@parley/webhooks/signing-secrets";
import type { Ctx } from "../context.ts";
import { notificationBody } from "./notification-body.ts";
import { readSnippet } from "./response-snippet.ts";

const TIMEOUT_MS = 15_000;
/** Response length limit: none, because only the beginning is read. */
const ANY_LENGTH = Number.MAX_SAFE_INTEGER;
/** Errors that another attempt at the same URL would repeat. */
const FINAL_ERRORS = new Set<EgressErrorCode>(["invalid_url", "invalid_request", "blocked_address"]);
/** Statuses whose `Retry-After` is honoured. */
const RETRY_AFTER_STATUSES = [429, 503];

export type Try = {
	attempt: DeliveryAttempt;
	verdict: "delivered" | "again" | "final";
	retryAfterMs?: number | undefined;
};

type Answer = Pick<Try, "verdict" | "retryAfterMs"> & Omit<DeliveryAttempt, "at" | "duration_ms">;

/** Sends a notification once. A failure is part of the result. */
export async function sendNotification(ctx: Ctx, job: JobRow, delivery: DeliveryRow): Promise<Try> {
	const startedAt = ctx.clock();
	const answer = await exchange(ctx, job, delivery).catch((error): Answer => {
		logError("a notification could not be sent", error, { delivery_id: delivery.id });
		return failure("An internal error stopped this attempt", null);
	});
	const { verdict, retryAfterMs, ...recorded } = answer;
	const duration_ms = Math.max(0, ctx.clock().getTime() - startedAt.getTime());
	return { attempt: { at: startedAt.toISOString(), ...recorded, duration_ms }, verdict, retryAfterMs };
}

async function exchange(ctx: Ctx, job: JobRow, delivery: DeliveryRow): Promise<Answer> {
	const body = await notificationBody(ctx, job, delivery);
	const secrets = await openSigningSecrets(ctx, delivery.organisationId);
	if (secrets.length === 0) throw new Error("The organisation has no signing secret");
	const authHeaders = await openHeaders(ctx, delivery);
	const signed = await signatureHeaders(secrets, { id: delivery.id, timestamp: ctx.clock(), body });
	let answered: number | null = null;
	try {
		const response = await guardedFetch(
			{
				url: delivery.url,
				method: delivery.method,
				headers: {
					"user-agent": "Parley-Webhooks",
					...Object.fromEntries(authHeaders.map(({ name, value }) => [name.toLowerCase(), value])),
					"content-type": "application/json",
					...signed,
				},
				body,
				secretHeaders: authHeaders.map(({ name }) => name),
			},
			{
				...egressRules(ctx.env),
				timeoutMs: TIMEOUT_MS,
				maxResponseBytes: ANY_LENGTH,
				maxRedirects: 0,
				fetch: ctx.fetch,
				onEvent: (event) => {
					if (event.type === "response") answered = event.status;
				},
			},
		);
		const snippet = await readSnippet(
			response,
			authHeaders.map(({ value }) => value),
		);
		return judge(ctx, response, snippet);
	} catch (error) {
		if (!(error instanceof EgressError)) throw error;
		if (error.code === "too_many_redirects") return failure(refusedRedirect(answered), answered);
		return { ...failure(error.message, null), verdict: FINAL_ERRORS.has(error.code) ? "final" : "again" };
	}
}

function judge({ clock }: Ctx, { status, ok, headers }: Response, snippet: string | null): Answer {
	if (ok) return { verdict: "delivered", status_code: status, error: null, response_snippet: snippet };
	if (status >= 300 && status < 400) return failure(refusedRedirect(status), status, snippet);
	if (status === 410)
		return {
			...failure("The host accepts no more notifications: status 410", status, snippet),
			verdict: "final",
		};
	const asked = RETRY_AFTER_STATUSES.includes(status) ? headers.get("retry-after") : null;
	return {
		...failure(`The host answered with status ${status}`, status, snippet),
		retryAfterMs: parseRetryAfter(asked, clock()),
	};
}

const failure = (error: string, status: number | null, snippet: string | null = null): Answer => ({
	verdict: "again",
	status_code: status,
	error,
	response_snippet: snippet,
});

const refusedRedirect = (status: number | null): string =>
	`The host answered with a redirect (status ${status}), and redirects are not followed`;
