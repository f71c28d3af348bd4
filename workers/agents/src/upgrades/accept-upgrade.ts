import type { AcceptUpgrade, UpgradePreview } from "@parley/contracts/agents/upgrades";
import { ApiError, type ApiErrorDetails } from "@parley/contracts/shared/api-error";
import { toolVersions } from "@parley/db/agents/tool-versions";
import { and, eq } from "drizzle-orm";
import { changeAgent } from "../agents/write-agent.ts";
import type { Ctx } from "../context.ts";
import { RETRY_AFTER_SECONDS } from "./preview.ts";
import { buildCurrentPreview, readUpgrade, staleError, type Upgrade } from "./upgrades.service.ts";

const HASHES = [
	"current_config_hash",
	"current_tool_version_hash",
	"target_tool_version_hash",
	"acceptance_hash",
] as const satisfies (keyof AcceptUpgrade)[];

/** Attempts after a concurrent change. Each one checks again whether that change makes the upgrade impossible. */
const MAX_ATTEMPTS = 5;

/**
 * Pins an attachment to another published version, exactly as previewed.
 * @throws ApiError TOOL_ATTACHMENT_STALE, UPGRADE_HASH_MISMATCH, UPGRADE_BLOCKED, and the errors of `changeAgent`.
 */
export async function acceptUpgrade(
	ctx: Ctx,
	agentId: string,
	attachmentId: string,
	body: AcceptUpgrade,
): Promise<UpgradePreview> {
	for (let attempt = 1; ; attempt++) {
		const { agent, attachment, from, to } = await readUpgrade(ctx, agentId, attachmentId, body.to_version);
		await assertSamePin(ctx, { agent, attachment, from, to }, body);
		if (!to) throw versionNotFound(body.to_version);
		const applied = await buildCurrentPreview(ctx, { agent, attachment, from, to });
		assertSameHashes(applied, body);
		assertAcceptable(applied);
		const { from_version, to_version, tool_id, reconciled_attachment } = applied;
		const tool_refs = agent.config.tool_refs.map((ref) => (ref === attachment ? reconciled_attachment : ref));
		try {
			await changeAgent(
				{ ...ctx, ifMatch: undefined },
				agent,
				{ config: { ...agent.config, tool_refs }, status: agent.status },
				{
					...{ source: "upgrade", action: "agent.upgrade" },
					details: { attachment_id: attachmentId, tool_id, from_version, to_version },
				},
			);
			return applied;
		} catch (error) {
			const lostRace = error instanceof ApiError && error.code === "REVISION_CONFLICT";
			if (!lostRace || attempt === MAX_ATTEMPTS) throw error;
		}
	}
}

const versionNotFound = (version: number): ApiError => {
	const message = `Tool version not found: ${version}`;
	return new ApiError("VALIDATION_FAILED", `to_version: ${message}`, {
		fields: [{ path: "to_version", message }],
	});
};

/** Throws TOOL_ATTACHMENT_STALE if the given hash is of another version of the tool: the pin has changed since the preview. */
async function assertSamePin(ctx: Ctx, { attachment, from }: Upgrade, body: AcceptUpgrade): Promise<void> {
	if (body.current_tool_version_hash === from.contentHash) return;
	const [other] = await ctx.db
		.select({ id: toolVersions.id })
		.from(toolVersions)
		.where(
			and(
				eq(toolVersions.organisationId, ctx.actor.organisation.id),
				eq(toolVersions.toolId, attachment.tool_id),
				eq(toolVersions.contentHash, body.current_tool_version_hash),
			),
		);
	if (other) throw staleError("The attachment is no longer pinned to the version of the preview");
}

function assertSameHashes(now: UpgradePreview, body: AcceptUpgrade): void {
	const changedHashes = HASHES.filter((key) => body[key] !== now[key]);
	if (changedHashes.length === 0) return;
	throw new ApiError(
		"UPGRADE_HASH_MISMATCH",
		"Something has changed since the preview; request a new preview",
		{
			fields: changedHashes.map((path) => ({ path, message: "Does not match the current value" })),
		},
	);
}

function assertAcceptable({
	can_accept,
	issues,
	preparation_state,
	retry_after_seconds: seconds,
}: UpgradePreview): void {
	if (can_accept) return;
	const fields = issues.map(({ parameter, message }) => ({ path: parameter ?? "", message }));
	const [issue] = issues;
	if (issue) throw blockedError(issue.message, { fields });
	if (preparation_state === "failed")
		throw blockedError("The build of the target version failed", { fields });
	const headers = { "retry-after": String(seconds ?? RETRY_AFTER_SECONDS) };
	throw blockedError("The target version is being prepared; try again", { fields, headers, retryable: true });
}

const blockedError = (reason: string, details: ApiErrorDetails): ApiError =>
	new ApiError("UPGRADE_BLOCKED", `The upgrade is blocked: ${reason}`, details);
