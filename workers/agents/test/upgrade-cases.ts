import { ToolRef } from "@parley/contracts/agents/attachments";
import { TOOL_CONFIGS } from "@parley/contracts/agents/tool-config";
import type { ToolSnapshot } from "@parley/contracts/agents/tools";
import fc from "fast-check";

type Json = Record<string, unknown>;

const name = fc.constantFrom("a", "b", "c", "d");
const parameter: fc.Arbitrary<Json> = fc.record(
	{
		type: fc.constantFrom("string", "integer", "boolean"),
		description: fc.constantFrom("one", "two"),
		minLength: fc.constantFrom(1, 2),
	},
	{ requiredKeys: ["type"] },
);
const value = fc.constantFrom<string | number | boolean>("text", 7, true, "{{$REGION}}", "{{$CITY}}");

/** Argument schemas with few names and types, so that two of them often share some. */
export const argumentSchema: fc.Arbitrary<Json> = fc
	.record({
		properties: fc.dictionary(name, parameter, { noNullPrototype: true }),
		required: fc.subarray(["a", "b", "c", "d"]),
	})
	.map(({ properties, required }) => {
		const known = required.filter((each) => each in properties);
		return { type: "object", properties, ...(known.length > 0 && { required: known }) };
	});

/** Content of a published version. */
export const snapshot: fc.Arbitrary<ToolSnapshot> = fc
	.record({
		argument_schema: argumentSchema,
		argument_defaults: fc.dictionary(name, value, { noNullPrototype: true }),
	})
	.map(({ argument_schema, argument_defaults }) => ({
		...{ name: "t", description: "", tool_type: "api_request", argument_schema, argument_defaults },
		config: TOOL_CONFIGS.api_request.parse({
			type: "api_request",
			url: "https://api.example/",
			parameters: argument_schema,
		}),
	}));

const pick = (values: Record<string, string | number | boolean>, { properties }: Json) =>
	Object.fromEntries(Object.entries(values).filter(([key]) => Object.hasOwn(properties as Json, key)));

/** Returns attachments that are valid for a version: they set only its parameters. */
const attachmentFor = ({ argument_schema }: ToolSnapshot): fc.Arbitrary<ToolRef> =>
	fc
		.record({
			attachment_id: fc.uuid(),
			overrides: fc.dictionary(name, value, { noNullPrototype: true }),
			filled: fc.option(fc.dictionary(name, value, { noNullPrototype: true }), { nil: null }),
			timeout_seconds: fc.option(fc.integer({ min: 1, max: 60 }), { nil: null }),
		})
		.map(({ attachment_id, overrides, filled, timeout_seconds }) =>
			ToolRef.parse({
				...{ attachment_id, tool_id: crypto.randomUUID(), version: 1 },
				argument_overrides: pick(overrides, argument_schema),
				...(filled && {
					invocation: "system",
					system: { triggers: [{ event: "call_start" }], arguments: pick(filled, argument_schema) },
				}),
				config_overrides: timeout_seconds && { type: "api_request", timeout_seconds },
			}),
		);

/** Attachment of one version, and another version to move it to. */
export const move = snapshot.chain((from) =>
	fc.record({
		from: fc.constant(from),
		to: fc.oneof(snapshot, fc.constant(from)),
		attachment: attachmentFor(from),
		vaultNames: fc.subarray(["REGION", "CITY"]).map((names) => new Set(names)),
	}),
);
