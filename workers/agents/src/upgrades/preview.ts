import { labelledHash } from "@parley/canonical/hash";
import type { ToolRef } from "@parley/contracts/agents/attachments";
import type { PreparationState, UpgradePreview } from "@parley/contracts/agents/upgrades";
import type { AgentRow } from "../agents/agent-config.ts";
import type { PinnedVersion } from "../agents/attachments/pinned-versions.ts";
import { type Reconciliation, reconcile } from "./reconcile.ts";

/** How long to wait before asking again; within the 1 to 60 of the contract. */
export const RETRY_AFTER_SECONDS = 5;

type Move = { agent: AgentRow; attachment: ToolRef; from: PinnedVersion; to: PinnedVersion };

/** The preview of a move. Whatever it is made from, a change of it moves one of the four hashes. */
export async function buildPreview(move: Move, vaultNames: ReadonlySet<string>): Promise<UpgradePreview> {
	const { agent, attachment, from, to } = move;
	const result = reconcile(attachment, from, to, vaultNames);
	const changes = toWire(result);
	const hashes = {
		current_config_hash: agent.configHash,
		current_tool_version_hash: from.contentHash,
		target_tool_version_hash: to.contentHash,
	};
	const place = {
		agent_id: agent.id,
		attachment_id: attachment.attachment_id,
		tool_id: attachment.tool_id,
		from_version: from.versionNumber,
		to_version: to.versionNumber,
	};
	const preparation = preparationOf(to);
	return {
		...place,
		...hashes,
		acceptance_hash: await labelledHash("parley.upgrade.v1", {
			...{ organisation_id: agent.organisationId, ...place, ...hashes, ...changes },
		}),
		...changes,
		can_accept: result.issues.length === 0 && preparation === "ready",
		preparation_state: preparation,
		retry_after_seconds: preparation === "preparing" ? RETRY_AFTER_SECONDS : null,
	};
}

const toWire = ({ attachment, diff, issues }: Reconciliation) => ({
	reconciled_attachment: attachment,
	added_parameters: diff.added,
	removed_parameters: diff.removed,
	renamed_parameters: diff.renamed,
	type_changed_parameters: Object.fromEntries(
		Object.entries(diff.retyped).map(([name, { from, to, required }]) => [
			name,
			{ from, to, ...(required.from !== required.to && { required }) },
		]),
	),
	issues,
});

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
