import type { FetchLike } from "@modelcontextprotocol/client";
import type { McpTransport } from "@parley/contracts/agents/mcp-servers";
import { EgressError } from "@parley/egress/egress-error";
import type { EgressRules } from "@parley/egress/egress-rules";
import { type EgressEvent, guardedFetch } from "@parley/egress/guarded-fetch";
import type { EgressBody } from "@parley/egress/redirect";
import { ConnectFailure, fromEgressError } from "./connect-failure.ts";
import type { Deadline } from "./deadline.ts";
import type { ExchangeOutcome } from "./sdk-errors.ts";
import type { Trace } from "./trace.ts";
import { watchBody } from "./watch-body.ts";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Maximum size of all answers of one attempt together. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
/** Maximum number of requests per attempt. Listing all pages twice needs about 140; answers to the server's own requests count too. */
const MAX_REQUESTS = 256;
/** Time limit for the first event of an SSE stream, which names the endpoint for messages. */
const ENDPOINT_MS = 5_000;

export type ExchangeOptions = {
	transport: McpTransport;
	secretHeaders: readonly string[];
	rules: EgressRules;
	fetch?: typeof globalThis.fetch | undefined;
	/** True to open the stream for the server's own notifications. An attempt that only lists tools does not need it. */
	listens?: boolean;
	deadline: Deadline;
	trace: Trace;
};

/** Observations of a server during one attempt: how the latest exchange ended, and what the attempt has reached so far. */
export type Observations = ExchangeOutcome & {
	/** The transport was ready to send messages. */
	hasStarted: boolean;
	hasAnswered: boolean;
	/** The server has opened a session (session era). */
	hasSession: boolean;
	/** The latest answer was an acknowledgement without a result (HTTP 202). */
	isAcknowledgement: boolean;
	/** The latest answer was one complete JSON document rather than a stream. */
	isSingleMessage: boolean;
	/** Totals of the attempt so far: requests sent, bytes and messages received. */
	requests: number;
	bytes: number;
	messages: number;
};

export const noObservations = (): Observations => ({
	hasStarted: false,
	hasAnswered: false,
	hasSession: false,
	isAcknowledgement: false,
	isSingleMessage: false,
	requests: 0,
	bytes: 0,
	messages: 0,
});

/**
 * Creates the fetch function through which the client library sends all its requests. Each request is bounded, checked at
 * every redirect, and recorded in the trace.
 */
export function createExchange(options: ExchangeOptions, observed: Observations): FetchLike {
	const { transport, rules, deadline, trace } = options;
	// The session is a credential too.
	const secretHeaders = [...options.secretHeaders, "mcp-session-id"];
	const note = (failure: ConnectFailure): void => {
		observed.failure = failure;
	};

	return async (url, init = {}) => {
		const method = init.method ?? "GET";
		const headers = new Headers(init.headers);
		if (
			transport === "streamable_http" &&
			method === "GET" &&
			!options.listens &&
			isNotificationStream(headers)
		)
			return new Response(null, { status: 405 });
		if (++observed.requests > MAX_REQUESTS)
			deadline.fail(
				new ConnectFailure(
					"unsupported_contract",
					`Listing the tools takes more than ${MAX_REQUESTS} requests`,
				),
			);
		deadline.signal.throwIfAborted();
		let answers = 0;
		const describe = describeHops(trace, methodOf(init.body) ?? method);
		try {
			const response = await guardedFetch(
				{ url, method, headers, secretHeaders, ...(init.body && { body: init.body as EgressBody }) },
				{
					...{ ...rules, fetch: options.fetch, timeoutMs: deadline.remainingMs() },
					maxResponseBytes: Math.max(0, Math.min(MAX_ANSWER_BYTES, MAX_TOTAL_BYTES - observed.bytes)),
					signal: init.signal ? AbortSignal.any([init.signal, deadline.signal]) : deadline.signal,
					onEvent: (event) => {
						if (event.type === "response") answers++;
						describe(event);
					},
				},
			);
			observed.status = response.ok ? undefined : response.status;
			observed.isAcknowledgement = response.status === 202;
			observed.isSingleMessage = /^application\/json\b/i.test(response.headers.get("content-type") ?? "");
			observed.hasSession ||= response.headers.has("mcp-session-id");
			observed.retryAfter = response.headers.get("retry-after");
			observed.challenge = response.headers.get("www-authenticate");
			if (transport === "sse" && method === "GET" && response.ok) failWithoutEndpoint(observed, deadline);
			return watchBody(response, {
				onBytes: (count) => {
					observed.bytes += count;
				},
				onError: (error) => {
					if (error instanceof EgressError) note(fromEgressError(error));
				},
				onEnd: () => {
					if (transport === "sse" && method === "GET") note(connectionLost());
				},
			});
		} catch (error) {
			if (error instanceof EgressError) note(fromEgressError(error, { isRedirected: answers > 0 }));
			throw error;
		} finally {
			observed.hasAnswered ||= answers > 0;
		}
	};
}

/** Fails the attempt if its SSE stream names no endpoint in time, as with a server of the newer transport. */
function failWithoutEndpoint(observed: Observations, deadline: Deadline): void {
	const reason = `The server's stream names no endpoint within ${ENDPOINT_MS / 1000} seconds`;
	const advice = "Check that transport is the one the server speaks: most speak streamable_http now.";
	const timer = setTimeout(() => {
		if (!observed.hasStarted) deadline.fail(new ConnectFailure("protocol_error", reason, { advice }));
	}, ENDPOINT_MS);
	deadline.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}

/** Returns true for the request that opens a session's notification stream. */
const isNotificationStream = (headers: Headers): boolean =>
	headers.get("accept") === "text/event-stream" && !headers.has("last-event-id");

export const connectionLost = (): ConnectFailure =>
	new ConnectFailure("connect_failed", "The connection ended before the answer was complete");

/** Records each hop of a request in the trace, with the names of its headers but never their values. */
function describeHops(trace: Trace, name: string): (event: EgressEvent) => void {
	let sentAt = Date.now();
	return (event) => {
		if (event.type === "request") {
			sentAt = Date.now();
			const names = event.headerNames.toSorted().join(", ");
			const redirect = event.hop > 0 ? " (redirected)" : "";
			trace.add("sent", name, `${event.method} ${event.url}${redirect} with ${names}`);
			return;
		}
		const isRefusal = event.status >= 400 && event.status < 500 && ![401, 403, 429].includes(event.status);
		const note = isRefusal ? explainRefusedMethod(name) : "";
		trace.add("received", name, `HTTP ${event.status} after ${Date.now() - sentAt} ms${note}`);
	};
}

/** Returns a note for a refusal that is normal: servers with sessions do not know `server/discover`. */
export const explainRefusedMethod = (method: string): string =>
	method === "server/discover" ? " (usual for a server of an older protocol version)" : "";

/** Returns the JSON-RPC method of a message; undefined for anything else, such as an answer to the server. */
function methodOf(body: unknown): string | undefined {
	if (typeof body !== "string") return undefined;
	try {
		const { method } = JSON.parse(body) as { method?: unknown };
		return typeof method === "string" ? method : undefined;
	} catch {
		return undefined;
	}
}
