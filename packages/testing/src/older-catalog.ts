import type { DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import { olderSchemaHash } from "@parley/mcp-servers/schema-hash";

/** Makes a server's stored tool list one of before title and annotations were kept, with hashes by the older rule. */
export async function makeOlder(
	d1: D1Database,
	serverId: string,
	tools: readonly DiscoveredTool[],
): Promise<void> {
	const older = tools.map(async ({ title, annotations, ...tool }) => ({
		...tool,
		schema_hash: await olderSchemaHash({ title, annotations, ...tool }),
	}));
	const stored = await Promise.all(older);
	const hashes = Object.fromEntries(stored.map(({ name, schema_hash }) => [name, schema_hash]));
	await d1
		.prepare("update mcp_catalogs set tools = ?, hashes = ?, older_hashes = null where server_id = ?")
		.bind(JSON.stringify(stored), JSON.stringify(hashes), serverId)
		.run();
}
