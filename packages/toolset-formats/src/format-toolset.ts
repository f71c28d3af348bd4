import { type AnthropicTool, formatAnthropicTool } from "./anthropic.ts";
import { formatGeminiTool, type GeminiTool } from "./gemini.ts";
import {
	formatOpenAiRealtimeTool,
	formatOpenAiTool,
	type OpenAiRealtimeTool,
	type OpenAiTool,
} from "./openai.ts";
import type { FormattedTool, ToolDefinition } from "./schema.ts";

export const TOOLSET_FORMATS = ["json_schema", "openai", "openai_realtime", "anthropic", "gemini"] as const;
export type ToolsetFormat = (typeof TOOLSET_FORMATS)[number];

export type VendorTool = ToolDefinition | OpenAiTool | OpenAiRealtimeTool | AnthropicTool | GeminiTool;

export type Toolset = { tools: VendorTool[]; warnings: { tool: string; message: string }[] };

const FORMATTERS: Record<ToolsetFormat, (definition: ToolDefinition) => FormattedTool<VendorTool>> = {
	json_schema: (tool) => ({ tool, warnings: [] }),
	openai: formatOpenAiTool,
	openai_realtime: formatOpenAiRealtimeTool,
	anthropic: formatAnthropicTool,
	gemini: formatGeminiTool,
};

/**
 * Formats tools for a vendor, in the order given. A tool that the vendor could not call is left out, so that it does not break
 * the others. Every difference from the tool's own schema has a warning.
 */
export function formatToolset(format: ToolsetFormat, definitions: readonly ToolDefinition[]): Toolset {
	const formatted = definitions.map((definition) => ({
		name: definition.name,
		...FORMATTERS[format](definition),
	}));
	return {
		tools: formatted.flatMap(({ tool }) => tool ?? []),
		warnings: formatted.flatMap(({ name, warnings }) => warnings.map((message) => ({ tool: name, message }))),
	};
}
