import { createApp } from "@parley/http/app";
import { mcpPlane } from "@parley/http/planes/planes";
import { managementRoutes } from "./management/management.routes.ts";
import { addChallenge } from "./protocol/challenge.ts";
import { checkOrigin } from "./protocol/origin.ts";

export const app = createApp<Env>(
	{
		plane: mcpPlane,
		title: "Parley MCP servers",
		description: "Endpoints for MCP clients (streamable HTTP, stateless).",
		tags: {
			MCP: "Endpoints for MCP clients: one per agent, one for management. Any client that speaks streamable HTTP connects with a URL and a key.",
		},
		middleware: [addChallenge, checkOrigin],
	},
	[managementRoutes],
);
