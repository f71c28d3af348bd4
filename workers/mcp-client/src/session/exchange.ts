import type { FetchLike } from "@modelcontextprotocol/client";
import type { McpTransport } from "@parley/contracts/agents/mcp-servers";
import { EgressError } from "@parley/egress/egress-error";
import type { EgressRules } from "@parley/egress/egress-rules";
import { type EgressEvent, guardedFetch } from "@parley/egress/guarded-fetch";
import type { EgressBody } from "@parley/egress/redirect";
import { ConnectFailure, fromEgress } from "./connect-failure.ts";
import type { Deadline } from "./deadline.ts";
import type { Seen } from "./sdk-errors.ts";
import type { Trace } from "./trace.ts";
import { watchBody } from "./watch-body.ts";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Of all answers of one attempt together. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
/** Of one attempt. All pages, asked for twice, need some 140; what a server asks for itself has to be answered too. */
const MAX_REQUESTS = 256;
/** For a stream of the older transport to say where to send messages, which is the first that it says. */
const ENDPOINT_MS = 5_000;

export type ExchangeOptions = {
	transport: McpTransport;
	secretHeaders: readonly string[];
	rules: EgressRules;
	fetch?: typeof globalThis.fetch | undefined;
	/** Whether to take what a server sends unasked. Who lists tools and leaves would not read it. */
	listens?: boolean;
	deadline: Deadline;
	trace: Trace;
};

/** What has been seen of a server: how the latest exchange ended, and how far things have come at all. */
export type Sighting = Seen & {
	/** The transport was ready to send messages. */
	hasStarted: boolean;
	hasAnswered: boolean;
	/** The server has opened a session of the session era. */
	hasSession: boolean;
	/** The latest answer was a bare acknowledgement. */
	isAccepted: boolean;
	/** The latest answer was one message, or one list of them, and nothing can follow it. */
	isWhole: boolean;
	/** What the whole attempt has cost so far: requests sent, bytes and messages received. */
	requests: number;
	bytes: number;
	messages: number;
};

export const nothingSeen = (): Sighting => ({
	hasStarted: false,
	hasAnswered: false,
	hasSession: false,
	isAccepted: false,
	isWhole: false,
	requests: 0,
	bytes: 0,
	messages: 0,
});

/**
 * The guarded way to a server, for the client library to send all its requests with: each one bounded, checked at every
 * hop, and written into the trace.
 */
export function createExchange(options: ExchangeOptions, seen: Sighting): FetchLike {
	const { transport, rules, deadline, trace } = options;
	// The session is a credential too.
	const secretHeaders = [...options.secretHeaders, "mcp-session-id"];
	const note = (failure: ConnectFailure): void => {
		seen.failure = failure;
	};

	return async (url, init = {}) => {
		const method = init.method ?? "GET";
		const headers = new Headers(init.headers);
		if (transport === "streamable_http" && method === "GET" && !options.listens && isIdleStream(headers))
			return new Response(null, { status: 405 });
		if (++seen.requests > MAX_REQUESTS)
			deadline.fail(
				new ConnectFailure("unsupported_contract", `The server takes more than ${MAX_REQUESTS} requests`),
			);
		deadline.signal.throwIfAborted();
		let answers = 0;
		const describe = describeHops(trace, methodOf(init.body) ?? method);
		try {
			const response = await guardedFetch(
				{ url, method, headers, secretHeaders, ...(init.body && { body: init.body as EgressBody }) },
				{
					...{ ...rules, fetch: options.fetch, timeoutMs: deadline.remainingMs() },
					maxResponseBytes: Math.max(0, Math.min(MAX_ANSWER_BYTES, MAX_TOTAL_BYTES - seen.bytes)),
					signal: init.signal ? AbortSignal.any([init.signal, deadline.signal]) : deadline.signal,
					onEvent: (event) => {
						if (event.type === "response") answers++;
						describe(event);
					},
				},
			);
			seen.status = response.ok ? undefined : response.status;
			seen.isAccepted = response.status === 202;
			seen.isWhole = /^application\/json\b/i.test(response.headers.get("content-type") ?? "");
			seen.hasSession ||= response.headers.has("mcp-session-id");
			seen.retryAfter = response.headers.get("retry-after");
			seen.challenge = response.headers.get("www-authenticate");
			if (transport === "sse" && method === "GET" && response.ok) awaitEndpoint(seen, deadline);
			return watchBody(response, {
				onBytes: (count) => {
					seen.bytes += count;
				},
				onError: (error) => {
					if (error instanceof EgressError) note(fromEgress(error));
				},
				onEnd: () => {
					if (transport === "sse" && method === "GET") note(brokenOff());
				},
			});
		} catch (error) {
			if (error instanceof EgressError) note(fromEgress(error, { isRedirected: answers > 0 }));
			throw error;
		} finally {
			seen.hasAnswered ||= answers > 0;
		}
	};
}

/** Ends an attempt whose stream stays silent, as that of a server of the newer transport does. */
function awaitEndpoint(seen: Sighting, deadline: Deadline): void {
	const reason = `The server's stream names no endpoint within ${ENDPOINT_MS / 1000} seconds`;
	const advice = "Check that transport is the one the server speaks: most speak streamable_http now.";
	const timer = setTimeout(() => {
		if (!seen.hasStarted) deadline.fail(new ConnectFailure("protocol_error", reason, { advice }));
	}, ENDPOINT_MS);
	deadline.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}

/** The stream that a session has beside its requests. */
const isIdleStream = (headers: Headers): boolean =>
	headers.get("accept") === "text/event-stream" && !headers.has("last-event-id");

export const brokenOff = (): ConnectFailure =>
	new ConnectFailure("connect_failed", "The connection ended before the answer was complete");

/** Writes each hop of a request down: the names of its headers, never their values. */
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
		const note = isRefusal ? refusalOf(name) : "";
		trace.add("received", name, `HTTP ${event.status} after ${Date.now() - sentAt} ms${note}`);
	};
}

/** What a refusal of a method means where that is no fault: servers with sessions do not know the first request. */
export const refusalOf = (method: string): string =>
	method === "server/discover" ? " (usual for a server of an older protocol version)" : "";

/** The JSON-RPC method of a message; undefined for anything else, such as an answer to the server. */
function methodOf(body: unknown): string | undefined {
	if (typeof body !== "string") return undefined;
	try {
		const { method } = JSON.parse(body) as { method?: unknown };
		return typeof method === "string" ? method : undefined;
	} catch {
		return undefined;
	}
}
