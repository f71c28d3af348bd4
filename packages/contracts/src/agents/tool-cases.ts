import { z } from "zod";
import { Timestamp, Uuid } from "../shared/common.ts";
import { JsonSchema } from "../shared/json-schema.ts";
import { QUOTE_HASH } from "./tool-examples.ts";

export const MAX_CASES_PER_TOOL = 50;
const MAX_ARGUMENT_BYTES = 32 * 1024;
const MAX_EXPECT_BYTES = 64 * 1024;
const MAX_MOCK_BYTES = 64 * 1024;

const fits = (maxBytes: number) => (value: unknown) =>
	new TextEncoder().encode(JSON.stringify(value)).byteLength <= maxBytes;
const tooLarge = (maxBytes: number) => `Must be at most ${maxBytes / 1024} KiB of JSON`;

const CaseName = z.string().min(1).max(200).meta({
	description: "Name of the case: 1 to 200 characters, unique among the tool's cases",
	example: "clear sky in Oslo",
});
const CaseArguments = z
	.record(z.string(), z.unknown())
	.refine(fits(MAX_ARGUMENT_BYTES), tooLarge(MAX_ARGUMENT_BYTES))
	.meta({
		description: "Arguments of the case, by name, at most 32 KiB of JSON. Default {}.",
		example: { city: "Oslo" },
	});

export const CaseStatus = z.enum(["succeeded", "failed", "timed_out", "rejected"]).meta({
	id: "CaseStatus",
	description: "Outcome of a call. rejected: the arguments do not match the tool's schema.",
});
export type CaseStatus = z.infer<typeof CaseStatus>;

const OUTPUT_RULES = ["output_schema", "output_equals", "output_contains"] as const;

export const CaseExpectation = z
	.strictObject({
		status: CaseStatus.default("succeeded").meta({ description: "Expected outcome. Default succeeded." }),
		output_schema: JsonSchema.optional().meta({
			description: "JSON Schema 2020-12 that the output must match",
		}),
		output_equals: z.unknown().optional().meta({ description: "Value that the output must equal" }),
		output_contains: z
			.unknown()
			.optional()
			.meta({
				description:
					"Part of the output: an object whose members the output must have, at any depth, or a text that the output must contain",
				example: { forecast: "clear" },
			}),
	})
	.superRefine((expect, ctx) => {
		const [first, second] = OUTPUT_RULES.filter((rule) => expect[rule] !== undefined);
		if (second) {
			const message = `Use only one of ${OUTPUT_RULES.join(", ")}`;
			ctx.addIssue({ code: "custom", path: [second], message });
		}
		if (first && expect.status !== "succeeded")
			ctx.addIssue({ code: "custom", path: [first], message: "Needs the status succeeded" });
		if (!fits(MAX_EXPECT_BYTES)(expect))
			ctx.addIssue({ code: "custom", message: tooLarge(MAX_EXPECT_BYTES) });
	})
	.meta({
		id: "CaseExpectation",
		example: { status: "succeeded", output_contains: { forecast: "clear" } },
		description:
			"What the call must do, at most 64 KiB of JSON. At most one of the three rules for the output.",
	});
export type CaseExpectation = z.infer<typeof CaseExpectation>;

export const CaseMock = z
	.strictObject({
		status: z
			.int()
			.min(200)
			.max(599)
			.refine((status) => status < 300 || status >= 400, "A redirect cannot be mocked")
			.default(200)
			.meta({ description: "Status of the response, 200 to 599 except redirects. Default 200." }),
		body: z
			.unknown()
			.default(null)
			.meta({
				description: "Body of the response: a text as it is, or a value that is sent as JSON. Default null.",
				example: { forecast: "clear" },
			}),
	})
	.refine(fits(MAX_MOCK_BYTES), tooLarge(MAX_MOCK_BYTES))
	.meta({ id: "CaseMock", description: "HTTP response of the endpoint, at most 64 KiB of JSON" });
export type CaseMock = z.infer<typeof CaseMock>;

const mock = CaseMock.nullable().meta({
	description:
		"Response that stands in for the endpoint of an `api_request` tool. Null if the case has none. Default null.",
});

export const CreateToolCase = z
	.strictObject({
		name: CaseName,
		arguments: CaseArguments.default({}),
		expect: CaseExpectation.prefault({}),
		mock: mock.default(null),
	})
	.meta({
		id: "CreateToolCase",
		example: {
			...{ name: "clear sky in Oslo", arguments: { city: "Oslo" } },
			expect: { status: "succeeded", output_contains: { forecast: "clear" } },
			mock: { status: 200, body: { forecast: "clear" } },
		},
	});
export type CreateToolCase = z.infer<typeof CreateToolCase>;

/** Omitted fields stay unchanged; each given field is replaced as a whole. */
export const UpdateToolCase = z
	.strictObject({ name: CaseName, arguments: CaseArguments, expect: CaseExpectation, mock })
	.partial()
	.meta({ id: "UpdateToolCase", example: { expect: { output_equals: { forecast: "clear" } } } });
export type UpdateToolCase = z.infer<typeof UpdateToolCase>;

const ContentHash = z.string().meta({ description: "SHA-256 of the content that ran", example: QUOTE_HASH });

export const CaseLastResult = z
	.object({
		passed: z.boolean().meta({ description: "Whether the case passed" }),
		content_hash: ContentHash,
		mocked: z.boolean().meta({ description: "Whether the case's mock answered instead of the endpoint" }),
		ran_at: Timestamp.meta({ description: "Time at which the case ran" }),
	})
	.meta({
		id: "CaseLastResult",
		description: "Result of the last run against the draft. Null if there was none since the last change.",
	});
export type CaseLastResult = z.infer<typeof CaseLastResult>;

export const ToolCase = z
	.object({
		id: Uuid,
		tool_id: Uuid,
		name: CaseName,
		arguments: CaseArguments,
		expect: CaseExpectation,
		mock,
		last_result: CaseLastResult.nullable(),
		created_at: Timestamp.meta({ description: "Time of creation" }),
		updated_at: Timestamp.meta({ description: "Time of the last change" }),
	})
	.meta({ id: "ToolCase" });
export type ToolCase = z.infer<typeof ToolCase>;

export const RunToolCases = z
	.strictObject({
		version_number: z
			.int()
			.min(1)
			.optional()
			.meta({ description: "Published version to run. Default: the draft." }),
		mocks: z.boolean().default(false).meta({
			description:
				"Whether each case's mock answers instead of the endpoint. A case of an `api_request` tool without a mock then fails. Default false.",
		}),
		confirm_side_effects: z.boolean().default(false).meta({
			description:
				"Confirms that the runs are real and may have side effects. Must be true for `api_request` and `code` unless `mocks` is true. Default false.",
		}),
	})
	.meta({ id: "RunToolCases", example: { mocks: true } });
export type RunToolCases = z.infer<typeof RunToolCases>;

export const CaseDifference = z
	.object({
		path: z.string().meta({
			description: "Where the result differs: `status`, `output`, or a path below `output`",
			example: "output.forecast",
		}),
		message: z.string().meta({ description: "The difference in plain words", example: "Differs" }),
		expected: z.string().nullable().meta({
			description: "Expected value as JSON, cut to 500 characters. Null if none is expected.",
			example: '"clear"',
		}),
		actual: z.string().nullable().meta({
			description: "Value of the result as JSON, cut to 500 characters. Null if there is none.",
			example: '"rain"',
		}),
	})
	.meta({ id: "CaseDifference", description: "Difference between a result and what its case expects" });
export type CaseDifference = z.infer<typeof CaseDifference>;

export const CaseResult = z
	.object({
		case_id: Uuid,
		name: CaseName,
		passed: z.boolean().meta({ description: "Whether the result is as expected" }),
		status: z
			.enum([...CaseStatus.options, "not_run"])
			.meta({ description: "Outcome of the call. not_run: see `error`." }),
		run_id: Uuid.nullable().meta({
			description: "Id of the run in the tool's history. Null with mocks and if nothing ran.",
		}),
		latency_ms: z.int().min(0).meta({ description: "Duration of the call in milliseconds", example: 84 }),
		error: z
			.object({
				code: z.string().meta({ description: "Code of the failure", example: "HTTP_ERROR" }),
				message: z.string().meta({ description: "The reason in plain words. Vault values are redacted." }),
			})
			.nullable()
			.meta({ description: "Why the call did not succeed. Null if it succeeded.", example: null }),
		diff: z.array(CaseDifference).meta({
			description: "Differences from what the case expects, at most 50. Vault values are redacted.",
		}),
	})
	.meta({ id: "CaseResult" });
export type CaseResult = z.infer<typeof CaseResult>;

export const ToolCasesResult = z
	.object({
		tool_id: Uuid,
		version_number: z
			.int()
			.min(1)
			.nullable()
			.meta({ description: "Number of the version that ran. Null for the draft." }),
		content_hash: ContentHash,
		mocks: z.boolean().meta({ description: "Whether the mocks answered" }),
		passed: z.boolean().meta({ description: "Whether every case passed. False if the tool has no cases." }),
		cases: z.array(CaseResult).meta({ description: "Result of each case, in order of creation" }),
	})
	.meta({ id: "ToolCasesResult" });
export type ToolCasesResult = z.infer<typeof ToolCasesResult>;
