import { z } from "zod";
import { Timestamp, Uuid } from "../shared/common.ts";

/** Account of an API key. */
export const Me = z
	.object({
		name: z
			.string()
			.nullable()
			.describe("Name of the person who is signed in or who made the key; null when no person did"),
		email: z.string().nullable().describe("E-mail address of that person; null when no person made the key"),
		org_id: Uuid.describe("Id of the organisation"),
		org_name: z.string().describe("Name of the organisation"),
		api_key_label: z.string().describe("Label of the API key; `Console` for a person who is signed in"),
		tier: z.string().describe("Tier of the organisation, which decides its prices"),
	})
	.meta({
		id: "Me",
		example: {
			...{ name: null, email: null, org_id: "01938f5e-7c00-7000-8000-0000000000f1" },
			...{ org_name: "Acme Clinic", api_key_label: "Production", tier: "standard" },
		},
	});
export type Me = z.infer<typeof Me>;

/** Organisation of an API key. */
export const Organisation = z
	.object({
		id: Uuid,
		name: z.string().describe("Name of the organisation"),
		tier: z.string().describe("Tier of the organisation, which decides its prices"),
		features: z
			.record(z.string(), z.boolean())
			.describe("Every feature switch: true when it is on")
			.meta({ example: { code_tools: true, curated_types_creatable: false } }),
		credit_seconds: z.int().nullable().describe("Audio left to transcribe, in seconds; null without a limit"),
		created_at: Timestamp.describe("Time at which the organisation was created"),
	})
	.meta({
		id: "Organisation",
		example: {
			...{ id: "01938f5e-7c00-7000-8000-0000000000f1", name: "Acme Clinic", tier: "standard" },
			features: { code_tools: true, curated_types_creatable: false },
			...{ credit_seconds: 36_000, created_at: "2026-03-02T08:00:00.000Z" },
		},
	});
export type Organisation = z.infer<typeof Organisation>;
