import { z } from "zod";
import { Uuid, versionNumber } from "../shared/common.ts";
import { AgentToolRef, ToolRef } from "./attachments.ts";
import { ToolType } from "./tool-config.ts";

const hash = (description: string) =>
	z
		.string()
		.regex(/^[0-9a-f]{64}$/, "Must be 64 lowercase hex characters")
		.meta({ description: `${description}: 64 lowercase hex characters` });
const versionOf = (description: string) => z.int().min(1).meta({ description });
const Schema = z.unknown().meta({ description: "JSON Schema of the parameter" });
const ParameterName = z.string().meta({ description: "Name of the parameter" });

const UPGRADE_ISSUES = [
	"OVERRIDE_OF_REMOVED_PARAMETER",
	"OVERRIDE_OF_RETYPED_PARAMETER",
	"REQUIRED_PARAMETER_UNFILLED",
	"VAULT_ENTRY_MISSING",
	"CONFIG_OVERRIDE_INVALID",
] as const;

/** Reason why an attachment cannot be upgraded as it is. */
export const UpgradeIssue = z
	.object({
		code: z.enum(UPGRADE_ISSUES).meta({ description: "Kind of the issue" }),
		message: z.string().meta({ description: "The issue in plain words" }),
		parameter: z
			.string()
			.nullable()
			.meta({ description: "Parameter that the issue concerns. Null if none." }),
	})
	.meta({ id: "UpgradeIssue" });
export type UpgradeIssue = z.infer<typeof UpgradeIssue>;

export const PreparationState = z.enum(["ready", "preparing", "failed"]).meta({
	id: "PreparationState",
	description:
		"Whether the target version can run: ready, preparing while its code is being built, or failed if that build failed",
});
export type PreparationState = z.infer<typeof PreparationState>;

/** Effects of moving an attachment to another published version. An accept returns the effects that it had. */
export const UpgradePreview = z
	.object({
		agent_id: Uuid,
		attachment_id: Uuid,
		tool_id: Uuid,
		from_version: versionOf("Version that the attachment is pinned to"),
		to_version: versionOf("Version that the attachment would be pinned to"),
		current_config_hash: hash("Hash of the agent's configuration"),
		current_tool_version_hash: hash("Content hash of the pinned version"),
		target_tool_version_hash: hash("Content hash of the target version"),
		acceptance_hash: hash("Hash of this preview"),
		reconciled_attachment: ToolRef.meta({ description: "The attachment after the upgrade" }),
		added_parameters: z
			.array(
				z.object({
					name: ParameterName,
					required: z.boolean().meta({ description: "Whether the target version requires it" }),
					schema: Schema,
				}),
			)
			.meta({ description: "Parameters that only the target version has" }),
		removed_parameters: z
			.array(z.object({ name: ParameterName, schema: Schema }))
			.meta({ description: "Parameters that only the pinned version has" }),
		renamed_parameters: z
			.record(z.string(), z.string())
			.meta({ description: "New name of each renamed parameter, by its old name" }),
		type_changed_parameters: z
			.record(
				z.string(),
				z.object({
					from: Schema,
					to: Schema,
					required: z
						.object({
							from: z.boolean().meta({ description: "Whether the pinned version requires it" }),
							to: z.boolean().meta({ description: "Whether the target version requires it" }),
						})
						.optional()
						.meta({ description: "Given if the parameter became required or optional" }),
				}),
			)
			.meta({
				description:
					"Parameters of the same name that accept other values now, or became required or optional",
			}),
		issues: z.array(UpgradeIssue).meta({ description: "Issues that block the upgrade" }),
		can_accept: z.boolean().meta({ description: "Whether an accept can succeed now" }),
		preparation_state: PreparationState,
		retry_after_seconds: z.int().min(1).max(60).nullable().meta({
			description:
				"Seconds to wait before the next preview, 1 to 60, equal to `Retry-After`. Null unless `preparation_state` is preparing.",
		}),
	})
	.meta({ id: "UpgradePreview" });
export type UpgradePreview = z.infer<typeof UpgradePreview>;

export const AcceptUpgrade = z
	.strictObject({
		to_version: versionOf("Version to pin the attachment to"),
		current_config_hash: hash("As in the preview"),
		current_tool_version_hash: hash("As in the preview"),
		target_tool_version_hash: hash("As in the preview"),
		acceptance_hash: hash("As in the preview"),
	})
	.meta({ id: "AcceptUpgrade" });
export type AcceptUpgrade = z.infer<typeof AcceptUpgrade>;

export const UpgradesQuery = z.strictObject({
	to_version: versionNumber.meta({ description: "Number of the target version" }),
});

/** Previews of all attachments of a tool, grouped by whether they can be accepted. */
export const UpgradeGroups = z
	.object({
		tool_id: Uuid,
		to_version: versionOf("Number of the target version"),
		ready: z.array(UpgradePreview).meta({ description: "Previews that can be accepted now" }),
		preparing: z.array(UpgradePreview).meta({
			description: "Previews that can be accepted once the target version is built",
		}),
		blocked: z
			.array(UpgradePreview)
			.meta({ description: "Previews with blocking issues, or of a failed build" }),
	})
	.meta({ id: "UpgradeGroups" });
export type UpgradeGroups = z.infer<typeof UpgradeGroups>;

/** Tool attachment of an agent with facts about its tool. */
export const Attachment = z
	.object({
		agent_id: Uuid,
		tool_name: z.string().meta({ description: "Name of the tool", example: "quote_parcel" }),
		tool_type: ToolType,
		latest_version: versionOf("Number of the latest published version").nullable(),
		upgrade_available: z
			.boolean()
			.meta({ description: "Whether a later version than the pinned one is published" }),
		...AgentToolRef.shape,
	})
	.meta({ id: "Attachment" });
export type Attachment = z.infer<typeof Attachment>;
