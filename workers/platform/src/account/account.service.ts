import type { Me, Organisation } from "@parley/contracts/platform/account";
import { notFound } from "@parley/contracts/shared/api-error";
import { DEFAULT_FEATURES, organisations } from "@parley/db/platform/organisations";
import { eq } from "drizzle-orm";
import type { Ctx } from "../context.ts";

export function getMe({ actor }: Ctx): Me {
	return {
		name: null,
		email: null,
		org_id: actor.organisation.id,
		org_name: actor.organisation.name,
		api_key_label: actor.label,
		tier: actor.organisation.tier,
	};
}

/** @throws ApiError RESOURCE_NOT_FOUND when the organisation went while its key was in use. */
export async function getOrganisation({ db, actor }: Ctx): Promise<Organisation> {
	const [row] = await db.select().from(organisations).where(eq(organisations.id, actor.organisation.id));
	if (!row) throw notFound("Organisation", actor.organisation.id);
	return {
		id: row.id,
		name: row.name,
		tier: row.tier,
		features: { ...DEFAULT_FEATURES, ...row.features },
		credit_seconds: row.creditSeconds,
		created_at: row.createdAt,
	};
}
