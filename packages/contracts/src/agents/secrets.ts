import { z } from "zod";
import { nameFilter, Timestamp, Uuid } from "../shared/common.ts";

export const VaultName = z
	.string()
	.regex(/^[A-Z][A-Z0-9_]{0,63}$/, "Must be 1 to 64 capital letters, digits and underscores, a letter first")
	.meta({
		id: "VaultName",
		description:
			"Name of the vault entry: 1 to 64 capital letters, digits and underscores, starting with a letter. Unique in the organisation.",
		example: "CRM_TOKEN",
	});

export const VaultKind = z
	.enum(["secret", "variable"])
	.meta({ id: "VaultKind", description: "A secret is write-only. A variable can be read. Default secret." });
export type VaultKind = z.infer<typeof VaultKind>;

const Value = z.string().min(1).max(10_000).meta({
	description:
		"Value of the entry, 1 to 10,000 characters. Outputs and logs of runs and connections redact it: from 6 characters everywhere, with 4 or 5 as a whole word only, with fewer not at all.",
});
const Description = z
	.string()
	.max(2000)
	.meta({ description: "Purpose of the entry, at most 2000 characters. Default empty." });
const StoredDescription = z
	.string()
	.meta({ description: "Purpose of the entry", example: "Token of the CRM" });
const actor = (description: string) =>
	z.string().meta({
		description: `${description}: \`api_key:<id>\` or \`user:<id>\``,
		example: "api_key:01938f5e-7c00-7000-8000-000000000001",
	});

/** Vault entry as it is answered. `value` is null for secrets, and without the scope `vault:read`. */
export const VaultEntry = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		name: VaultName,
		kind: VaultKind,
		description: StoredDescription,
		value: z.string().nullable().meta({
			description: "Value of a variable. Null for a secret, and without the scope `vault:read`.",
			example: null,
		}),
		has_value: z.boolean().meta({ description: "Always true: every entry has a value, secrets too" }),
		is_managed: z.boolean().meta({
			description: "Whether the service manages the entry. Such an entry cannot be deleted.",
			example: false,
		}),
		revision: z.int().min(1).meta({ description: "Number of the value. Each rotation adds one." }),
		created_by: actor("Who created the entry"),
		last_rotated_by: actor("Who set the current value"),
		last_rotated_at: Timestamp.meta({ description: "Time at which the current value was set" }),
		created_at: Timestamp.meta({ description: "Time of creation" }),
		updated_at: Timestamp.meta({ description: "Time of the last change" }),
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
	.strictObject({
		value: Value,
		expected_revision: z.int().min(1).optional().meta({
			description:
				"Current revision. If given and another revision is current, the request is refused with 409.",
		}),
	})
	.meta({ id: "RotateSecret", example: { value: "4b8e07a6c1d94f52", expected_revision: 1 } });
export type RotateSecret = z.infer<typeof RotateSecret>;

export const DescribeSecret = z
	.strictObject({ description: Description })
	.meta({ id: "DescribeSecret", example: { description: "Token of the CRM, read only" } });
export type DescribeSecret = z.infer<typeof DescribeSecret>;

export const SecretQuery = z.strictObject(nameFilter(64));
export type SecretQuery = z.infer<typeof SecretQuery>;

/** One use of a vault entry. Active and draft uses block its deletion. */
export const VaultReference = z
	.object({
		resource_type: z
			.enum(["agent", "tool", "mcp_server", "agent_version", "tool_version"])
			.meta({ description: "Kind of the resource that uses the entry" }),
		resource_id: Uuid,
		resource_name: z.string().meta({ description: "Name of that resource", example: "crm" }),
		location: z
			.string()
			.meta({ description: "Dotted path of the use in that resource", example: "config.auth.secret_name" }),
		classification: z.enum(["active", "draft", "historical"]).meta({
			description:
				"active: in use by an active agent or a live MCP server. draft: in use by a tool draft or an inactive agent. historical: kept for the record only.",
		}),
		blocks_delete: z
			.boolean()
			.meta({ description: "Whether the use blocks the deletion of the entry. False for historical uses." }),
	})
	.meta({ id: "VaultReference" });
export type VaultReference = z.infer<typeof VaultReference>;
