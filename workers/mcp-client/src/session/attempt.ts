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
import { ConnectFailure, isOfTheWay, toConnectError } from "./connect-failure.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { nothingSeen, type Sighting } from "./exchange.ts";
import { valuesToScrub } from "./known-values.ts";
import { emptyListing, type Listing, listTools } from "./list-tools.ts";
import { openSession, type Session } from "./open-session.ts";
import { explainRefusal } from "./refused-credentials.ts";
import { toFailure } from "./sdk-errors.ts";
import { resolveTarget, type Target, type Vault } from "./target.ts";
import { createTrace, type Trace } from "./trace.ts";

/** The whole of an attempt; what is left of the promised 15 seconds is for storing what it found. */
const ATTEMPT_MS = 14_000;

export type AttemptInput = {
	config: ServerConfig;
	vault: Vault;
	/** What is known of the server's era from before. */
	prior: PriorDiscovery | undefined;
	rules: EgressRules;
	fetch?: typeof globalThis.fetch | undefined;
	clock: () => Date;
	/** Aborts when nobody waits for what is found any more: the attempt ends as failed. */
	superseded?: AbortSignal | undefined;
};

export type Attempt = Omit<ConnectResult, "changes"> & {
	/** The server's own word on how long its list stays fresh. */
	ttlMs: number | undefined;
	/** What the server asked to wait before it is tried again. */
	retryAfterMs: number | undefined;
	/** What may be known of the server's era next time, when it connected. */
	prior: PriorDiscovery | undefined;
};

type Progress = {
	stage: ConnectStage;
	seen: Sighting;
	listing: Listing;
	session?: Session;
};

/**
 * Connects to a server, lists its tools and leaves. Never throws for what a server does, and never takes longer than
 * `ATTEMPT_MS`; every text of the server in the result is scrubbed of the vault's values.
 */
export async function attemptConnection(input: AttemptInput): Promise<Attempt> {
	const { clock, vault } = input;
	const scrubber = createScrubber(valuesToScrub(input.config, vault));
	const secrets = new Map(Array.from(vault).filter(([, { kind }]) => kind === "secret"));
	const trace = createTrace(clock, scrubber.text, createScrubber(valuesToScrub(input.config, secrets)).text);
	const deadline = startDeadline(ATTEMPT_MS);
	const giveUp = (): void =>
		deadline.fail(
			new ConnectFailure("timeout", "The configuration was changed before the server had answered"),
		);
	if (input.superseded?.aborted) giveUp();
	input.superseded?.addEventListener("abort", giveUp);
	const progress: Progress = {
		stage: "resolve",
		seen: nothingSeen(),
		listing: emptyListing(),
	};
	const startedAt = Date.now();
	let failure: ConnectFailure | undefined;
	let target: Target | undefined;
	try {
		target = resolveTarget(input.config, vault);
		await connectAndList({ ...input, target, deadline, trace, scrub: scrubber.json }, progress);
	} catch (error) {
		failure = toFailure(error, progress.seen, clock());
		if (target && failure.code === "unauthorized") {
			const { auth } = input.config;
			const { challenge } = progress.seen;
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
	// A closed session has forgotten whom it spoke with.
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
		prior: failure ? undefined : priorOf(progress.session, scrubber.json),
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
		const again = secondTry(work, progress.seen, toFailure(error, progress.seen, work.clock()));
		if (!again) throw error;
		await progress.session?.close();
		progress.session = undefined;
		progress.listing = emptyListing();
		await open(work, progress, again.prior);
		await list(work, progress);
	}
}

async function open(work: Work, progress: Progress, prior: PriorDiscovery | undefined): Promise<void> {
	progress.stage = "initialize";
	progress.session = await openSession({ ...work, prior }, progress.seen);
}

async function list(work: Work, progress: Progress): Promise<void> {
	progress.stage = "list_tools";
	if (progress.session) await listTools(progress.session.client, progress.listing, work);
}

/** Answers that another era would explain. */
const MISUNDERSTOOD: readonly string[] = ["protocol_error", "unsupported_contract", "http_error"];

/** What was believed of a server's era, and does not hold, is found out again; a session that it has lost is opened anew. */
function secondTry(
	{ deadline, target, prior }: Work,
	seen: Sighting,
	{ code, details }: ConnectFailure,
): { prior?: PriorDiscovery } | undefined {
	if (deadline.signal.aborted || target.transport === "sse") return undefined;
	if (prior && MISUNDERSTOOD.includes(code)) return {};
	return details.httpStatus === 404 && seen.hasSession ? { prior: { kind: "legacy" } } : undefined;
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
	{ stage, seen }: Progress,
	transport: McpTransport,
	{ line }: Trace,
): ConnectError {
	const isReached = seen.hasStarted && (seen.hasAnswered || !isOfTheWay(failure));
	const reached = stage === "initialize" && !isReached ? "connect" : stage;
	const { code, message, details } = failure;
	const error = toConnectError(
		stage === "initialize" && NOT_OFFERED.has(details.httpStatus ?? 0)
			? new ConnectFailure(code, message, { ...details, advice: OTHER_TRANSPORT[transport] })
			: failure,
		reached,
	);
	return { ...error, message: line(error.message, 500) };
}

/** What a server of one transport answers at its address to a request of the other. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);
const OTHER_TRANSPORT: Record<McpTransport, string> = {
	streamable_http:
		"Check url_template, the server's own log, and transport: an address that ends in /sse mostly speaks sse.",
	sse: "Check url_template, the server's own log, and transport: most servers speak streamable_http now.",
};

/** A description longer than this is asked for again each time. */
const MAX_PRIOR_CHARS = 64 * 1024;

function priorOf(session: Session | undefined, scrub: Work["scrub"]): PriorDiscovery | undefined {
	if (!session) return undefined;
	if (!session.discover) return { kind: "legacy" };
	const discover = scrub(session.discover) as DiscoverResult;
	return JSON.stringify(discover).length <= MAX_PRIOR_CHARS ? { kind: "modern", discover } : undefined;
}
