import type { PreparationState } from "@parley/contracts/upgrades";
import type { PinnedVersion } from "../agents/attachments/pinned-versions.ts";

/** How long to wait before asking again; within the 1 to 60 of the contract. */
export const RETRY_AFTER_SECONDS = 5;

/**
 * Whether a version can run. It was built when it was published, so it can, unless its very content is being built anew
 * or the last build of it failed.
 */
export function preparationOf(version: PinnedVersion): PreparationState {
	if (version.contentVersion !== version.versionNumber) return "ready";
	switch (version.buildState) {
		case "building":
			return "preparing";
		case "failed":
			return "failed";
		default:
			return "ready";
	}
}
