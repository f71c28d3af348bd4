import { z } from "zod";
import { AgentToolRef, ToolRef } from "./attachments.ts";
import { Uuid, versionNumber } from "./common.ts";
import { ToolType } from "./tool-config.ts";

const Hash = z.string().regex(/^[0-9a-f]{64}$/, "Must be 64 lowercase hex characters");
const VersionNumber = z.int().min(1);
const Schema = z.unknown().meta({ description: "A JSON Schema" });

const UPGRADE_ISSUES = [
	"OVERRIDE_OF_REMOVED_PARAMETER",
	"OVERRIDE_OF_RETYPED_PARAMETER",
	"REQUIRED_PARAMETER_UNFILLED",
	"VAULT_ENTRY_MISSING",
	"CONFIG_OVERRIDE_INVALID",
] as const;

/** A reason why an attachment cannot move as it stands. */
export const UpgradeIssue = z
	.object({
		code: z.enum(UPGRADE_ISSUES),
		message: z.string(),
		parameter: z.string().nullable().meta({ description: "The parameter it is about, if it is about one" }),
	})
	.meta({ id: "UpgradeIssue" });
export type UpgradeIssue = z.infer<typeof UpgradeIssue>;

export const PreparationState = z.enum(["ready", "preparing", "failed"]).meta({ id: "PreparationState" });
export type PreparationState = z.infer<typeof PreparationState>;

/** What moving an attachment to another published version would do; the answer to an accept says what it did. */
export const UpgradePreview = z
	.object({
		agent_id: Uuid,
		attachment_id: Uuid,
		tool_id: Uuid,
		from_version: VersionNumber,
		to_version: VersionNumber,
		current_config_hash: Hash,
		current_tool_version_hash: Hash,
		target_tool_version_hash: Hash,
		acceptance_hash: Hash,
		reconciled_attachment: ToolRef,
		added_parameters: z.array(z.object({ name: z.string(), required: z.boolean(), schema: Schema })),
		removed_parameters: z.array(z.object({ name: z.string(), schema: Schema })),
		renamed_parameters: z.record(z.string(), z.string()).meta({ description: "Old name to new name" }),
		type_changed_parameters: z
			.record(
				z.string(),
				z.object({
					from: Schema,
					to: Schema,
					required: z.object({ from: z.boolean(), to: z.boolean() }).optional(),
				}),
			)
			.meta({ description: "`required` is there when the parameter became required or optional" }),
		issues: z.array(UpgradeIssue),
		can_accept: z.boolean(),
		preparation_state: PreparationState,
		retry_after_seconds: z.int().min(1).max(60).nullable().meta({
			description: "Equal to Retry-After while the target version is being prepared, null otherwise",
		}),
	})
	.meta({ id: "UpgradePreview" });
export type UpgradePreview = z.infer<typeof UpgradePreview>;

export const AcceptUpgrade = z
	.strictObject({
		to_version: VersionNumber,
		current_config_hash: Hash,
		current_tool_version_hash: Hash,
		target_tool_version_hash: Hash,
		acceptance_hash: Hash,
	})
	.meta({ id: "AcceptUpgrade" });
export type AcceptUpgrade = z.infer<typeof AcceptUpgrade>;

export const UpgradesQuery = z.strictObject({ to_version: versionNumber });

/** Every attachment of a tool with its preview: those that can be accepted now, those to ask again, those in the way. */
export const UpgradeGroups = z
	.object({
		tool_id: Uuid,
		to_version: VersionNumber,
		ready: z.array(UpgradePreview),
		preparing: z.array(UpgradePreview),
		blocked: z.array(UpgradePreview),
	})
	.meta({ id: "UpgradeGroups" });
export type UpgradeGroups = z.infer<typeof UpgradeGroups>;

/** A tool attachment of an agent beside what is known of its tool. */
export const Attachment = z
	.object({
		agent_id: Uuid,
		tool_name: z.string(),
		tool_type: ToolType,
		latest_version: VersionNumber.nullable(),
		upgrade_available: z.boolean().meta({ description: "A later version than the pinned one is published" }),
		...AgentToolRef.shape,
	})
	.meta({ id: "Attachment" });
export type Attachment = z.infer<typeof Attachment>;
