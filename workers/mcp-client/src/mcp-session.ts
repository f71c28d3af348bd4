import { DurableObject } from "cloudflare:workers";
import type { PriorDiscovery } from "@modelcontextprotocol/client";
import { logError } from "@parley/context/log";
import type { CapabilityStatus, ConnectResult } from "@parley/contracts/agents/mcp-servers";
import type { McpServerRef } from "@parley/contracts/internal/mcp-client-rpc";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { egressRules } from "@parley/egress/egress-rules";
import { configOf, liveServer, type ServerRow } from "@parley/mcp-servers/server-row";
import { isReferenced } from "@parley/mcp-servers/usage";
import { openEntries } from "@parley/vault-entries/entries";
import { sql } from "drizzle-orm";
import { NO_CHANGES } from "./catalog/catalog-diff.ts";
import { recordAttempt, recordPlan } from "./catalog/record-attempt.ts";
import { type Ctx, contextOf } from "./context.ts";
import { admit, admitAsked, type Breaker, CLOSED, settle } from "./refresh/breaker.ts";
import { outcomeOf, statusAfter } from "./refresh/capability-status.ts";
import { circuitOpen } from "./refresh/circuit-open.ts";
import { catchUpAt, firstRefreshAt, nextRefreshAt } from "./refresh/refresh-schedule.ts";
import type { Attempt } from "./session/attempt.ts";
import { vaultNamesOf } from "./session/target.ts";

/** What is known of a server between attempts, for one revision of its configuration. */
type State = {
	revision: number;
	breaker: Breaker;
	/** When somebody's connect last went past the open circuit. */
	forcedAt?: number | undefined;
	era?: { prior: PriorDiscovery; foundAt: number };
};

type Running = { revision: number; attempt: Promise<ConnectResult>; superseded: AbortController };

/** A server is upgraded now and then; what it spoke longer ago than this is found out again. */
const ERA_MS = 24 * 60 * 60_000;
/** A server that nothing references is still tried again for a while after somebody has asked for it. */
const INTEREST_MS = 24 * 60 * 60_000;
const RETRY_ALARM_MS = 60_000;

/**
 * Speaks with one MCP server; named `organisation/server`. The single writer of its breaker, of what is known of its era,
 * of its refresh alarm, and of the capabilities in its record. One attempt runs at a time, whoever asks.
 */
export class McpSession extends DurableObject<Env> {
	#running: Running | undefined;
	#deciding: Promise<unknown> = Promise.resolve();

	/**
	 * Connects now for a person, also while the circuit is open, but then once in five seconds at most.
	 * @returns null when there is no such server.
	 */
	async connectNow(ref: McpServerRef): Promise<ConnectResult | null> {
		const ctx = this.#enter(ref);
		const server = await readServer(ctx, ref);
		if (!server) return null;
		const now = Date.now();
		this.ctx.storage.kv.put("askedAt", now);
		const running = this.#runningFor(server);
		if (running) return running;
		const state = this.#state(server);
		const admission = admitAsked(state.breaker, state.forcedAt, now);
		if (!admission.isAdmitted) return circuitOpen(admission.retryAt, now, server.capabilityError);
		const { breaker, forcedAt = state.forcedAt } = admission;
		return this.#attempt(ctx, server, { state: { ...state, breaker, forcedAt }, isAsked: true });
	}

	/** Called when a server gets referenced: sees to it that it is refreshed from now on. */
	async watch(ref: McpServerRef): Promise<void> {
		const ctx = this.#enter(ref);
		await this.#inTurn(async () => {
			if ((await this.ctx.storage.getAlarm()) !== null) return;
			const server = await readServer(ctx, ref);
			if (!server) return;
			const observedAt = Date.parse(server.capabilityObservedAt ?? "") || 0;
			await this.#plan(ctx, ref.serverId, firstRefreshAt(observedAt, Date.now(), Math.random()));
		});
	}

	/** Called after a change of the configuration: what was found before may not hold. */
	async reconfigure(ref: McpServerRef): Promise<void> {
		const ctx = this.#enter(ref);
		await this.#inTurn(async () =>
			this.#plan(ctx, ref.serverId, (await this.#isReferenced(ctx, ref)) ? soon() : null),
		);
	}

	/** Called when the server was deleted. */
	async forget(): Promise<void> {
		await this.ctx.storage.deleteAlarm();
		await this.ctx.storage.deleteAll();
	}

	override async alarm(): Promise<void> {
		const ref = this.ctx.storage.kv.get<McpServerRef>("ref");
		if (!ref) return;
		try {
			await this.#refresh(this.#enter(ref), ref);
		} catch (error) {
			log(error);
			// The platform gives an alarm that throws up after some tries; a refresh must go on.
			await this.ctx.storage.setAlarm(Date.now() + RETRY_ALARM_MS * (1 + Math.random()));
		}
	}

	async #refresh(ctx: Ctx, ref: McpServerRef): Promise<void> {
		const server = await readServer(ctx, ref);
		if (!server) return this.forget();
		const dueAt = this.ctx.storage.kv.get<number>("dueAt") ?? Date.now();
		const later = catchUpAt(dueAt, Date.now(), Math.random());
		if (later !== undefined) return this.#plan(ctx, server.id, later);
		const isWatched = await this.#inTurn(async () => {
			if (await this.#isWatched(ctx, ref, this.#state(server).breaker)) return true;
			await this.#plan(ctx, server.id, null);
			return false;
		});
		if (!isWatched) return;
		const running = this.#runningFor(server);
		if (running) return void (await running);
		const state = this.#state(server);
		const admission = admit(state.breaker, Date.now());
		if (!admission.isAdmitted) return this.#inTurn(() => this.#plan(ctx, server.id, admission.retryAt));
		await this.#attempt(ctx, server, { state: { ...state, breaker: admission.breaker }, isAsked: false });
	}

	/** The running attempt for this configuration of a server or a newer one. */
	#runningFor({ revision }: ServerRow): Promise<ConnectResult> | undefined {
		return this.#running && this.#running.revision >= revision ? this.#running.attempt : undefined;
	}

	/** @param options.state as the breaker has admitted it */
	#attempt(
		ctx: Ctx,
		server: ServerRow,
		{ state, isAsked }: { state: State; isAsked: boolean },
	): Promise<ConnectResult> {
		// What it would find is of no use any more, and each attempt may hold megabytes.
		this.#running?.superseded.abort();
		const superseded = new AbortController();
		// Kept before anything is sent, so that a crash counts as a probe that never reported.
		this.#keep(state);
		const attempt = this.#run(ctx, server, { state, isAsked, superseded: superseded.signal }).finally(() => {
			if (this.#running?.attempt === attempt) this.#running = undefined;
		});
		this.#running = { revision: server.revision, attempt, superseded };
		return attempt;
	}

	async #run(
		ctx: Ctx,
		server: ServerRow,
		{ state, isAsked, superseded }: { state: State; isAsked: boolean; superseded: AbortSignal },
	): Promise<ConnectResult> {
		const config = configOf(server);
		// Loaded with the first attempt: the library takes most of the worker's start-up, and other calls do not need it.
		const { attemptConnection } = await import("./session/attempt.ts");
		const attempt = await attemptConnection({
			config,
			vault: await openEntries(ctx, vaultNamesOf(config)),
			// Who asks wants to see how the server is now; a refresh may go the short way.
			prior: isAsked ? undefined : freshPrior(state),
			rules: egressRules(ctx.env),
			clock: ctx.clock,
			superseded,
		});
		return this.#conclude(ctx, server, state, attempt);
	}

	async #conclude(ctx: Ctx, server: ServerRow, before: State, attempt: Attempt): Promise<ConnectResult> {
		const now = Date.now();
		const outcome = attempt.error ? outcomeOf(attempt.error) : "answered";
		const breaker = settle(before.breaker, outcome, now);
		const era = attempt.prior && { prior: attempt.prior, foundAt: eraFoundAt(before, attempt.prior, now) };
		this.#keep({ revision: before.revision, breaker, forcedAt: before.forcedAt, ...(era && { era }) });

		const ref = { organisationId: server.organisationId, serverId: server.id };
		const dueAt = nextRefreshAt({
			...{ now, random: Math.random(), ttlMs: attempt.ttlMs, retryAfterMs: attempt.retryAfterMs, breaker },
			isTransportFailure: outcome === "transport_failure",
		});
		const changes = await this.#inTurn(async () => {
			const verdict = {
				status: statusOf(attempt, breaker, now),
				nextRefreshAt: (await this.#isWatched(ctx, ref, breaker)) ? dueAt : null,
			};
			const changes = await recordAttempt(ctx, server, attempt, verdict);
			// Otherwise the server was changed or deleted meanwhile, and whoever did that plans anew.
			if (changes) await this.#setAlarm(verdict.nextRefreshAt);
			else if (!(await readServer(ctx, ref))) await this.forget();
			return changes;
		});
		const { ttlMs, retryAfterMs, prior, ...result } = attempt;
		return { ...result, changes: changes ?? NO_CHANGES };
	}

	/** The breaker and the era of another configuration say nothing about this one. */
	#state({ revision }: ServerRow): State {
		const state = this.ctx.storage.kv.get<State>("state");
		return state?.revision === revision ? state : { revision, breaker: CLOSED };
	}

	/** An attempt may outlast its configuration, of which nobody wants to know any more then. */
	#keep(state: State): void {
		const kept = this.ctx.storage.kv.get<State>("state");
		if (!kept || kept.revision <= state.revision) this.ctx.storage.kv.put("state", state);
	}

	/**
	 * Whether a server is looked at again is found out and carried out in one turn. Otherwise an attempt that has found it
	 * unused would take back what `watch` has set for somebody who came to use it meanwhile.
	 */
	#inTurn<T>(decide: () => Promise<T>): Promise<T> {
		const turn = this.#deciding.then(decide);
		this.#deciding = turn.catch(() => undefined);
		return turn;
	}

	/** An open breaker is followed up even when nothing references the server, so that its record does not stay so. */
	async #isWatched(ctx: Ctx, ref: McpServerRef, breaker: Breaker): Promise<boolean> {
		const askedAt = this.ctx.storage.kv.get<number>("askedAt") ?? 0;
		if (breaker.state !== "closed" && Date.now() - askedAt < INTEREST_MS) return true;
		return this.#isReferenced(ctx, ref);
	}

	async #isReferenced(ctx: Ctx, { serverId }: McpServerRef): Promise<boolean> {
		const found = await ctx.db.get<{ held: number }>(sql`select ${isReferenced(ctx, serverId)} as held`);
		return found?.held === 1;
	}

	async #plan(ctx: Ctx, serverId: string, dueAt: number | null): Promise<void> {
		await this.#setAlarm(dueAt);
		await recordPlan(ctx, serverId, dueAt);
	}

	async #setAlarm(dueAt: number | null): Promise<void> {
		if (dueAt === null) return this.ctx.storage.deleteAlarm();
		this.ctx.storage.kv.put("dueAt", dueAt);
		await this.ctx.storage.setAlarm(dueAt);
	}

	/** Returns the context of the organisation that the server belongs to. An alarm has nothing but what the object keeps. */
	#enter(ref: McpServerRef): Ctx {
		if (!this.ctx.storage.kv.get("ref")) this.ctx.storage.kv.put("ref", ref);
		return contextOf(this.env, ref.organisationId);
	}
}

/** Returns the object that holds the connection to a server. */
export const sessionOf = (
	env: Env,
	{ organisationId, serverId }: McpServerRef,
): DurableObjectStub<McpSession> => env.MCP_SESSION.getByName(`${organisationId}/${serverId}`);

const soon = (): number => Date.now() + 2_000 + Math.random() * 8_000;

const freshPrior = ({ era }: State): PriorDiscovery | undefined =>
	era && Date.now() - era.foundAt < ERA_MS ? era.prior : undefined;

/** An attempt that took an era for granted has not found it out again. */
const eraFoundAt = ({ era }: State, prior: PriorDiscovery, now: number): number =>
	era && era.prior.kind === prior.kind && now - era.foundAt < ERA_MS ? era.foundAt : now;

function statusOf({ error }: Attempt, breaker: Breaker, now: number): CapabilityStatus {
	if (!error) return "healthy";
	return breaker.state === "open" && breaker.until > now ? "circuit_open" : statusAfter(error);
}

async function readServer(ctx: Ctx, { serverId }: McpServerRef): Promise<ServerRow | undefined> {
	const [row] = await ctx.db.select().from(mcpServers).where(liveServer(ctx, serverId));
	return row;
}

const log = (error: unknown): void => logError("MCP_SESSION", error);
