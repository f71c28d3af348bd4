import { DurableObject } from "cloudflare:workers";
import type { PriorDiscovery } from "@modelcontextprotocol/client";
import { logError } from "@parley/context/log";
import type { CapabilityStatus, ConnectResult } from "@parley/contracts/agents/mcp-servers";
import type {
	McpCallOutcome,
	McpServerRef,
	McpToolCall,
	ProgressNotice,
} from "@parley/contracts/internal/mcp-client-rpc";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { egressRules } from "@parley/egress/egress-rules";
import { configOf, liveServer, type ServerRow } from "@parley/mcp-servers/server-row";
import { isReferenced } from "@parley/mcp-servers/usage";
import { type OpenedEntry, openEntries } from "@parley/vault-entries/entries";
import { sql } from "drizzle-orm";
import { circuitOpenAnswer, outcomeOfCall } from "./calls/call-outcome.ts";
import type { ToolCallInput } from "./calls/call-tool.ts";
import { NO_CHANGES } from "./catalog/catalog-diff.ts";
import { recordAttempt, recordNextRefresh } from "./catalog/record-attempt.ts";
import { type Ctx, contextOf } from "./context.ts";
import { admit, admitManual, type Breaker, breakerAfter, CLOSED } from "./refresh/breaker.ts";
import { outcomeOf, statusAfter } from "./refresh/capability-status.ts";
import { toCircuitOpenResult } from "./refresh/circuit-open.ts";
import { catchUpAt, firstRefreshAt, nextRefreshAt } from "./refresh/refresh-schedule.ts";
import type { Attempt } from "./session/attempt.ts";
import { vaultNamesOf } from "./session/target.ts";

/** State of a server's connection between attempts, for one revision of its configuration. */
type State = {
	revision: number;
	breaker: Breaker;
	/** Time of the last manual connect that bypassed the open circuit. */
	forcedAt?: number | undefined;
	era?: { prior: PriorDiscovery; foundAt: number };
};

type Running = { revision: number; attempt: Promise<ConnectResult>; superseded: AbortController };

/** Connection data of a server for tool calls. A change takes effect after this time. */
type Connection = { server: ServerRow; vault: Map<string, OpenedEntry>; until: number };

/** Time for which tool calls reuse a server's row and its vault entries. */
const CONNECTION_MS = 8_000;
/** Time for which a detected protocol era is reused. Servers get upgraded, so it is then detected again. */
const ERA_LIFETIME_MS = 24 * 60 * 60_000;
/** Time for which an unreferenced server with an open circuit is still probed after a manual connect. */
const MANUAL_CONNECT_INTEREST_MS = 24 * 60 * 60_000;
const RETRY_ALARM_MS = 60_000;

/**
 * Connects to one MCP server. The object's name is `organisationId/serverId`. It is the only writer of the server's circuit
 * breaker, protocol era, refresh alarm and stored capabilities. At most one attempt runs at a time; callers share it.
 */
export class McpSession extends DurableObject<Env> {
	#running: Running | undefined;
	#lastTurn: Promise<unknown> = Promise.resolve();
	#connection: Connection | undefined;
	readonly #calls = new Map<string, AbortController>();

	/**
	 * Connects now, on request. While the circuit is open, it still connects, at most once in five seconds.
	 * @returns null when there is no such server.
	 */
	async connectNow(ref: McpServerRef): Promise<ConnectResult | null> {
		const ctx = this.#contextFor(ref);
		const server = await readServer(ctx, ref);
		if (!server) return null;
		const now = Date.now();
		this.ctx.storage.kv.put("connectedManuallyAt", now);
		const running = this.#runningFor(server);
		if (running) return running;
		const state = this.#readState(server);
		const admission = admitManual(state.breaker, state.forcedAt, now);
		if (!admission.isAdmitted) return toCircuitOpenResult(admission.retryAt, now, server.capabilityError);
		const { breaker, forcedAt = state.forcedAt } = admission;
		return this.#startAttempt(ctx, server, { state: { ...state, breaker, forcedAt }, isManual: true });
	}

	/**
	 * Calls a tool, in a session of its own. Calls count for the circuit breaker as attempts to connect do, and an open circuit
	 * answers them at once.
	 */
	async callTool(
		ref: McpServerRef,
		call: McpToolCall,
		onProgress?: (progress: ProgressNotice) => void,
	): Promise<McpCallOutcome> {
		const cancelled = new AbortController();
		this.#calls.set(call.callId, cancelled);
		try {
			return await this.#callTool(this.#contextFor(ref), ref, {
				call,
				onProgress,
				cancelled: cancelled.signal,
			});
		} finally {
			this.#calls.delete(call.callId);
		}
	}

	/** Cancels a tool call that runs. */
	async cancelTool(callId: string): Promise<void> {
		this.#calls.get(callId)?.abort();
	}

	async #callTool(
		ctx: Ctx,
		ref: McpServerRef,
		given: Pick<ToolCallInput, "call" | "onProgress" | "cancelled">,
	): Promise<McpCallOutcome> {
		const connection = await this.#connectionOf(ctx, ref);
		if (!connection) return { kind: "failed", code: "connect_failed", message: "The MCP server was deleted" };
		const { server, vault } = connection;
		const state = this.#readState(server);
		const admission = admit(state.breaker, Date.now());
		if (!admission.isAdmitted)
			return circuitOpenAnswer(admission.retryAt, Date.now(), server.capabilityError);
		if (admission.breaker !== state.breaker) this.#saveState({ ...state, breaker: admission.breaker });
		const { callTool } = await import("./calls/call-tool.ts");
		const { answer, prior } = await callTool({
			...given,
			...{ config: configOf(server), vault, prior: freshPrior(state) },
			...{ rules: egressRules(ctx.env), clock: ctx.clock },
		});
		const before = this.#readState(server);
		const breaker = breakerAfter(before.breaker, outcomeOfCall(answer), Date.now());
		const isSame = JSON.stringify(breaker) === JSON.stringify(before.breaker);
		const era = before.era ?? (prior && { prior, foundAt: Date.now() });
		if (!isSame || era !== before.era) this.#saveState({ ...before, breaker, ...(era && { era }) });
		if (answer.kind === "failed") this.#connection = undefined;
		return answer;
	}

	async #connectionOf(ctx: Ctx, ref: McpServerRef): Promise<Connection | undefined> {
		const now = Date.now();
		if (this.#connection && this.#connection.until > now) return this.#connection;
		const server = await readServer(ctx, ref);
		if (!server) return undefined;
		const vault = await openEntries(ctx, vaultNamesOf(configOf(server)));
		this.#connection = { server, vault, until: now + CONNECTION_MS };
		return this.#connection;
	}

	/** Schedules refreshes of a server that became referenced, unless a refresh is already scheduled. */
	async watch(ref: McpServerRef): Promise<void> {
		const ctx = this.#contextFor(ref);
		await this.#serialize(async () => {
			if ((await this.ctx.storage.getAlarm()) !== null) return;
			const server = await readServer(ctx, ref);
			if (!server) return;
			const observedAt = Date.parse(server.capabilityObservedAt ?? "") || 0;
			await this.#scheduleRefresh(ctx, ref.serverId, firstRefreshAt(observedAt, Date.now(), Math.random()));
		});
	}

	/** Schedules a refresh soon after a change of the configuration. */
	async reconfigure(ref: McpServerRef): Promise<void> {
		const ctx = this.#contextFor(ref);
		this.#connection = undefined;
		await this.#serialize(async () =>
			this.#scheduleRefresh(ctx, ref.serverId, (await this.#isReferenced(ctx, ref)) ? soon() : null),
		);
	}

	/** Deletes all state after the server was deleted. */
	async forget(): Promise<void> {
		this.#connection = undefined;
		await this.ctx.storage.deleteAlarm();
		await this.ctx.storage.deleteAll();
	}

	override async alarm(): Promise<void> {
		const ref = this.ctx.storage.kv.get<McpServerRef>("ref");
		if (!ref) return;
		try {
			await this.#refresh(this.#contextFor(ref), ref);
		} catch (error) {
			log(error);
			// The platform stops retrying an alarm that keeps throwing. Refreshes must continue.
			await this.ctx.storage.setAlarm(Date.now() + RETRY_ALARM_MS * (1 + Math.random()));
		}
	}

	async #refresh(ctx: Ctx, ref: McpServerRef): Promise<void> {
		const server = await readServer(ctx, ref);
		if (!server) return this.forget();
		const dueAt = this.ctx.storage.kv.get<number>("dueAt") ?? Date.now();
		const later = catchUpAt(dueAt, Date.now(), Math.random());
		if (later !== undefined) return this.#scheduleRefresh(ctx, server.id, later);
		const isWatched = await this.#serialize(async () => {
			if (await this.#isWatched(ctx, ref, this.#readState(server).breaker)) return true;
			await this.#scheduleRefresh(ctx, server.id, null);
			return false;
		});
		if (!isWatched) return;
		const running = this.#runningFor(server);
		if (running) return void (await running);
		const state = this.#readState(server);
		const admission = admit(state.breaker, Date.now());
		if (!admission.isAdmitted)
			return this.#serialize(() => this.#scheduleRefresh(ctx, server.id, admission.retryAt));
		await this.#startAttempt(ctx, server, {
			state: { ...state, breaker: admission.breaker },
			isManual: false,
		});
	}

	/** Returns the running attempt for this revision of the configuration or a newer one. */
	#runningFor({ revision }: ServerRow): Promise<ConnectResult> | undefined {
		return this.#running && this.#running.revision >= revision ? this.#running.attempt : undefined;
	}

	/**
	 * Starts an attempt and aborts the running one, which is for an older configuration.
	 * @param options.state with the breaker that admitted this attempt
	 */
	#startAttempt(
		ctx: Ctx,
		server: ServerRow,
		{ state, isManual }: { state: State; isManual: boolean },
	): Promise<ConnectResult> {
		// Its result is no longer needed, and each attempt may hold megabytes.
		this.#running?.superseded.abort();
		const superseded = new AbortController();
		// Saved before anything is sent, so that a crash counts as a probe that never reported.
		this.#saveState(state);
		const attempt = this.#runAttempt(ctx, server, { state, isManual, superseded: superseded.signal }).finally(
			() => {
				if (this.#running?.attempt === attempt) this.#running = undefined;
			},
		);
		this.#running = { revision: server.revision, attempt, superseded };
		return attempt;
	}

	async #runAttempt(
		ctx: Ctx,
		server: ServerRow,
		{ state, isManual, superseded }: { state: State; isManual: boolean; superseded: AbortSignal },
	): Promise<ConnectResult> {
		const config = configOf(server);
		// Loaded with the first attempt: the library takes most of the worker's start-up time, and other calls do not need it.
		const { attemptConnection } = await import("./session/attempt.ts");
		const attempt = await attemptConnection({
			config,
			vault: await openEntries(ctx, vaultNamesOf(config)),
			// A manual connect shows the server as it is now. A refresh may reuse the detected era.
			prior: isManual ? undefined : freshPrior(state),
			rules: egressRules(ctx.env),
			clock: ctx.clock,
			superseded,
		});
		return this.#storeResult(ctx, server, state, attempt);
	}

	async #storeResult(ctx: Ctx, server: ServerRow, before: State, attempt: Attempt): Promise<ConnectResult> {
		const now = Date.now();
		const outcome = attempt.error ? outcomeOf(attempt.error) : "answered";
		const breaker = breakerAfter(before.breaker, outcome, now);
		const era = attempt.prior && { prior: attempt.prior, foundAt: eraFoundAt(before, attempt.prior, now) };
		this.#saveState({ revision: before.revision, breaker, forcedAt: before.forcedAt, ...(era && { era }) });

		const ref = { organisationId: server.organisationId, serverId: server.id };
		const dueAt = nextRefreshAt({
			...{ now, random: Math.random(), ttlMs: attempt.ttlMs, retryAfterMs: attempt.retryAfterMs, breaker },
			isTransportFailure: outcome === "transport_failure",
		});
		const changes = await this.#serialize(async () => {
			const statusUpdate = {
				status: statusOf(attempt, breaker, now),
				nextRefreshAt: (await this.#isWatched(ctx, ref, breaker)) ? dueAt : null,
			};
			const changes = await recordAttempt(ctx, server, attempt, statusUpdate);
			// Otherwise the server was changed or deleted meanwhile, and that change schedules the next refresh.
			if (changes) await this.#setAlarm(statusUpdate.nextRefreshAt);
			else if (!(await readServer(ctx, ref))) await this.forget();
			return changes;
		});
		const { ttlMs, retryAfterMs, prior, ...result } = attempt;
		return { ...result, changes: changes ?? NO_CHANGES };
	}

	/** Returns the state for this revision. The breaker and the era of another configuration do not apply to it. */
	#readState({ revision }: ServerRow): State {
		const state = this.ctx.storage.kv.get<State>("state");
		return state?.revision === revision ? state : { revision, breaker: CLOSED };
	}

	/** Saves the state, unless a newer configuration has saved its own while this attempt ran. */
	#saveState(state: State): void {
		const kept = this.ctx.storage.kv.get<State>("state");
		if (!kept || kept.revision <= state.revision) this.ctx.storage.kv.put("state", state);
	}

	/**
	 * Runs decisions about the next refresh one after another. Otherwise an attempt that has found the server unused could
	 * delete the alarm that `watch` sets at the same moment.
	 */
	#serialize<T>(decide: () => Promise<T>): Promise<T> {
		const turn = this.#lastTurn.then(decide);
		this.#lastTurn = turn.catch(() => undefined);
		return turn;
	}

	/** Returns true while the server needs refreshes: it is referenced, or it was connected manually and its breaker is not closed. */
	async #isWatched(ctx: Ctx, ref: McpServerRef, breaker: Breaker): Promise<boolean> {
		const connectedAt = this.ctx.storage.kv.get<number>("connectedManuallyAt") ?? 0;
		if (breaker.state !== "closed" && Date.now() - connectedAt < MANUAL_CONNECT_INTEREST_MS) return true;
		return this.#isReferenced(ctx, ref);
	}

	async #isReferenced(ctx: Ctx, { serverId }: McpServerRef): Promise<boolean> {
		const found = await ctx.db.get<{ held: number }>(sql`select ${isReferenced(ctx, serverId)} as held`);
		return found?.held === 1;
	}

	async #scheduleRefresh(ctx: Ctx, serverId: string, dueAt: number | null): Promise<void> {
		await this.#setAlarm(dueAt);
		await recordNextRefresh(ctx, serverId, dueAt);
	}

	async #setAlarm(dueAt: number | null): Promise<void> {
		if (dueAt === null) return this.ctx.storage.deleteAlarm();
		this.ctx.storage.kv.put("dueAt", dueAt);
		await this.ctx.storage.setAlarm(dueAt);
	}

	/** Returns the context of the server's organisation. Stores the reference, since an alarm gets no arguments. */
	#contextFor(ref: McpServerRef): Ctx {
		if (!this.ctx.storage.kv.get("ref")) this.ctx.storage.kv.put("ref", ref);
		return contextOf(this.env, ref.organisationId);
	}
}

/** Returns the Durable Object that connects to a server. */
export const sessionOf = (
	env: Env,
	{ organisationId, serverId }: McpServerRef,
): DurableObjectStub<McpSession> => env.MCP_SESSION.getByName(`${organisationId}/${serverId}`);

/** Returns a time 2 to 10 seconds from now. */
const soon = (): number => Date.now() + 2_000 + Math.random() * 8_000;

const freshPrior = ({ era }: State): PriorDiscovery | undefined =>
	era && Date.now() - era.foundAt < ERA_LIFETIME_MS ? era.prior : undefined;

/** Returns when the era was last detected. An attempt that reused an era has not detected it again. */
const eraFoundAt = ({ era }: State, prior: PriorDiscovery, now: number): number =>
	era && era.prior.kind === prior.kind && now - era.foundAt < ERA_LIFETIME_MS ? era.foundAt : now;

function statusOf({ error }: Attempt, breaker: Breaker, now: number): CapabilityStatus {
	if (!error) return "healthy";
	return breaker.state === "open" && breaker.until > now ? "circuit_open" : statusAfter(error);
}

async function readServer(ctx: Ctx, { serverId }: McpServerRef): Promise<ServerRow | undefined> {
	const [row] = await ctx.db.select().from(mcpServers).where(liveServer(ctx, serverId));
	return row;
}

const log = (error: unknown): void => logError("MCP_SESSION", error);
