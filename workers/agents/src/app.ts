import { createApp } from "@parley/http/app";
import { agentsPlane } from "@parley/http/planes";
import { agentsRoutes } from "./agents/agents.routes.ts";
import { mcpAttachmentsRoutes } from "./agents/attachments/mcp-attachments.routes.ts";
import { agentImportRoutes } from "./agents/import/agent-import.routes.ts";
import { agentVersionsRoutes } from "./agents/versions/agent-versions.routes.ts";
import { auditLogRoutes } from "./audit-log/audit-log.routes.ts";
import { callsRoutes } from "./calls/calls.routes.ts";
import { createAgentsRouter } from "./context.ts";
import { mcpServersRoutes } from "./mcp-servers/mcp-servers.routes.ts";
import { toolRunsRoutes } from "./runs/tool-runs.routes.ts";
import { secretsRoutes } from "./secrets/secrets.routes.ts";
import { toolsRoutes } from "./tools/tools.routes.ts";
import { toolVersionsRoutes } from "./tools/versions/tool-versions.routes.ts";
import { upgradesRoutes } from "./upgrades/upgrades.routes.ts";

/** First segments that are never an agent's id: a path below them that no operation takes is not found. */
const RESERVED = ["tools", "mcp-servers", "secrets", "audit-log"];

/** Comes after the routers of the reserved paths and before those of the agents. */
const reservedPaths = createAgentsRouter();
for (const segment of RESERVED) reservedPaths.app.all(`/v1/agents/${segment}/*`, (c) => c.notFound());

export const app = createApp<Env>(
	{
		plane: agentsPlane,
		title: "Parley agents API",
		description: "Tools, agents, the vault and MCP servers of an organisation.",
		tags: {
			Vault: "Variables, which can be read, and secrets, which cannot; both are referred to as {{$NAME}}.",
			Tools:
				"What an agent can do: drafts that a run proves, and the immutable versions published of them. How to write one in Python: docs/how-to/write-a-code-tool.md.",
			Upgrades: "How an attachment moves from one published version of its tool to another.",
			"MCP servers":
				"External servers whose tools agents may use. From create to drift, and how health is found out: docs/how-to/connect-an-mcp-server.md.",
			"Audit log": "Who changed what.",
			Agents: "Configurations of voice agents, with every version that they had.",
			Calls: "Records of the calls that a voice runtime places.",
		},
	},
	[
		secretsRoutes,
		toolsRoutes,
		toolVersionsRoutes,
		toolRunsRoutes,
		upgradesRoutes,
		mcpServersRoutes,
		auditLogRoutes,
		reservedPaths,
		agentImportRoutes,
		agentVersionsRoutes,
		mcpAttachmentsRoutes,
		callsRoutes,
		agentsRoutes,
	],
);
