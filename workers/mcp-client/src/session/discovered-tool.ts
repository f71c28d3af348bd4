import type { Tool } from "@modelcontextprotocol/client";
import { CanonicalJsonError } from "@parley/canonical/jcs";
import type { DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import { findAnyDraftIssue } from "@parley/json-schema/any-draft";
import { schemaHash } from "@parley/mcp-servers/schema-hash";
import { ConnectFailure } from "./connect-failure.ts";

const MAX_NAME_CHARS = 255;
/** Maximum size of a stored tool. A pinned tool is one database row, and a drift report contains two tools. */
const MAX_TOOL_KIB = 128;

/** Control characters, bidirectional marks and lone surrogates. */
const NOT_ALLOWED_IN_NAMES = /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u;

/** Members of a server's tool that Parley stores. */
export type ToolDefinition = Pick<
	Tool,
	"name" | "title" | "description" | "annotations" | "inputSchema" | "outputSchema"
>;

/** Picks the members that are stored. */
export const toToolDefinition = ({
	name,
	title,
	description,
	annotations,
	inputSchema,
	outputSchema,
}: Tool): ToolDefinition => ({
	...{ name, inputSchema },
	...(title !== undefined && { title }),
	...(description !== undefined && { description }),
	...(annotations !== undefined && { annotations }),
	...(outputSchema !== undefined && { outputSchema }),
});

/**
 * Returns the stored size of a tool in bytes.
 * @throws ConnectFailure `unsupported_contract` if the tool is too large to be stored.
 */
export function storedSizeOf(tool: Tool): number {
	const bytes = new TextEncoder().encode(JSON.stringify(toToolDefinition(tool))).byteLength;
	if (bytes > MAX_TOOL_KIB * 1024)
		throw unsupported(`The tool ${tool.name} is larger than ${MAX_TOOL_KIB} KiB`);
	return bytes;
}

/**
 * Validates a scrubbed tool and returns its stored form with its hash.
 * @throws ConnectFailure `unsupported_contract` for a tool that agents cannot attach.
 */
export async function toDiscoveredTool(tool: ToolDefinition): Promise<DiscoveredTool> {
	const { name, title = null, description = "", annotations = null, inputSchema, outputSchema } = tool;
	if (name === "" || name.length > MAX_NAME_CHARS)
		throw unsupported(`A tool's name must be 1 to ${MAX_NAME_CHARS} characters long`);
	if (NOT_ALLOWED_IN_NAMES.test(name))
		throw unsupported(`The name of the tool ${name} contains characters that cannot be displayed`);
	const issues = {
		inputSchema: findAnyDraftIssue(inputSchema),
		outputSchema: outputSchema && findAnyDraftIssue(outputSchema),
	};
	for (const [member, issue] of Object.entries(issues))
		if (issue) throw unsupported(`The ${member} of the tool ${name} is not usable: ${issue}`);
	const content = {
		...{ name, title, description, annotations, input_schema: inputSchema as Record<string, unknown> },
		output_schema: (outputSchema as Record<string, unknown> | undefined) ?? null,
	};
	return { ...content, schema_hash: await hashOf(content) };
}

async function hashOf(content: Omit<DiscoveredTool, "schema_hash">): Promise<string> {
	try {
		return await schemaHash(content);
	} catch (error) {
		if (!(error instanceof CanonicalJsonError)) throw error;
		throw unsupported(`The tool ${content.name} cannot be written as JSON: ${error.message}`);
	}
}

const unsupported = (reason: string): ConnectFailure => new ConnectFailure("unsupported_contract", reason);
