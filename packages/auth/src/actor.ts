import type { Scope } from "@parley/contracts/scopes";
import type { Features } from "@parley/db/organisations";
import type { KeyFamily } from "./api-key.ts";

/** Who makes a request: one API key of one organisation, with what it may do. */
export type Actor = {
	/** `api_key:<id>` or `user:<id>`; what audit rows and `created_by` hold. */
	id: string;
	keyId: string;
	family: KeyFamily;
	label: string;
	scopes: ReadonlySet<Scope>;
	expiresAt: string | null;
	organisation: { id: string; name: string; tier: string; features: Features };
};
