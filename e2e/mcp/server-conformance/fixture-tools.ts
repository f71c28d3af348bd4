// Tools that the conformance suite expects of a server. Parley has them as tools of an attached MCP server.
import { type CallableTool, textResult } from "@parley/testing/mcp-peers/callable";

const none = { type: "object" as const, properties: {} };

export const FIXTURE_TOOLS: CallableTool[] = [
	{
		...{ name: "test_simple_text", description: "Returns a text", inputSchema: none },
		call: () => textResult("This is a simple text response for testing."),
	},
	{
		...{ name: "test_error_handling", description: "Fails", inputSchema: none },
		call: () => ({
			...textResult("This tool intentionally returns an error for testing"),
			isError: true,
		}),
	},
	{
		...{ name: "test_tool_with_progress", description: "Reports progress", inputSchema: none },
		call: async (_, report) => {
			for (const progress of [0, 50, 100]) await report(progress, 100);
			return textResult("done");
		},
	},
	{
		...{ name: "test_logging_tool", description: "Logs nothing", inputSchema: none },
		call: () => textResult("done"),
	},
	{
		...{ name: "test_streaming_elicitation", description: "Asks nothing", inputSchema: none },
		call: () => textResult("done"),
	},
	{
		...{ name: "json_schema_2020_12_tool", description: "Has a schema with many keywords" },
		inputSchema: {
			$schema: "https://json-schema.org/draft/2020-12/schema",
			type: "object",
			$defs: {
				address: {
					$anchor: "addressDef",
					type: "object",
					properties: { street: { type: "string" }, city: { type: "string" } },
				},
			},
			properties: {
				name: { type: "string" },
				address: { $ref: "#/$defs/address" },
				contactMethod: { type: "string", enum: ["phone", "email"] },
				phone: { type: "string" },
				email: { type: "string" },
			},
			allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
			if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
			// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
			then: { required: ["phone"] },
			else: { required: ["email"] },
			additionalProperties: false,
		},
		call: () => textResult("done"),
	},
];
