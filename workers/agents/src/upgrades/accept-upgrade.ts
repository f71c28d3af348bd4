import type { AcceptUpgrade, UpgradePreview } from "@parley/contracts/agents/upgrades";
import { ApiError, type ApiErrorDetails } from "@parley/contracts/shared/api-error";
import { toolVersions } from "@parley/db/agents/tool-versions";
import { and, eq } from "drizzle-orm";
import { changeAgent } from "../agents/write-agent.ts";
import type { Ctx } from "../context.ts";
import { RETRY_AFTER_SECONDS } from "./preview.ts";
import { preview, readUpgrade, stale, type Upgrade } from "./upgrades.service.ts";

const HASHES = [
	"current_config_hash",
	"current_tool_version_hash",
	"target_tool_version_hash",
	"acceptance_hash",
] as const satisfies (keyof AcceptUpgrade)[];

/** A lost race is looked at again; what it lost to is then the reason of the refusal, or no hindrance at all. */
const MAX_TRIES = 5;

/**
 * Moves an attachment to another published version, exactly as its preview said.
 * @throws ApiError TOOL_ATTACHMENT_STALE, UPGRADE_HASH_MISMATCH, UPGRADE_BLOCKED, and what a change of the agent throws.
 */
export async function acceptUpgrade(
	ctx: Ctx,
	agentId: string,
	attachmentId: string,
	body: AcceptUpgrade,
): Promise<UpgradePreview> {
	for (let tries = 1; ; tries++) {
		const { agent, attachment, from, to } = await readUpgrade(ctx, agentId, attachmentId, body.to_version);
		await assertSamePin(ctx, { agent, attachment, from, to }, body);
		if (!to) throw noSuchVersion(body.to_version);
		const applied = await preview(ctx, { agent, attachment, from, to });
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
			if (!lostRace || tries === MAX_TRIES) throw error;
		}
	}
}

const noSuchVersion = (version: number): ApiError => {
	const message = `Tool version not found: ${version}`;
	return new ApiError("VALIDATION_FAILED", `to_version: ${message}`, {
		fields: [{ path: "to_version", message }],
	});
};

/** A hash of another version of the tool than the pinned one tells that the pin has moved since the preview. */
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
	if (other) throw stale("The attachment is pinned to another version than the preview's");
}

function assertSameHashes(now: UpgradePreview, body: AcceptUpgrade): void {
	const moved = HASHES.filter((key) => body[key] !== now[key]);
	if (moved.length === 0) return;
	throw new ApiError("UPGRADE_HASH_MISMATCH", "Something has changed since the preview; preview it again", {
		fields: moved.map((path) => ({ path, message: "Not what it is now" })),
	});
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
	if (issue) throw blocked(issue.message, { fields });
	if (preparation_state === "failed") throw blocked("The build of the target version failed", { fields });
	const headers = { "retry-after": String(seconds ?? RETRY_AFTER_SECONDS) };
	throw blocked("The target version is being prepared; try again", { fields, headers, retryable: true });
}

const blocked = (reason: string, details: ApiErrorDetails): ApiError =>
	new ApiError("UPGRADE_BLOCKED", `The upgrade is blocked: ${reason}`, details);
