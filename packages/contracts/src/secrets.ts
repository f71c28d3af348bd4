import { z } from "zod";
import { nameFilter, Timestamp, Uuid } from "./common.ts";

export const VaultName = z
	.string()
	.regex(/^[A-Z][A-Z0-9_]{0,63}$/, "Must be 1 to 64 capital letters, digits and underscores, a letter first")
	.meta({ id: "VaultName", example: "CRM_TOKEN" });

export const VaultKind = z
	.enum(["secret", "variable"])
	.meta({ id: "VaultKind", description: "A secret is write-only; a variable can be read" });
export type VaultKind = z.infer<typeof VaultKind>;

const Value = z.string().min(1).max(10_000).meta({
	description:
		"Whatever a run or a connection gives back has it redacted; 4 or 5 characters as a whole word only, fewer not at all",
});
const Description = z.string().max(2000);
const StoredDescription = z.string().meta({ example: "Token of the CRM" });
const ActorId = z.string().meta({ example: "api_key:01938f5e-7c00-7000-8000-000000000001" });

/** A vault entry as it is answered. `value` is null for secrets, and without the scope `vault:read`. */
export const VaultEntry = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		name: VaultName,
		kind: VaultKind,
		description: StoredDescription,
		value: z.string().nullable().meta({ description: "Null for a secret", example: null }),
		has_value: z.boolean(),
		is_managed: z
			.boolean()
			.meta({ description: "Managed by the service rather than the organisation", example: false }),
		revision: z.int().min(1),
		created_by: ActorId,
		last_rotated_by: ActorId,
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
	.meta({
		id: "CreateSecret",
		example: {
			...{ name: "CRM_TOKEN", kind: "secret", value: "9f2c61d0b7e84a35" },
			description: "Token of the CRM",
		},
	});
export type CreateSecret = z.infer<typeof CreateSecret>;

export const RotateSecret = z
	.strictObject({ value: Value, expected_revision: z.int().min(1).optional() })
	.meta({ id: "RotateSecret", example: { value: "4b8e07a6c1d94f52", expected_revision: 1 } });
export type RotateSecret = z.infer<typeof RotateSecret>;

export const DescribeSecret = z
	.strictObject({ description: Description })
	.meta({ id: "DescribeSecret", example: { description: "Token of the CRM, read only" } });
export type DescribeSecret = z.infer<typeof DescribeSecret>;

export const SecretQuery = z.strictObject(nameFilter(64));
export type SecretQuery = z.infer<typeof SecretQuery>;

/** One place that uses an entry. `draft` and `active` uses stop its deletion, `historical` ones do not. */
export const VaultReference = z
	.object({
		resource_type: z.enum(["agent", "tool", "mcp_server", "agent_version", "tool_version"]),
		resource_id: Uuid,
		resource_name: z.string().meta({ example: "crm" }),
		location: z.string().meta({ example: "config.auth.secret_name" }),
		classification: z.enum(["active", "draft", "historical"]),
		blocks_delete: z.boolean(),
	})
	.meta({ id: "VaultReference" });
export type VaultReference = z.infer<typeof VaultReference>;
