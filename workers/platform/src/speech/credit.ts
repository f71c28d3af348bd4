import { usageAccount } from "@parley/context/actor";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Database } from "@parley/db/client";
import { organisations } from "@parley/db/platform/organisations";
import { addUsage } from "@parley/db/platform/usage";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Organisation that pays, and the account that its usage is counted under. */
export type Account = { db: Database; clock: () => Date; organisationId: string; usageAccount: string };

export const accountOf = ({ db, clock, actor }: Pick<Ctx, "db" | "clock" | "actor">): Account => ({
	db,
	clock,
	organisationId: actor.organisation.id,
	usageAccount: usageAccount(actor),
});

/** @throws ApiError INSUFFICIENT_CREDITS when the organisation has a balance and none of it is left. */
export async function requireCredit({ db, organisationId }: Account): Promise<void> {
	const [row] = await db
		.select({ creditSeconds: organisations.creditSeconds })
		.from(organisations)
		.where(eq(organisations.id, organisationId));
	if (isSpent(row?.creditSeconds)) throw new ApiError("INSUFFICIENT_CREDITS", "Insufficient credits");
}

/** A balance that is null, or of nobody, never runs out. */
export const isSpent = (creditSeconds: number | null | undefined): boolean =>
	typeof creditSeconds === "number" && creditSeconds <= 0;

/** Takes recognised audio from the balance, where there is one, and counts it, both or neither. */
export async function chargeAudio(account: Account, modelCode: string, seconds: number): Promise<void> {
	const { db, clock, organisationId } = account;
	const now = clock();
	await db.batch([
		db
			.update(organisations)
			.set({
				creditSeconds: sql`${organisations.creditSeconds} - ${Math.ceil(seconds)}`,
				updatedAt: now.toISOString(),
			})
			.where(and(eq(organisations.id, organisationId), isNotNull(organisations.creditSeconds))),
		addUsage(
			db,
			{ organisationId, apiKeyId: account.usageAccount, modelCode, at: now },
			{ audioSeconds: seconds },
		),
	]);
}
