import { z } from "zod";
import { createMcpRouter } from "../context.ts";
import { serveMcp } from "../protocol/serve-mcp.ts";
import { createManagementEndpoint, MANAGEMENT_SERVER } from "./management.service.ts";

export const managementRoutes = createMcpRouter();

managementRoutes.route(
	{
		method: "post",
		path: "/v1/mcp",
		operationId: "serveManagementMcp",
		summary: "Serve MCP clients that manage Parley",
		description:
			"MCP endpoint (streamable HTTP, stateless; revisions 2025-06-18, 2025-11-25 and 2026-07-28). Its tools are operations of this API: list, get, create, update, run, publish, preview, accept, transcribe. A tool is listed only if the credential has its scope. Deleting, API keys and the vault are not offered.",
		tag: "MCP",
		access: "any-key",
		rate: "read",
		raw: { content: { "application/json": { schema: z.looseObject({ jsonrpc: z.literal("2.0") }) } } },
		response: z.looseObject({}),
	},
	({ ctx, request, reader }) =>
		serveMcp(request, reader, createManagementEndpoint(ctx, request), MANAGEMENT_SERVER),
);
