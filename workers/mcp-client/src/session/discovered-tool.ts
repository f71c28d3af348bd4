import type { Tool } from "@modelcontextprotocol/client";
import { CanonicalJsonError } from "@parley/canonical/jcs";
import type { DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import { findAnyDraftIssue } from "@parley/json-schema/any-draft";
import { schemaHash } from "@parley/mcp-servers/schema-hash";
import { ConnectFailure } from "./connect-failure.ts";

const MAX_NAME = 255;
/** A tool that agents are pinned to is a row of the database, and every drift shows two of them. */
const MAX_TOOL_KIB = 128;

/** What cannot be in a name: control characters, marks that turn the direction of the text around it, half characters. */
const UNFIT_FOR_NAMES = /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u;

/** The members of a server's tool that are kept. */
export type OfferedTool = Pick<
	Tool,
	"name" | "title" | "description" | "annotations" | "inputSchema" | "outputSchema"
>;

export const keptOf = ({
	name,
	title,
	description,
	annotations,
	inputSchema,
	outputSchema,
}: Tool): OfferedTool => ({
	...{ name, inputSchema },
	...(title !== undefined && { title }),
	...(description !== undefined && { description }),
	...(annotations !== undefined && { annotations }),
	...(outputSchema !== undefined && { outputSchema }),
});

/**
 * What a tool takes where it is kept, in bytes.
 * @throws ConnectFailure `unsupported_contract` for a tool that is too large to be kept.
 */
export function sizeOf(tool: Tool): number {
	const bytes = new TextEncoder().encode(JSON.stringify(keptOf(tool))).byteLength;
	if (bytes > MAX_TOOL_KIB * 1024)
		throw unsupported(`The tool ${tool.name} is larger than ${MAX_TOOL_KIB} KiB`);
	return bytes;
}

/**
 * A tool as it is kept, from one that was scrubbed already.
 * @throws ConnectFailure `unsupported_contract` for a tool that nothing could be attached to.
 */
export async function toDiscoveredTool(tool: OfferedTool): Promise<DiscoveredTool> {
	const { name, title = null, description = "", annotations = null, inputSchema, outputSchema } = tool;
	if (name === "" || name.length > MAX_NAME)
		throw unsupported(`A tool's name has to be 1 to ${MAX_NAME} characters long`);
	if (UNFIT_FOR_NAMES.test(name))
		throw unsupported(`The name of the tool ${name} holds characters that cannot be shown`);
	const faults = {
		inputSchema: findAnyDraftIssue(inputSchema),
		outputSchema: outputSchema && findAnyDraftIssue(outputSchema),
	};
	for (const [member, fault] of Object.entries(faults))
		if (fault) throw unsupported(`The ${member} of the tool ${name} is not usable: ${fault}`);
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
