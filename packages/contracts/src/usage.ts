import { z } from "zod";
import { Uuid } from "./common.ts";

const Day = z.iso.date().meta({ example: "2026-11-20" });

const Amounts = z.object({
	requests: z.int().min(0).meta({ description: "API requests; those of the last seconds may be missing" }),
	jobs: z.int().min(0).meta({ description: "Batch jobs submitted" }),
	runs: z.int().min(0).meta({ description: "Test runs of tools" }),
	audio_seconds: z.number().min(0).meta({ description: "Audio transcribed, in jobs and at once" }),
	characters: z.int().min(0).meta({ description: "Text spoken" }),
});

export const UsageItem = Amounts.extend({
	day: Day.optional().meta({ description: "Where grouped by day" }),
	model_code: z.string().nullable().optional().meta({
		description: "Where grouped by model; null for what used none",
		example: "parley/pocketsphinx-en-us",
	}),
	api_key_id: Uuid.nullable()
		.optional()
		.meta({ description: "Where grouped by key; null for what people did" }),
	api_key_label: z.string().nullable().optional().meta({ description: "Where grouped by key" }),
}).meta({ id: "UsageItem" });
export type UsageItem = z.infer<typeof UsageItem>;

export const UsageReport = z
	.object({
		since: Day,
		until: Day,
		group_by: z.enum(["day", "model", "key"]),
		items: z.array(UsageItem),
		total: Amounts,
	})
	.meta({ id: "UsageReport" });
export type UsageReport = z.infer<typeof UsageReport>;

export const UsageQuery = z.strictObject({
	since: Day.optional().meta({ description: "First day (UTC); 29 days before the last one when absent" }),
	until: Day.optional().meta({ description: "Last day (UTC), included; today when absent" }),
	group_by: z.enum(["day", "model", "key"]).default("day"),
});
export type UsageQuery = z.infer<typeof UsageQuery>;
