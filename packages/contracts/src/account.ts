import { z } from "zod";
import { Uuid } from "./common.ts";

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
