import { createApp } from "@parley/http/app";
import { agentsPlane } from "@parley/http/planes";

export const app = createApp<Env>(
	{
		plane: agentsPlane,
		title: "Parley agents API",
		version: "1.0.0",
		description: "Tools, agents, the vault and MCP servers of an organisation.",
	},
	[],
);
