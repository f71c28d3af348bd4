import { labelledHash } from "@parley/canonical/hash";
import type { ToolRef } from "@parley/contracts/agents/attachments";
import type { PreparationState, UpgradePreview } from "@parley/contracts/agents/upgrades";
import type { AgentRow } from "../agents/agent-config.ts";
import type { PinnedVersion } from "../agents/attachments/pinned-versions.ts";
import { type Reconciliation, reconcile } from "./reconcile.ts";

/** Seconds to wait before previewing again. The contract allows 1 to 60. */
export const RETRY_AFTER_SECONDS = 5;

type UpgradeInput = { agent: AgentRow; attachment: ToolRef; from: PinnedVersion; to: PinnedVersion };

/** Builds the preview of an upgrade. A change of any of its inputs changes at least one of the four hashes. */
export async function buildPreview(
	input: UpgradeInput,
	vaultNames: ReadonlySet<string>,
): Promise<UpgradePreview> {
	const { agent, attachment, from, to } = input;
	const result = reconcile(attachment, from, to, vaultNames);
	const changes = toWire(result);
	const hashes = {
		current_config_hash: agent.configHash,
		current_tool_version_hash: from.contentHash,
		target_tool_version_hash: to.contentHash,
	};
	const identity = {
		agent_id: agent.id,
		attachment_id: attachment.attachment_id,
		tool_id: attachment.tool_id,
		from_version: from.versionNumber,
		to_version: to.versionNumber,
	};
	const preparation = preparationOf(to);
	return {
		...identity,
		...hashes,
		acceptance_hash: await labelledHash("parley.upgrade.v1", {
			...{ organisation_id: agent.organisationId, ...identity, ...hashes, ...changes },
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
 * Returns whether a version is ready to run. It was built before it was published, so it is ready unless the same content is
 * being rebuilt or its last build failed.
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
