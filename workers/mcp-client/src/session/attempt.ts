import type { DiscoverResult, PriorDiscovery } from "@modelcontextprotocol/client";
import type {
	ConnectError,
	ConnectResult,
	ConnectStage,
	McpTransport,
} from "@parley/contracts/agents/mcp-servers";
import type { EgressRules } from "@parley/egress/egress-rules";
import type { ServerConfig } from "@parley/mcp-servers/server-row";
import { createScrubber } from "@parley/vault/scrub/scrub";
import { ConnectFailure, isConnectionFailure, toConnectError } from "./connect-failure.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { noObservations, type Observations } from "./exchange.ts";
import { valuesToScrub } from "./known-values.ts";
import { emptyListing, type Listing, listTools } from "./list-tools.ts";
import { openSession, type Session } from "./open-session.ts";
import { explainRefusal } from "./refused-credentials.ts";
import { toFailure } from "./sdk-errors.ts";
import { resolveTarget, type Target, type Vault } from "./target.ts";
import { createTrace, type Trace } from "./trace.ts";

/** Time limit of an attempt. The rest of the promised 15 seconds is for storing its result. */
const ATTEMPT_MS = 14_000;

export type AttemptInput = {
	config: ServerConfig;
	vault: Vault;
	/** Protocol era detected by an earlier attempt. */
	prior: PriorDiscovery | undefined;
	rules: EgressRules;
	fetch?: typeof globalThis.fetch | undefined;
	clock: () => Date;
	/** Aborts when a newer configuration replaces this one. The attempt then fails. */
	superseded?: AbortSignal | undefined;
};

export type Attempt = Omit<ConnectResult, "changes"> & {
	/** Time for which the server declares its list fresh. */
	ttlMs: number | undefined;
	/** Time that the server asked to wait before the next attempt. */
	retryAfterMs: number | undefined;
	/** Protocol era for the next attempt to reuse; undefined when this attempt failed. */
	prior: PriorDiscovery | undefined;
};

type Progress = {
	stage: ConnectStage;
	observed: Observations;
	listing: Listing;
	session?: Session;
};

/**
 * Connects to a server, lists its tools and disconnects. Reports a server's failures in the result instead of throwing, and
 * ends after `ATTEMPT_MS` at the latest. Scrubs the vault's values from every text of the server.
 */
export async function attemptConnection(input: AttemptInput): Promise<Attempt> {
	const { clock, vault } = input;
	const scrubber = createScrubber(valuesToScrub(input.config, vault));
	const secrets = new Map(Array.from(vault).filter(([, { kind }]) => kind === "secret"));
	const trace = createTrace(clock, scrubber.text, createScrubber(valuesToScrub(input.config, secrets)).text);
	const deadline = startDeadline(ATTEMPT_MS);
	const failAsSuperseded = (): void =>
		deadline.fail(new ConnectFailure("timeout", "The configuration was changed before the server answered"));
	if (input.superseded?.aborted) failAsSuperseded();
	input.superseded?.addEventListener("abort", failAsSuperseded);
	const progress: Progress = {
		stage: "resolve",
		observed: noObservations(),
		listing: emptyListing(),
	};
	const startedAt = Date.now();
	let failure: ConnectFailure | undefined;
	let target: Target | undefined;
	try {
		target = resolveTarget(input.config, vault);
		await connectAndList({ ...input, target, deadline, trace, scrub: scrubber.json }, progress);
	} catch (error) {
		failure = toFailure(error, progress.observed, clock());
		if (target && failure.code === "unauthorized") {
			const { auth } = input.config;
			const { challenge } = progress.observed;
			failure = await explainRefusal(failure, {
				...input,
				url: target.url,
				auth,
				challenge,
				deadline,
				trace,
			});
		}
	}
	const latencyMs = Date.now() - startedAt;
	// A closed session no longer knows its server.
	const peer = describeSession(progress.session, trace);
	await progress.session?.close();
	deadline.end();
	const { ttlMs, ...capabilities } = progress.listing;
	return {
		status: failure ? "failed" : "connected",
		latency_ms: latencyMs,
		...peer,
		capabilities,
		events: trace.events,
		error: failure ? describeFailure(failure, progress, input.config.transport, trace) : null,
		ttlMs,
		retryAfterMs: failure?.details.retryAfterMs,
		prior: failure ? undefined : discoveryToKeep(progress.session, scrubber.json),
	};
}

type Work = AttemptInput & {
	target: Target;
	deadline: Deadline;
	trace: Trace;
	scrub: (value: unknown) => unknown;
};

async function connectAndList(work: Work, progress: Progress): Promise<void> {
	try {
		await open(work, progress, work.prior);
		await list(work, progress);
	} catch (error) {
		const retry = planRetry(work, progress.observed, toFailure(error, progress.observed, work.clock()));
		if (!retry) throw error;
		await progress.session?.close();
		progress.session = undefined;
		progress.listing = emptyListing();
		await open(work, progress, retry.prior);
		await list(work, progress);
	}
}

async function open(work: Work, progress: Progress, prior: PriorDiscovery | undefined): Promise<void> {
	progress.stage = "initialize";
	progress.session = await openSession({ ...work, prior }, progress.observed);
}

async function list(work: Work, progress: Progress): Promise<void> {
	progress.stage = "list_tools";
	if (progress.session) await listTools(progress.session.client, progress.listing, work);
}

/** Failures that a wrong era would explain. */
const WRONG_ERA_CODES: readonly string[] = ["protocol_error", "unsupported_contract", "http_error"];

/** Decides whether to retry once: without the reused era if it may be wrong, or with a new session if the server lost it. */
function planRetry(
	{ deadline, target, prior }: Work,
	observed: Observations,
	{ code, details }: ConnectFailure,
): { prior?: PriorDiscovery } | undefined {
	if (deadline.signal.aborted || target.transport === "sse") return undefined;
	if (prior && WRONG_ERA_CODES.includes(code)) return {};
	return details.httpStatus === 404 && observed.hasSession ? { prior: { kind: "legacy" } } : undefined;
}

function describeSession(session: Session | undefined, { line }: Trace) {
	const server = session?.client.getServerVersion();
	const era = session?.client.getProtocolEra();
	return {
		server_info: server
			? {
					name: line(server.name),
					version: line(server.version),
					title: server.title ? line(server.title) : null,
				}
			: null,
		protocol_version: session?.client.getNegotiatedProtocolVersion() ?? null,
		era: era ? ({ modern: "stateless", legacy: "session" } as const)[era] : null,
	};
}

function describeFailure(
	failure: ConnectFailure,
	{ stage, observed }: Progress,
	transport: McpTransport,
	{ line }: Trace,
): ConnectError {
	const isReached = observed.hasStarted && (observed.hasAnswered || !isConnectionFailure(failure));
	const reached = stage === "initialize" && !isReached ? "connect" : stage;
	const { code, message, details } = failure;
	const error = toConnectError(
		stage === "initialize" && WRONG_TRANSPORT_STATUSES.has(details.httpStatus ?? 0)
			? new ConnectFailure(code, message, { ...details, advice: TRANSPORT_ADVICE[transport] })
			: failure,
		reached,
	);
	return { ...error, message: line(error.message, 500) };
}

/** HTTP statuses with which a server answers a request of the other transport. */
const WRONG_TRANSPORT_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);
const TRANSPORT_ADVICE: Record<McpTransport, string> = {
	streamable_http:
		"Check url_template, the server's own log, and transport: servers at addresses that end in /sse usually speak sse.",
	sse: "Check url_template, the server's own log, and transport: most servers speak streamable_http now.",
};

/** Maximum length of a server's description that is stored for reuse. A longer one is requested each time. */
const MAX_PRIOR_CHARS = 64 * 1024;

function discoveryToKeep(session: Session | undefined, scrub: Work["scrub"]): PriorDiscovery | undefined {
	if (!session) return undefined;
	if (!session.discover) return { kind: "legacy" };
	const discover = scrub(session.discover) as DiscoverResult;
	return JSON.stringify(discover).length <= MAX_PRIOR_CHARS ? { kind: "modern", discover } : undefined;
}
