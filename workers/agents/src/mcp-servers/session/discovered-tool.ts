import type { Tool } from "@modelcontextprotocol/client";
import { labelledHash } from "@parley/canonical/hash";
import type { DiscoveredTool } from "@parley/contracts/mcp-servers";
import { ConnectFailure } from "./connect-failure.ts";
import { schemaFault } from "./schema-fault.ts";

const MAX_NAME = 255;

/**
 * A tool as it is kept, from one that was scrubbed already.
 * @throws ConnectFailure `unsupported_contract` for a tool that nothing could be attached to.
 */
export async function toDiscoveredTool(tool: Tool): Promise<DiscoveredTool> {
	const { name, description = "", inputSchema, outputSchema } = tool;
	if (name === "" || name.length > MAX_NAME)
		throw unsupported(`A tool's name has to be 1 to ${MAX_NAME} characters long`);
	const faults = {
		inputSchema: schemaFault(inputSchema),
		outputSchema: outputSchema && schemaFault(outputSchema),
	};
	for (const [member, fault] of Object.entries(faults))
		if (fault) throw unsupported(`The ${member} of the tool ${name} is not usable: ${fault}`);
	const content = {
		...{ name, description, input_schema: inputSchema as Record<string, unknown> },
		output_schema: (outputSchema as Record<string, unknown> | undefined) ?? null,
	};
	return { ...content, schema_hash: await labelledHash("parley.mcp-tool.v1", content) };
}

const unsupported = (reason: string): ConnectFailure => new ConnectFailure("unsupported_contract", reason);
