import { labelledHash } from "@parley/canonical/hash";
import type { DiscoveredTool } from "@parley/contracts/agents/mcp-servers";

/** Hashes a tool by the present rule: everything about it that an agent relies on. */
export const schemaHash = ({ schema_hash, ...content }: ToolContent): Promise<string> =>
	labelledHash("parley.mcp-tool.v2", content);

/**
 * Hashes a tool by the older rule, which left out title and annotations. Pins that were made by it are compared by it until
 * they are accepted again.
 */
export const olderSchemaHash = ({
	name,
	description,
	input_schema,
	output_schema,
}: ToolContent): Promise<string> =>
	labelledHash("parley.mcp-tool.v1", { name, description, input_schema, output_schema });

/** Whether a tool is as it was pinned, by the rule that the pin was made by. */
export const matchesPin = async (tool: DiscoveredTool, pin: string): Promise<boolean> =>
	tool.schema_hash === pin || (await olderSchemaHash(tool)) === pin;

type ToolContent = Omit<DiscoveredTool, "schema_hash"> & { schema_hash?: string };
