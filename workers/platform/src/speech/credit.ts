import { ApiError } from "@parley/contracts/api-error";
import { organisations } from "@parley/db/organisations";
import { addUsage } from "@parley/db/usage";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

type Account = Pick<Ctx, "db" | "clock" | "actor">;

/** @throws ApiError INSUFFICIENT_CREDITS when the organisation has a balance and none of it is left. */
export async function requireCredit({ db, actor }: Account): Promise<void> {
	const [row] = await db
		.select({ creditSeconds: organisations.creditSeconds })
		.from(organisations)
		.where(eq(organisations.id, actor.organisation.id));
	if (row?.creditSeconds != null && row.creditSeconds <= 0)
		throw new ApiError("INSUFFICIENT_CREDITS", "Insufficient credits");
}

/** Takes recognised audio from the balance, where there is one, and counts it, both or neither. */
export async function chargeAudio(ctx: Account, modelCode: string, seconds: number): Promise<void> {
	const { db, clock, actor } = ctx;
	const now = clock();
	const of = { organisationId: actor.organisation.id, apiKeyId: actor.keyId, modelCode, at: now };
	await db.batch([
		db
			.update(organisations)
			.set({
				creditSeconds: sql`${organisations.creditSeconds} - ${Math.ceil(seconds)}`,
				updatedAt: now.toISOString(),
			})
			.where(and(eq(organisations.id, actor.organisation.id), isNotNull(organisations.creditSeconds))),
		addUsage(db, of, { audioSeconds: seconds }),
	]);
}
