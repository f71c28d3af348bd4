import { z } from "zod";

export const FieldError = z
	.object({ path: z.string(), message: z.string() })
	.meta({ id: "FieldError", example: { path: "config.url", message: "Is required" } });

export const Blocker = z
	.object({
		resource_type: z.string(),
		resource_id: z.string(),
		resource_name: z.string(),
		location: z.string(),
	})
	.meta({ id: "Blocker" });

/** The body of every refusal of the agents plane and the platform host. `detail` repeats the message. */
export const ErrorBody = z
	.object({
		detail: z.string(),
		error: z.object({
			code: z.string(),
			message: z.string(),
			retryable: z.boolean(),
			request_id: z.string().optional(),
			fields: z.array(FieldError).optional(),
			blockers: z.array(Blocker).optional(),
		}),
	})
	.meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The body of every refusal of the batch API. */
export const BatchErrorBody = z
	.object({
		error: z.string().describe("What was refused and why, with the field's path where it is about one"),
	})
	.meta({ id: "BatchError" });
export type BatchErrorBody = z.infer<typeof BatchErrorBody>;
