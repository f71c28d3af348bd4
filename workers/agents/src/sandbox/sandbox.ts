import { leaseEnd, withLease } from "@parley/context/lease";
import type { PythonRpc } from "@parley/contracts/internal/python-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import { sandboxSlots } from "@parley/db/agents/sandbox-slots";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { newId } from "@parley/db/id";
import { and, eq, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Ctx } from "../context.ts";

const RETRY_AFTER_SECONDS = 2;
const FULL = "SANDBOX_FULL";

type Statement = BatchItem<"sqlite">;

/** Returns the worker that builds and runs code. It never throws for what the code does. */
export const sandboxOf = ({ env }: Ctx): PythonRpc => env.PYTHON as unknown as PythonRpc;

/** A slot of an organisation in the sandbox, as the statements that acquire, renew and release it. */
export type SandboxSlot = {
	id: string;
	/** Fail their batch when every slot is taken. */
	acquire: [Statement, ...Statement[]];
	renew: () => Statement;
	release: Statement;
};

/**
 * Prepares a slot for one build or run. Each organisation has a few slots, so that one of them never fills the sandbox. A
 * slot whose lease expires is free again: its holder has crashed.
 */
export function prepareSlot(ctx: Ctx): SandboxSlot {
	const organisationId = ctx.actor.organisation.id;
	const id = newId();
	const now = ctx.clock();
	const { expiresAt } = sandboxSlots;
	const isOfOrganisation = eq(sandboxSlots.organisationId, organisationId);
	const isOwn = and(isOfOrganisation, eq(sandboxSlots.id, id));
	const isFree = sql`(select count(*) from ${sandboxSlots}
		where ${isOfOrganisation} and ${expiresAt} > ${now.toISOString()}) < ${limitOf(ctx)}`;
	return {
		id,
		acquire: [
			assertThat(ctx.db, isFree, FULL),
			ctx.db.delete(sandboxSlots).where(and(isOfOrganisation, lte(expiresAt, now.toISOString()))),
			ctx.db.insert(sandboxSlots).values({ organisationId, id, expiresAt: leaseEnd(now) }),
		],
		renew: () =>
			ctx.db
				.update(sandboxSlots)
				.set({ expiresAt: leaseEnd(ctx.clock()) })
				.where(isOwn),
		release: ctx.db.delete(sandboxSlots).where(isOwn),
	};
}

/** Returns RATE_LIMITED for a batch that failed because every slot is taken; undefined for any other error. */
export function slotsTaken(ctx: Ctx, error: unknown): ApiError | undefined {
	if (failedAssertion(error) !== FULL) return undefined;
	const message = `An organisation may build and run ${limitOf(ctx)} code tools at a time. Try again.`;
	return new ApiError("RATE_LIMITED", message, { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
}

/** Runs work in a slot of the sandbox. @throws ApiError RATE_LIMITED when every slot is taken. */
export async function withSlot<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
	const { acquire, renew, release } = prepareSlot(ctx);
	try {
		await ctx.db.batch(acquire);
	} catch (error) {
		throw slotsTaken(ctx, error) ?? error;
	}
	try {
		return await withLease(() => ctx.db.batch([renew()]), work);
	} finally {
		await ctx.db.batch([release]);
	}
}

const limitOf = ({ env }: Ctx): number => Number(env.CODE_RUNS_AT_ONCE) || 4;
