import { type AnthropicTool, formatAnthropicTool } from "./anthropic.ts";
import { toCurrentDraft } from "./draft.ts";
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

const inCurrentDraft = (definition: ToolDefinition): ToolDefinition => ({
	...definition,
	parameters: toCurrentDraft(definition.parameters),
});

function formatTool(format: ToolsetFormat, definition: ToolDefinition): FormattedTool<VendorTool> {
	if (format === "json_schema") return FORMATTERS[format](definition);
	try {
		return FORMATTERS[format](inCurrentDraft(definition));
	} catch (error) {
		// More levels than there is stack.
		if (!(error instanceof RangeError)) throw error;
		return { tool: undefined, warnings: ["the schema is nested too deeply: the tool is left out"] };
	}
}

/**
 * Formats tools for a vendor, in the order given. A tool that the vendor could not call is left out, so that it does not break
 * the others. Every difference from the tool's own schema has a warning.
 */
export function formatToolset(format: ToolsetFormat, definitions: readonly ToolDefinition[]): Toolset {
	const formatted = definitions.map((definition) => ({
		name: definition.name,
		...formatTool(format, definition),
	}));
	return {
		tools: formatted.flatMap(({ tool }) => tool ?? []),
		warnings: formatted.flatMap(({ name, warnings }) => warnings.map((message) => ({ tool: name, message }))),
	};
}
