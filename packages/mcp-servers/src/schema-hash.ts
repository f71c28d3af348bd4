import { labelledHash } from "@parley/canonical/hash";
import type { DiscoveredTool } from "@parley/contracts/agents/mcp-servers";

/** Hashes a tool by the current rule, which covers every member that an agent relies on. */
export const schemaHash = ({ schema_hash, ...content }: ToolContent): Promise<string> =>
	labelledHash("parley.mcp-tool.v2", content);

/**
 * Hashes a tool by the older rule, which left out title and annotations. A pin made under it is compared under it until its
 * drift is accepted.
 */
export const olderSchemaHash = ({
	name,
	description,
	input_schema,
	output_schema,
}: ToolContent): Promise<string> =>
	labelledHash("parley.mcp-tool.v1", { name, description, input_schema, output_schema });

/** Returns true if a tool has not changed since it was pinned, under the hash rule of the pin. */
export const matchesPin = async (tool: DiscoveredTool, pin: string): Promise<boolean> =>
	tool.schema_hash === pin || (await olderSchemaHash(tool)) === pin;

type ToolContent = Omit<DiscoveredTool, "schema_hash"> & { schema_hash?: string };
