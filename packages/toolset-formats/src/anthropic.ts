import { toPlainRoot, withoutForeignNames } from "./root.ts";
import type { FormattedTool, Schema, ToolDefinition } from "./schema.ts";

export type AnthropicTool = { name: string; description: string; input_schema: Schema };

const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Formats a tool for the Messages API. Source: Anthropic, "Tool use", November 2026. */
export function formatAnthropicTool({
	name,
	description,
	parameters,
}: ToolDefinition): FormattedTool<AnthropicTool> {
	const warnings: string[] = [];
	const input_schema = withoutForeignNames(toPlainRoot(parameters, warnings), PROPERTY_NAME, warnings);
	return { tool: input_schema && { name, description, input_schema }, warnings };
}
