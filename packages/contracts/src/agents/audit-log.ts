import { z } from "zod";
import { pageOf, pageQuery, Timestamp, Uuid } from "../shared/common.ts";

export const AuditResource = z
	.enum(["agent", "api_key", "call", "mcp_server", "secret", "session", "tool", "user"])
	.meta({ id: "AuditResource", description: "Kind of the resource that was changed" });
export type AuditResource = z.infer<typeof AuditResource>;

/** Action of an audit entry: a noun and its verb, `secret.rotate`. */
export type AuditAction = `${AuditResource}.${string}`;

/** One change: who did what to which resource, in which request. Details never contain a secret value. */
export const AuditEntry = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		actor: z.string().meta({
			description: "Who made the change: `api_key:<id>`, `user:<id>` or `system`",
			example: "api_key:01938f5e-7c00-7000-8000-000000000001",
		}),
		action: z.string().meta({ description: "Resource and verb", example: "agent.update" }),
		resource_type: AuditResource,
		resource_id: z.string().meta({ description: "Id of the resource" }),
		resource_name: z.string().meta({ description: "Name of the resource at that time" }),
		details: z
			.record(z.string(), z.unknown())
			.meta({ description: "Facts about the change, which depend on the action. Never a secret value." }),
		request_id: z.string().meta({ description: "Id of the request that made the change" }),
		created_at: Timestamp.meta({ description: "Time of the change" }),
	})
	.meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditPage = pageOf(AuditEntry).meta({ id: "AuditPage" });

export const AuditQuery = z.strictObject({
	...pageQuery(50, 200),
	actor: z.string().min(1).max(128).optional().meta({ description: "Exact actor, such as `api_key:<id>`" }),
	action: z.string().min(1).max(64).optional().meta({ description: "Exact action, such as `secret.rotate`" }),
	resource_type: AuditResource.optional(),
	resource_id: z.string().min(1).max(128).optional().meta({ description: "Exact id of the resource" }),
	since: Timestamp.optional().meta({ description: "Earliest time of a change, inclusive" }),
	until: Timestamp.optional().meta({
		description: "Latest time of a change, exclusive",
	}),
});
export type AuditQuery = z.infer<typeof AuditQuery>;
