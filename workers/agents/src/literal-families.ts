import { createAgentsRouter } from "./context.ts";

const FAMILIES = ["tools", "mcp-servers", "secrets", "audit-log"];

/**
 * Stands behind the families' own routes and before the agents': a path in a family that no route took is no resource,
 * and never an agent whose id is `tools`.
 */
export const literalFamilies = createAgentsRouter();

for (const family of FAMILIES) {
	literalFamilies.app.all(`/v1/agents/${family}/*`, (c) => c.notFound());
}
