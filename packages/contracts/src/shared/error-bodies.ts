import { z } from "zod";
import { RevisionConflict } from "../batch/revisions.ts";

export const FieldError = z
	.object({
		path: z
			.string()
			.describe("Dotted path from the body's root; `query.` or `path.` in front of other inputs"),
		message: z.string().describe("What is wrong and what to do"),
	})
	.meta({ id: "FieldError", example: { path: "config.url", message: "Is required" } });

export const Blocker = z
	.object({
		resource_type: z.string().describe("Kind of the resource that refers to this one"),
		resource_id: z.string().describe("Id of that resource"),
		resource_name: z.string().describe("Name of that resource"),
		location: z.string().describe("Dotted path of the reference in that resource"),
	})
	.meta({ id: "Blocker" });

/** Body of every error of the agents plane and the platform host. */
export const ErrorBody = z
	.object({
		detail: z.string().describe("Same as `error.message`"),
		error: z
			.object({
				code: z.string().describe("Code of a closed list; each operation names those that it answers"),
				message: z.string().describe("What is wrong and what to do"),
				retryable: z.boolean().describe("Whether the same request may succeed later"),
				request_id: z.string().optional().describe("Same as the header `X-Request-Id`"),
				fields: z.array(FieldError).optional().describe("Rejected inputs, at most 100"),
				blockers: z.array(Blocker).optional().describe("What prevents the operation"),
			})
			.describe("The error"),
	})
	.meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Body of every error of the batch API. */
export const BatchErrorBody = z
	.object({
		error: z.string().describe("What is wrong and what to do; it begins with the path of a rejected field"),
		conflict: RevisionConflict.optional().describe(
			"Only of a 412 of a transcript's revision: what was saved meanwhile",
		),
	})
	.meta({ id: "BatchError" });
export type BatchErrorBody = z.infer<typeof BatchErrorBody>;
