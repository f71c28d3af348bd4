import { z } from "zod";
import { Timestamp, Uuid } from "./common.ts";

/** Who a key belongs to. `name` and `email` are null for a key that no person made. */
export const Me = z
	.object({
		name: z.string().nullable(),
		email: z.string().nullable(),
		org_id: Uuid,
		org_name: z.string(),
		api_key_label: z.string(),
		tier: z.string(),
	})
	.meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

/** The organisation of a key, with what it may and how much it may still use. */
export const Organisation = z
	.object({
		id: Uuid,
		name: z.string(),
		tier: z.string(),
		features: z
			.record(z.string(), z.boolean())
			.meta({ description: "Every switch, on or off", example: { code_tools: true } }),
		credit_seconds: z.int().nullable().meta({ description: "Seconds of audio left; null is without limit" }),
		created_at: Timestamp,
	})
	.meta({ id: "Organisation" });
export type Organisation = z.infer<typeof Organisation>;
