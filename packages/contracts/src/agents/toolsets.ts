import { z } from "zod";
import { Uuid } from "../shared/common.ts";

export const ToolsetFormat = z
	.enum(["json_schema", "openai", "openai_realtime", "anthropic", "gemini"])
	.meta({
		id: "ToolsetFormat",
		description: "Vendor whose API takes the tools. json_schema is for any other.",
	});
export type ToolsetFormat = z.infer<typeof ToolsetFormat>;

export const ToolsetQuery = z.strictObject({
	format: ToolsetFormat.default("json_schema").meta({
		description: "Form of the tools. Default json_schema: name, description and parameters as JSON Schema.",
	}),
	mocks: z
		.stringbool()
		.default(false)
		.meta({
			description:
				"true asserts that the tools answer from mocks: the request is refused unless it has the token of a session that was " +
				"opened with `mocks`. Default false.",
		}),
});
export type ToolsetQuery = z.infer<typeof ToolsetQuery>;

export const ToolsetWarning = z
	.object({
		tool: z.string().meta({ description: "Name of the tool in the toolset", example: "get_weather" }),
		message: z.string().meta({
			description: "What differs from the tool's own definition, or why the tool is left out",
			example: "not strict: `minLength` at city is outside OpenAI's strict subset",
		}),
	})
	.meta({ id: "ToolsetWarning" });
export type ToolsetWarning = z.infer<typeof ToolsetWarning>;

export const PreActionMessage = z
	.object({
		text: z.string().meta({ description: "What the agent says", example: "One moment, please." }),
		wait: z
			.boolean()
			.meta({ description: "Whether the tool starts only after the message was spoken", example: true }),
	})
	.meta({ id: "PreActionMessage" });

export const Toolset = z
	.object({
		agent_id: Uuid.meta({ description: "Agent of the tools" }),
		agent_version: z.int().min(1).meta({ description: "Version of the agent that is in force" }),
		format: ToolsetFormat,
		etag: z.string().meta({
			description:
				"ETag of this answer, as the header has it. Send it as `If-None-Match` to hear of changes.",
			example: '"0b5f4c2d"',
		}),
		tools: z.array(z.looseObject({ name: z.string().optional() })).meta({
			description:
				"Tools that the model may call, in attachment order, in the form that the vendor's API takes. Arguments that are " +
				"fixed or come from the vault are not in their parameters.",
		}),
		pre_action_messages: z.record(z.string(), PreActionMessage).meta({
			description: "Messages that the agent speaks before a tool runs, by the tool's name",
		}),
		warnings: z.array(ToolsetWarning).meta({
			description: "Tools that are left out or differ from their definition. Empty otherwise.",
		}),
	})
	.meta({
		id: "Toolset",
		example: {
			agent_id: "01938f5e-7c00-7000-8000-0000000000a1",
			agent_version: 3,
			format: "json_schema",
			etag: '"0b5f4c2d"',
			tools: [
				{
					name: "get_weather",
					description: "Look up the weather of a city.",
					parameters: {
						type: "object",
						properties: { city: { type: "string" } },
						required: ["city"],
						additionalProperties: false,
					},
				},
			],
			pre_action_messages: { get_weather: { text: "One moment, please.", wait: false } },
			warnings: [],
		},
	});
export type Toolset = z.infer<typeof Toolset>;
