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
import { createExchange, type ExchangeOptions, type Observations } from "./exchange.ts";
import { ObservedTransport } from "./observed-transport.ts";
import { isInconclusive, toFailure } from "./sdk-errors.ts";
import type { Target } from "./target.ts";

export const REQUEST_MS = 10_000;
/** Time limit for detecting a server's protocol era. A plain handshake still has its whole time after it. */
const ERA_PROBE_MS = 4_000;
const CLOSE_MS = 1_000;

export type SessionOptions = Omit<ExchangeOptions, "transport" | "secretHeaders"> & {
	target: Target;
	/** Protocol era detected by an earlier attempt. If absent, it is detected now. */
	prior?: PriorDiscovery | undefined;
	/** Client options, for callers that do more than list tools. */
	client?: ClientOptions;
	authProvider?: OAuthClientProvider;
};

export type Session = {
	client: Client;
	/** Present when the server speaks the stateless era. */
	discover: DiscoverResult | undefined;
	/** Ends the session, and waits at most a second for the server's confirmation. */
	close: () => Promise<void>;
};

/**
 * Connects to a server and negotiates a protocol version of either era. Fills `observed` even if it fails.
 * @throws the client library's errors, which `toFailure` interprets.
 */
export async function openSession(options: SessionOptions, observed: Observations): Promise<Session> {
	const { deadline, target } = options;
	if (target.transport === "sse") return connect(options, observed, { kind: "legacy" });
	if (options.prior) return connect(options, observed, options.prior);
	try {
		return await connect(options, observed, undefined);
	} catch (error) {
		// Servers of the session era may fail in any way at an unknown request.
		if (deadline.signal.aborted || !isInconclusive(toFailure(error, observed, new Date()))) throw error;
		return connect(options, observed, { kind: "legacy" });
	}
}

async function connect(
	options: SessionOptions,
	observed: Observations,
	prior: PriorDiscovery | undefined,
): Promise<Session> {
	const { deadline } = options;
	const http = createTransport(options, observed);
	const transport = new ObservedTransport(http, { trace: options.trace, observed, deadline });
	const client = new Client(
		{ name: "parley", version: "1.0.0" },
		{ versionNegotiation: { mode: "auto", probe: { timeoutMs: ERA_PROBE_MS } }, ...options.client },
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

function createTransport({ target, ...options }: SessionOptions, observed: Observations): Transport {
	const { url, transport, secretHeaders } = target;
	const fetch = createExchange({ ...options, transport, secretHeaders }, observed);
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
		const timeLimit = new Promise((resolve) =>
			setTimeout(resolve, Math.min(CLOSE_MS, deadline.remainingMs())),
		);
		await Promise.race([http.terminateSession().catch(() => undefined), timeLimit]);
	}
	await client.close().catch(() => undefined);
}
