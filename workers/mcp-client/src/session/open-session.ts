import {
	Client,
	type ClientOptions,
	type DiscoverResult,
	type OAuthClientProvider,
	type PriorDiscovery,
	SSEClientTransport,
	StreamableHTTPClientTransport,
	type Transport,
} from "@modelcontextprotocol/client";
import type { Deadline } from "./deadline.ts";
import { createExchange, type ExchangeOptions, type Sighting } from "./exchange.ts";
import { ObservedTransport } from "./observed-transport.ts";
import { isInconclusive, toFailure } from "./sdk-errors.ts";
import type { Target } from "./target.ts";

export const REQUEST_MS = 10_000;
/** For finding out which era of the protocol a server speaks; a plain handshake still has its whole time after it. */
const PROBE_MS = 4_000;
const CLOSE_MS = 1_000;

export type SessionOptions = Omit<ExchangeOptions, "transport" | "secretHeaders"> & {
	target: Target;
	/** What is known of the server's era from before; absent, it is found out. */
	prior?: PriorDiscovery | undefined;
	/** For callers that do more than list tools. */
	client?: ClientOptions;
	authProvider?: OAuthClientProvider;
};

export type Session = {
	client: Client;
	/** Present when the server speaks the stateless era. */
	discover: DiscoverResult | undefined;
	/** Takes leave of the server, and waits for it a moment at most. */
	close: () => Promise<void>;
};

/**
 * Connects to a server and agrees on a version of the protocol, of either era. `seen` is filled also when that fails.
 * @throws what the client library throws; `toFailure` says what it means.
 */
export async function openSession(options: SessionOptions, seen: Sighting): Promise<Session> {
	const { deadline, target } = options;
	if (target.transport === "sse") return connect(options, seen, { kind: "legacy" });
	if (options.prior) return connect(options, seen, options.prior);
	try {
		return await connect(options, seen, undefined);
	} catch (error) {
		// Servers of the session era may fail in any way at a request they do not know.
		if (deadline.signal.aborted || !isInconclusive(toFailure(error, seen, new Date()))) throw error;
		return connect(options, seen, { kind: "legacy" });
	}
}

async function connect(
	options: SessionOptions,
	seen: Sighting,
	prior: PriorDiscovery | undefined,
): Promise<Session> {
	const { deadline } = options;
	const http = createTransport(options, seen);
	const transport = new ObservedTransport(http, { trace: options.trace, seen, deadline });
	const client = new Client(
		{ name: "parley", version: "1.0.0" },
		{ versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } }, ...options.client },
	);
	try {
		const timeout = Math.min(REQUEST_MS, deadline.remainingMs());
		await deadline.race(client.connect(transport, { timeout, ...(prior && { prior }) }));
	} catch (error) {
		await client.close().catch(() => undefined);
		throw error;
	}
	return { client, discover: client.getDiscoverResult(), close: () => close(client, http, deadline) };
}

function createTransport({ target, ...options }: SessionOptions, seen: Sighting): Transport {
	const { url, transport, secretHeaders } = target;
	const fetch = createExchange({ ...options, transport, secretHeaders }, seen);
	const headers = new Headers({ "user-agent": "Parley/1.0" });
	for (const [name, value] of target.headers) headers.set(name, value);
	const shared = {
		fetch,
		requestInit: { headers },
		// The exchange follows redirects itself and checks each of them.
		redirectPolicy: "follow",
		...(options.authProvider && { authProvider: options.authProvider }),
	} as const;
	return transport === "sse"
		? new SSEClientTransport(url, shared)
		: new StreamableHTTPClientTransport(url, shared);
}

async function close(client: Client, http: Transport, deadline: Deadline): Promise<void> {
	if (http instanceof StreamableHTTPClientTransport && http.sessionId !== undefined) {
		const patience = new Promise((resolve) =>
			setTimeout(resolve, Math.min(CLOSE_MS, deadline.remainingMs())),
		);
		await Promise.race([http.terminateSession().catch(() => undefined), patience]);
	}
	await client.close().catch(() => undefined);
}
