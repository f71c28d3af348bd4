import { createApp } from "@parley/http/app";
import { agentsPlane } from "@parley/http/planes";
import { agentImportRoutes } from "./agents/agent-import.routes.ts";
import { agentVersionsRoutes } from "./agents/agent-versions.routes.ts";
import { agentsRoutes } from "./agents/agents.routes.ts";
import { auditLogRoutes } from "./audit-log/audit-log.routes.ts";
import { callsRoutes } from "./calls/calls.routes.ts";
import { literalFamilies } from "./literal-families.ts";
import { mcpServersRoutes } from "./mcp-servers/mcp-servers.routes.ts";
import { secretsRoutes } from "./secrets/secrets.routes.ts";
import { toolRunsRoutes } from "./tools/runs/tool-runs.routes.ts";
import { toolVersionsRoutes } from "./tools/tool-versions.routes.ts";
import { toolsRoutes } from "./tools/tools.routes.ts";
import { upgradesRoutes } from "./upgrades/upgrades.routes.ts";

export const app = createApp<Env>(
	{
		plane: agentsPlane,
		title: "Parley agents API",
		version: "1.0.0",
		description: "Tools, agents, the vault and MCP servers of an organisation.",
	},
	[
		secretsRoutes,
		toolsRoutes,
		toolVersionsRoutes,
		toolRunsRoutes,
		upgradesRoutes,
		mcpServersRoutes,
		auditLogRoutes,
		literalFamilies,
		agentImportRoutes,
		agentVersionsRoutes,
		callsRoutes,
		agentsRoutes,
	],
);
