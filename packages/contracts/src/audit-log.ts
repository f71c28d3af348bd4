import { z } from "zod";
import { pageOf, pageQuery, Timestamp, Uuid } from "./common.ts";

export const AuditResource = z
	.enum(["agent", "api_key", "call", "mcp_server", "secret", "tool"])
	.meta({ id: "AuditResource", description: "What kind of thing was changed" });
export type AuditResource = z.infer<typeof AuditResource>;

/** What was done: the noun and its verb, `secret.rotate`. */
export type AuditAction = `${AuditResource}.${string}`;

/** One change: who did what to which resource, in which request. Details never hold a secret value. */
export const AuditEntry = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		actor: z.string().meta({ example: "api_key:01938f5e-7c00-7000-8000-000000000001" }),
		action: z.string().meta({ example: "agent.update" }),
		resource_type: AuditResource,
		resource_id: z.string(),
		resource_name: z.string(),
		details: z.record(z.string(), z.unknown()),
		request_id: z.string(),
		created_at: Timestamp,
	})
	.meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditPage = pageOf(AuditEntry).meta({ id: "AuditPage" });

export const AuditQuery = z.strictObject({
	...pageQuery(50, 200),
	actor: z.string().min(1).max(128).optional(),
	action: z.string().min(1).max(64).optional(),
	resource_type: AuditResource.optional(),
	resource_id: z.string().min(1).max(128).optional(),
	since: Timestamp.optional().meta({ description: "Changes at this time or later" }),
	until: Timestamp.optional().meta({ description: "Changes before this time" }),
});
export type AuditQuery = z.infer<typeof AuditQuery>;
