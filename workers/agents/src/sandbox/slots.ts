import { ApiError } from "@parley/contracts/api-error";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { newId } from "@parley/db/id";
import { sandboxPlaces } from "@parley/db/sandbox-places";
import { and, eq, lte, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import type { Statement } from "../tools/write-tool.ts";
import { keptAlive, leaseEnd } from "./keep-alive.ts";

const RETRY_AFTER_SECONDS = 2;
const FULL = "SANDBOX_FULL";

export type Place = {
	id: string;
	take: [Statement, ...Statement[]];
	prolong: () => Statement;
	leave: Statement;
};

/**
 * One of an organisation's places in the sandbox, so that what one organisation runs never takes all of it: statements to
 * take it (of many at once no more succeed than there are places), to hold it, and to leave it. A place that is not
 * prolonged within `LEASE_MS` is free: whoever had it has crashed.
 */
export function choosePlace(ctx: Ctx): Place {
	const organisationId = ctx.actor.organisation.id;
	const id = newId();
	const now = ctx.clock();
	const { heldUntil } = sandboxPlaces;
	const isOfOrganisation = eq(sandboxPlaces.organisationId, organisationId);
	const isOwn = and(isOfOrganisation, eq(sandboxPlaces.id, id));
	const isFree = sql`(select count(*) from ${sandboxPlaces}
		where ${isOfOrganisation} and ${heldUntil} > ${now.toISOString()}) < ${limitOf(ctx)}`;
	return {
		id,
		take: [
			assertThat(ctx.db, isFree, FULL),
			ctx.db.delete(sandboxPlaces).where(and(isOfOrganisation, lte(heldUntil, now.toISOString()))),
			ctx.db.insert(sandboxPlaces).values({ organisationId, id, heldUntil: leaseEnd(now) }),
		],
		prolong: () =>
			ctx.db
				.update(sandboxPlaces)
				.set({ heldUntil: leaseEnd(ctx.clock()) })
				.where(isOwn),
		leave: ctx.db.delete(sandboxPlaces).where(isOwn),
	};
}

/** RATE_LIMITED for the failure of a batch that found no place; undefined for any other error. */
export function noPlace(ctx: Ctx, error: unknown): ApiError | undefined {
	if (failedAssertion(error) !== FULL) return undefined;
	const message = `At most ${limitOf(ctx)} code tools of an organisation run or are built at once`;
	return new ApiError("RATE_LIMITED", message, { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
}

/** Does work in a place of the sandbox. @throws ApiError RATE_LIMITED when all are taken. */
export async function inPlace<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
	const { take, prolong, leave } = choosePlace(ctx);
	try {
		await ctx.db.batch(take);
	} catch (error) {
		throw noPlace(ctx, error) ?? error;
	}
	try {
		return await keptAlive(() => ctx.db.batch([prolong()]), work);
	} finally {
		await ctx.db.batch([leave]);
	}
}

const limitOf = ({ env }: Ctx): number => Number(env.CODE_RUNS_AT_ONCE) || 4;
