import {
	CapabilityChangePage,
	CapabilityChangeQuery,
	ConnectResult,
	CreateMcpServer,
	McpServer,
	McpServerListItem,
	McpServerQuery,
	UpdateMcpServer,
} from "@parley/contracts/agents/mcp-servers";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../context.ts";
import { connectMcpServer } from "./connect-mcp-server.ts";
import { deleteMcpServer } from "./delete-mcp-server.ts";
import { getMcpServer, listCapabilityChanges, listMcpServers } from "./mcp-servers.service.ts";
import { createMcpServer, updateMcpServer } from "./write-mcp-server.ts";

export const mcpServersRoutes = createAgentsRouter();

const tag = "MCP servers";
const params = z.object({ server_id: Uuid });

mcpServersRoutes.route(
	{
		method: "get",
		path: "/v1/agents/mcp-servers",
		operationId: "listMcpServers",
		summary: "List MCP servers",
		description:
			"Returns the MCP servers that are not deleted, ordered by name and id, with the health of each. `name` matches exactly and may be repeated.",
		tag,
		access: "mcp:read",
		mcp: true,
		query: McpServerQuery,
		response: z.array(McpServerListItem),
	},
	({ ctx, query }) => listMcpServers(ctx, query),
);

mcpServersRoutes.route(
	{
		method: "post",
		path: "/v1/agents/mcp-servers",
		operationId: "createMcpServer",
		summary: "Register an MCP server",
		description: "Nothing is sent to it before a connect. Its tools can be attached once it is healthy.",
		tag,
		access: "mcp:write",
		mcp: true,
		body: CreateMcpServer,
		status: 201,
		location: "/v1/agents/mcp-servers/{id}",
		response: McpServer,
		errors: ["MCP_SERVER_NAME_CONFLICT"],
		idempotent: true,
	},
	({ ctx, body }) => createMcpServer(ctx, body),
);

mcpServersRoutes.route(
	{
		method: "get",
		path: "/v1/agents/mcp-servers/{server_id}",
		operationId: "getMcpServer",
		summary: "Get an MCP server",
		description:
			"Returns the server with its health and the tools of the last successful listing. A failed attempt keeps that list.",
		tag,
		access: "mcp:read",
		mcp: true,
		params,
		response: McpServer,
		errors: ["RESOURCE_NOT_FOUND"],
		etag: true,
	},
	({ ctx, params }) => getMcpServer(ctx, params.server_id),
);

mcpServersRoutes.route(
	{
		method: "patch",
		path: "/v1/agents/mcp-servers/{server_id}",
		operationId: "updateMcpServer",
		summary: "Change an MCP server",
		description: "Its status is unknown until the next connect or refresh; the last good tool list stays.",
		tag,
		access: "mcp:write",
		mcp: true,
		params,
		body: UpdateMcpServer,
		response: McpServer,
		errors: ["RESOURCE_NOT_FOUND", "MCP_SERVER_NAME_CONFLICT", "REVISION_CONFLICT"],
		etag: true,
	},
	({ ctx, params, body }) => updateMcpServer(ctx, params.server_id, body),
);

mcpServersRoutes.route(
	{
		method: "delete",
		path: "/v1/agents/mcp-servers/{server_id}",
		operationId: "deleteMcpServer",
		summary: "Delete an MCP server",
		description:
			"Deletes a server that no active agent and no live call uses. Otherwise the answer is 409 `MCP_SERVER_IN_USE` with the blockers.",
		tag,
		access: "mcp:write",
		params,
		errors: ["RESOURCE_NOT_FOUND", "MCP_SERVER_IN_USE", "REVISION_CONFLICT"],
		etag: true,
	},
	({ ctx, params }) => deleteMcpServer(ctx, params.server_id),
);

mcpServersRoutes.route(
	{
		method: "post",
		path: "/v1/agents/mcp-servers/{server_id}/connect",
		operationId: "connectMcpServer",
		summary: "Connect to an MCP server now and list its tools",
		description:
			"Ends within 15 seconds. A server that cannot be connected to is a result: `error` says at which stage, why, and what to do. While the circuit is open, one connect in 5 seconds goes to the server; the others return `circuit_open` with the last failure. A connect that succeeds closes the circuit.",
		tag,
		access: "mcp:connect",
		mcp: { openWorldHint: true },
		rate: "run",
		params,
		response: ConnectResult,
		errors: ["RESOURCE_NOT_FOUND"],
		idempotent: true,
	},
	({ ctx, params }) => connectMcpServer(ctx, params.server_id),
);

mcpServersRoutes.route(
	{
		method: "get",
		path: "/v1/agents/mcp-servers/{server_id}/capability-changes",
		operationId: "listCapabilityChanges",
		summary: "List changes of a server's tools",
		description:
			"Newest first. A connect or a refresh that finds another tool list records what it added, removed and changed, with a JSON diff of each changed tool. Keeps the last 100 changes, and less when they take more than 1 MiB.",
		tag,
		access: "mcp:read",
		mcp: true,
		params,
		query: CapabilityChangeQuery,
		response: CapabilityChangePage,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => listCapabilityChanges(ctx, params.server_id, query),
);
