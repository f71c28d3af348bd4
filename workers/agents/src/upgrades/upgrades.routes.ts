import {
	AcceptUpgrade,
	Attachment,
	UpgradeGroups,
	UpgradePreview,
	UpgradesQuery,
} from "@parley/contracts/agents/upgrades";
import { Uuid, versionNumber } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../context.ts";
import { acceptUpgrade } from "./accept-upgrade.ts";
import { listUpgrades } from "./list-upgrades.ts";
import { listAttachments, previewUpgrade } from "./upgrades.service.ts";

export const upgradesRoutes = createAgentsRouter();

const ATTACHMENTS = "/v1/agents/tools/agents/{agent_id}/attachments";
const params = z.object({ agent_id: Uuid, attachment_id: Uuid });

upgradesRoutes.route(
	{
		method: "get",
		path: ATTACHMENTS,
		operationId: "listAttachments",
		summary: "List an agent's tool attachments",
		description:
			"Lists the attachments in the agent's order, each with its tool's name and latest version. A deleted tool has " +
			"`tool_deleted` true.",
		tag: "Upgrades",
		access: "agents:read",
		mcp: true,
		params: z.object({ agent_id: Uuid }),
		response: z.array(Attachment),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => listAttachments(ctx, params.agent_id),
);

upgradesRoutes.route(
	{
		method: "post",
		path: `${ATTACHMENTS}/{attachment_id}/upgrade-preview/{to_version}`,
		operationId: "previewUpgrade",
		summary: "Preview an attachment upgrade",
		description:
			"Returns the parameter changes, the blocking issues and the hashes that an accept requires. Changes nothing. An older " +
			"version is previewed in the same way.",
		tag: "Upgrades",
		access: "agents:read",
		mcp: { readOnlyHint: true, idempotentHint: true },
		rate: "read",
		params: params.extend({ to_version: versionNumber }),
		response: UpgradePreview,
		otherResponses: {
			202: {
				description: "The target version is being built. Preview again after `Retry-After` seconds.",
				content: { "application/json": { schema: UpgradePreview } },
			},
		},
		location: "/v1/agents/tools/{tool_id}/versions/{to_version}",
		errors: ["RESOURCE_NOT_FOUND", "TOOL_ATTACHMENT_STALE"],
	},
	async ({ ctx, params, reply }) => {
		const preview = await previewUpgrade(ctx, params.agent_id, params.attachment_id, params.to_version);
		const { retry_after_seconds: seconds } = preview;
		return seconds === null ? preview : reply(202, preview, { "retry-after": String(seconds) });
	},
);

upgradesRoutes.route(
	{
		method: "post",
		path: `${ATTACHMENTS}/{attachment_id}/upgrade-accept`,
		operationId: "acceptUpgrade",
		summary: "Accept an attachment upgrade",
		description:
			"Pins the attachment to another version as previewed. If anything has changed since the preview, the request is " +
			"refused. The answer is the preview that was applied.",
		tag: "Upgrades",
		access: "agents:write",
		mcp: { destructiveHint: true },
		params,
		body: AcceptUpgrade,
		response: UpgradePreview,
		errors: [
			"RESOURCE_NOT_FOUND",
			"TOOL_ATTACHMENT_STALE",
			"UPGRADE_HASH_MISMATCH",
			"UPGRADE_BLOCKED",
			"AGENT_LOCKED",
			"REVISION_CONFLICT",
		],
		idempotent: true,
	},
	({ ctx, params, body }) => acceptUpgrade(ctx, params.agent_id, params.attachment_id, body),
);

upgradesRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools/{tool_id}/upgrades",
		operationId: "listUpgrades",
		summary: "Preview all upgrades of a tool",
		description: "Returns a preview of each attachment of the tool, grouped by whether it can be accepted.",
		tag: "Upgrades",
		access: "agents:read",
		mcp: true,
		params: z.object({ tool_id: Uuid }),
		query: UpgradesQuery,
		response: UpgradeGroups,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => listUpgrades(ctx, params.tool_id, query.to_version),
);
