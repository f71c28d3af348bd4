import { z } from "zod";
import { Timestamp, Uuid } from "./common.ts";

export const VaultName = z
	.string()
	.regex(/^[A-Z][A-Z0-9_]{0,63}$/, "Must be 1 to 64 capital letters, digits and underscores, a letter first")
	.meta({ id: "VaultName", example: "CRM_TOKEN" });

export const VaultKind = z
	.enum(["secret", "variable"])
	.meta({ id: "VaultKind", description: "A secret is write-only; a variable can be read" });
export type VaultKind = z.infer<typeof VaultKind>;

const Value = z.string().min(1).max(10_000);
const Description = z.string().max(2000);

/** A vault entry as it is answered. `value` is null for secrets, and without the scope `vault:read`. */
export const VaultEntry = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		name: VaultName,
		kind: VaultKind,
		description: z.string(),
		value: z.string().nullable(),
		has_value: z.boolean(),
		is_managed: z.boolean().meta({ description: "Managed by the service rather than the organisation" }),
		revision: z.int().min(1),
		created_by: z.string(),
		last_rotated_by: z.string(),
		last_rotated_at: Timestamp,
		created_at: Timestamp,
		updated_at: Timestamp,
	})
	.meta({ id: "VaultEntry" });
export type VaultEntry = z.infer<typeof VaultEntry>;

export const CreateSecret = z
	.strictObject({
		name: VaultName,
		kind: VaultKind.default("secret"),
		value: Value,
		description: Description.default(""),
	})
	.meta({ id: "CreateSecret" });
export type CreateSecret = z.infer<typeof CreateSecret>;

export const RotateSecret = z
	.strictObject({ value: Value, expected_revision: z.int().min(1).optional() })
	.meta({ id: "RotateSecret" });
export type RotateSecret = z.infer<typeof RotateSecret>;

export const DescribeSecret = z.strictObject({ description: Description }).meta({ id: "DescribeSecret" });
export type DescribeSecret = z.infer<typeof DescribeSecret>;

/** One place that uses an entry. `draft` and `active` uses stop its deletion, `historical` ones do not. */
export const VaultReference = z
	.object({
		resource_type: z.enum(["agent", "tool", "mcp_server", "agent_version", "tool_version"]),
		resource_id: Uuid,
		resource_name: z.string(),
		location: z.string().meta({ example: "config.auth.secret_name" }),
		classification: z.enum(["active", "draft", "historical"]),
		blocks_delete: z.boolean(),
	})
	.meta({ id: "VaultReference" });
export type VaultReference = z.infer<typeof VaultReference>;
