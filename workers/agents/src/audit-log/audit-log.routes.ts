import { AuditPage, AuditQuery } from "@parley/contracts/agents/audit-log";
import { createAgentsRouter } from "../context.ts";
import { listAuditLog } from "./audit-log.service.ts";

export const auditLogRoutes = createAgentsRouter();

auditLogRoutes.route(
	{
		method: "get",
		path: "/v1/agents/audit-log",
		operationId: "listAuditLog",
		summary: "List audit log entries",
		description: "Lists who changed what, newest first. Entries never contain secret values.",
		tag: "Audit log",
		access: "audit:read",
		query: AuditQuery,
		response: AuditPage,
	},
	({ ctx, query }) => listAuditLog(ctx, query),
);
