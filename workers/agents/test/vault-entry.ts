import { env } from "cloudflare:workers";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { vaultEntries } from "@parley/db/vault";

/** A vault entry as a row, for what only asks whether there is one; its value cannot be opened. */
export async function vaultEntry(
	organisationId: string,
	name: string,
	kind: "secret" | "variable" = "variable",
) {
	const now = new Date().toISOString();
	await openDatabase(env.DB)
		.insert(vaultEntries)
		.values({
			...{ organisationId, id: newId(), name, kind, description: "", sealedValue: "", revision: 1 },
			...{ createdBy: "test", lastRotatedBy: "test" },
			...{ lastRotatedAt: now, createdAt: now, updatedAt: now },
		});
}
