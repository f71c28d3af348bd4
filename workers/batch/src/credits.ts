import { ApiError } from "@parley/contracts/shared/api-error";
import { organisations } from "@parley/db/platform/organisations";
import { and, eq, exists, gt, isNull, or, type SQL } from "drizzle-orm";
import type { Ctx } from "./context.ts";

/** Condition that the organisation has audio seconds left. An organisation without a balance has no limit. */
export function hasCredits({ db, actor }: Ctx): SQL {
	const { id, creditSeconds } = organisations;
	const withCredit = and(eq(id, actor.organisation.id), or(isNull(creditSeconds), gt(creditSeconds, 0)));
	return exists(db.select({ id }).from(organisations).where(withCredit));
}

export const insufficientCredits = (): ApiError =>
	new ApiError("INSUFFICIENT_CREDITS", "Insufficient credits");
