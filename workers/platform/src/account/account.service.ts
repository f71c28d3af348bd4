import type { Me } from "@parley/contracts/account";
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
