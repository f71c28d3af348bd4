import { createApp } from "@parley/http/app";
import { agentsPlane } from "@parley/http/planes/planes";
import { agentsRoutes } from "./agents/agents.routes.ts";
import { mcpAttachmentsRoutes } from "./agents/attachments/mcp-attachments.routes.ts";
import { agentImportRoutes } from "./agents/import/agent-import.routes.ts";
import { agentVersionsRoutes } from "./agents/versions/agent-versions.routes.ts";
import { auditLogRoutes } from "./audit-log/audit-log.routes.ts";
import { callsRoutes } from "./calls/calls.routes.ts";
import { createAgentsRouter } from "./context.ts";
import { mcpServersRoutes } from "./mcp-servers/mcp-servers.routes.ts";
import { toolRunsRoutes } from "./runs/tool-runs.routes.ts";
import { eventsRoutes } from "./runtime/events/events.routes.ts";
import { sessionsRoutes } from "./runtime/sessions/sessions.routes.ts";
import { toolCallsRoutes } from "./runtime/tool-calls/tool-calls.routes.ts";
import { toolsetRoutes } from "./runtime/toolset/toolset.routes.ts";
import { secretsRoutes } from "./secrets/secrets.routes.ts";
import { toolCasesRoutes } from "./tools/cases/tool-cases.routes.ts";
import { toolsRoutes } from "./tools/tools.routes.ts";
import { toolVersionsRoutes } from "./tools/versions/tool-versions.routes.ts";
import { upgradesRoutes } from "./upgrades/upgrades.routes.ts";

/** Path segments that are never an agent's id. An unknown path below them is not found. */
const RESERVED = ["tools", "mcp-servers", "secrets", "audit-log"];

/** Answers unknown reserved paths. Must be registered after their routers and before the routers of agents. */
const reservedPaths = createAgentsRouter();
for (const segment of RESERVED) reservedPaths.app.all(`/v1/agents/${segment}/*`, (c) => c.notFound());

export const app = createApp<Env>(
	{
		plane: agentsPlane,
		title: "Parley agents API",
		description: "Tools, agents, the vault and MCP servers of an organisation.",
		tags: {
			Vault:
				"Variables, which can be read, and secrets, which are write-only. Both are referred to as `{{$NAME}}`.",
			Tools:
				'Functions that an agent can call. A draft is proved by a run and published as immutable versions, which agents attach. The guide "Write a code tool" shows how to write one in Python.',
			"Test cases":
				"Arguments of a tool with the result that they must give. Cases run against the draft or a version, real or with mocked responses.",
			Upgrades: "Moving an attachment to another published version of its tool: preview, then accept.",
			"MCP servers":
				"External servers whose tools agents may use. From create to drift, and how health is found out: docs/how-to/connect-an-mcp-server.md.",
			"Audit log": "Record of all changes: who changed what, and when.",
			Runtime:
				"What a live agent uses: sessions, its toolset and its calls. Agent keys and session tokens work here, and only for their agent.",
			Agents: "Configurations of voice agents with all their versions.",
			"Tool calls": "Calls of an agent's tools by its model or by events, and their records.",
			Calls: "Records of the calls that a voice runtime places and reports.",
		},
	},
	[
		secretsRoutes,
		toolsRoutes,
		toolVersionsRoutes,
		toolRunsRoutes,
		toolCasesRoutes,
		upgradesRoutes,
		mcpServersRoutes,
		auditLogRoutes,
		reservedPaths,
		agentImportRoutes,
		agentVersionsRoutes,
		mcpAttachmentsRoutes,
		callsRoutes,
		toolCallsRoutes,
		eventsRoutes,
		sessionsRoutes,
		toolsetRoutes,
		agentsRoutes,
	],
);
