import { z } from "zod";
import { Uuid } from "../shared/common.ts";

const Day = z.iso.date().meta({ example: "2026-11-20" });
const GroupBy = z.enum(["day", "model", "key"]);

const Amounts = z.object({
	requests: z.int().min(0).describe("API requests; those of the last seconds may be missing"),
	jobs: z.int().min(0).describe("Batch jobs submitted"),
	runs: z.int().min(0).describe("Runs of tools"),
	audio_seconds: z.number().min(0).describe("Audio transcribed, in jobs and at once, in seconds"),
	characters: z.int().min(0).describe("Characters of text spoken"),
	cost: z
		.number()
		.min(0)
		.nullable()
		.describe(
			"Cost of audio and text in USD, at the present prices of the organisation's tier. Models without a price cost nothing; null when no model in use has a price.",
		),
});

export const UsageItem = Amounts.extend({
	day: Day.optional().describe("Day in UTC; present when grouped by day"),
	model_code: z
		.string()
		.nullable()
		.optional()
		.describe("Code of the model; present when grouped by model, null for use without a model"),
	api_key_id: Uuid.nullable()
		.optional()
		.describe("Id of the API key; present when grouped by key, null for use by people"),
	api_key_label: z
		.string()
		.nullable()
		.optional()
		.describe("Label of the API key; present when grouped by key"),
}).meta({ id: "UsageItem" });
export type UsageItem = z.infer<typeof UsageItem>;

const example = { requests: 1204, jobs: 12, runs: 8, audio_seconds: 1843.2, characters: 5210, cost: 0.18432 };

export const UsageReport = z
	.object({
		since: Day.describe("First day of the report"),
		until: Day.describe("Last day of the report"),
		group_by: GroupBy.describe("What the items are grouped by"),
		items: z
			.array(UsageItem)
			.describe("Use per day, model or key; days, models and keys without use are left out"),
		total: Amounts.describe("Sum of all items"),
	})
	.meta({
		id: "UsageReport",
		example: {
			...{ since: "2026-11-20", until: "2026-11-20", group_by: "model" },
			items: [{ model_code: "parley/pocketsphinx-en-us", ...example }],
			total: example,
		},
	});
export type UsageReport = z.infer<typeof UsageReport>;

export const UsageQuery = z.strictObject({
	since: Day.optional().describe("First day in UTC. Default: 29 days before `until`."),
	until: Day.optional().describe("Last day in UTC, at most 365 days after `since`. Default: today."),
	group_by: GroupBy.default("day").describe("What to group by. Default: `day`."),
});
export type UsageQuery = z.infer<typeof UsageQuery>;
