import { z } from "zod";
import { arrayQuery, Timestamp, Uuid } from "./common.ts";
import { Scope } from "./scopes.ts";

export const KeyFamily = z.enum(["consumer", "batch", "legacy"]).meta({
	id: "KeyFamily",
	description:
		"`consumer` keys reach every surface, `batch` keys the batch API; `legacy` ones are no longer made",
});
export type KeyFamily = z.infer<typeof KeyFamily>;

export const CreateKey = z
	.strictObject({
		label: z.string().trim().min(1).max(200).meta({ example: "Production" }),
		family: z.enum(["consumer", "batch"]),
		scopes: z
			.array(Scope)
			.max(64)
			.optional()
			.meta({ description: "What the key may do; everything but keys:manage when absent" }),
		expires_at: z.iso.datetime({ offset: true }).nullable().optional().meta({
			description: "When the key stops working; never when absent",
			example: "2030-01-01T00:00:00.000Z",
		}),
	})
	.meta({ id: "CreateKey" });
export type CreateKey = z.infer<typeof CreateKey>;

/** A key as it is listed: what tells it from others, never the key. */
export const Key = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		label: z.string(),
		family: KeyFamily,
		prefix: z.string().meta({ example: "parley_cu_" }),
		last_four: z.string().meta({ example: "x7Qa" }),
		scopes: z.array(Scope),
		created_by: z.string().meta({ example: "api_key:01938f5e-7c00-7000-8000-000000000001" }),
		created_at: Timestamp,
		expires_at: Timestamp.nullable(),
		last_used_at: Timestamp.nullable().meta({ description: "Within a minute of the last use" }),
	})
	.meta({ id: "Key" });
export type Key = z.infer<typeof Key>;

/** The only answer that holds the key itself; null in a repetition under the same Idempotency-Key. */
export const CreatedKey = Key.extend({ key: z.string().nullable() }).meta({ id: "CreatedKey" });
export type CreatedKey = z.infer<typeof CreatedKey>;

export const KeysQuery = z.strictObject(arrayQuery);
export type KeysQuery = z.infer<typeof KeysQuery>;
