import { z } from "zod";
import { pageOf, pageQuery, Timestamp, Uuid } from "../shared/common.ts";
import { sayIssue } from "../shared/issue-wording.ts";
import { HeaderName, HeaderValue } from "../shared/outgoing-headers.ts";

const MAX_NOTIFICATIONS = 3;
const MAX_AUTH_HEADERS = 5;

/** Contents of a notification: the job's record, and the transcript in each format. */
const NOTIFICATION_CONTENTS = [
	"jobinfo",
	"transcript.json",
	"transcript.txt",
	"transcript.srt",
	"transcript.vtt",
] as const;
export type NotificationContent = (typeof NOTIFICATION_CONTENTS)[number];

const target = {
	url: z.string().min(1).max(8192).meta({
		description: "Public https address that is told",
		example: "https://example.com/hooks/parley",
	}),
	contents: z
		.array(z.enum(NOTIFICATION_CONTENTS))
		.min(1)
		.max(NOTIFICATION_CONTENTS.length)
		.refine((contents) => new Set(contents).size === contents.length, "Given more than once")
		.default(["jobinfo"])
		.meta({
			description:
				"`jobinfo` is the job's record; without it only id and status are sent. A transcript over 1 MiB is left out and named in `data.omitted`",
		}),
	method: z.enum(["post", "put"]).default("post").describe("Of the request"),
};

/** `Name: value`; the signature's headers and the body's type are Parley's own. */
const AuthHeader = z
	.string()
	.max(4352)
	.superRefine((text, ctx) => {
		const refuse = (message: string) => ctx.addIssue({ code: "custom", message });
		if (!text.includes(":")) return refuse("Not of the form Name: value");
		const { name, value } = splitAuthHeader(text);
		const [fault] = HeaderName.safeParse(name, { error: sayIssue }).error?.issues ?? [];
		if (fault) return refuse(fault.message);
		if (/^(content-type|webhook-.*)$/i.test(name)) return refuse("This header cannot be set");
		if (value === "") return refuse("The header has no value");
		const [badValue] = HeaderValue.safeParse(value, { error: sayIssue }).error?.issues ?? [];
		if (badValue) refuse(badValue.message);
	})
	.meta({ example: "Authorization: Bearer a-token-of-yours" });

/** The two parts of an `auth_headers` entry. */
export function splitAuthHeader(text: string): { name: string; value: string } {
	const colon = text.indexOf(":");
	return { name: text.slice(0, colon), value: text.slice(colon + 1).trim() };
}

const AuthHeaders = z
	.array(AuthHeader)
	.max(MAX_AUTH_HEADERS)
	.superRefine((headers, ctx) => {
		const names = headers.map((header) => splitAuthHeader(header).name.toLowerCase());
		for (const [index, name] of names.entries()) {
			if (names.indexOf(name) !== index)
				ctx.addIssue({ code: "custom", path: [index], message: "Given more than once" });
		}
	})
	.default([])
	.describe("Up to five headers, `Name: value`, sent along; kept sealed, and only their names are shown");

/** Receivers of notifications when the job ends. */
export const NotificationConfig = z
	.array(z.strictObject({ ...target, auth_headers: AuthHeaders }))
	.max(MAX_NOTIFICATIONS)
	.meta({
		id: "NotificationConfig",
		description:
			"Who is told when the job ends, by the Standard Webhooks scheme. Rotate the webhook secret to have one that you know",
	});
export type NotificationConfig = z.output<typeof NotificationConfig>;

/** The same as the job's record shows it. */
export const ShownNotifications = z
	.array(
		z.object({
			...target,
			auth_headers: z.array(z.string()).meta({ description: "Their names; values are shown nowhere" }),
		}),
	)
	.meta({ id: "ShownNotifications", description: "Who is told when the job ends" });
export type ShownNotification = z.output<typeof ShownNotifications>[number];

/** The same as it is kept: what is shown, and the headers' values sealed. Null when there are none. */
export type SealedNotification = ShownNotification & { sealed_headers: string | null };

export const JOB_EVENTS = ["job.completed", "job.failed", "job.cancelled"] as const;
export type JobEvent = (typeof JOB_EVENTS)[number];

export const DELIVERY_STATUSES = ["waiting", "pending", "delivered", "failed"] as const;

/** One try: what the host answered, or why there is no answer. */
export const DeliveryAttempt = z
	.object({
		at: Timestamp.describe("When the try began"),
		status_code: z.int().nullable().describe("HTTP status of the answer; null when there was none"),
		error: z.string().nullable().meta({ description: "Null when the host took the notification" }),
		duration_ms: z.int().describe("Milliseconds until the answer, or until it was given up"),
		response_snippet: z.string().nullable().meta({
			description: "The beginning of what the host answered, without the values of the auth headers",
		}),
	})
	.meta({ id: "DeliveryAttempt" });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const Delivery = z
	.object({
		id: Uuid.meta({ description: "Also the header `webhook-id` of each of its tries" }),
		job_id: z.string().describe("Of the job whose end is told"),
		url: z.string().describe("As it was given"),
		method: target.method.unwrap().describe("Of the request"),
		contents: z.array(z.enum(NOTIFICATION_CONTENTS)).describe("What it carries"),
		event: z.enum(JOB_EVENTS).nullable().meta({ description: "Null until the job has ended" }),
		status: z.enum(DELIVERY_STATUSES).meta({
			description:
				"`waiting` for the job's end, `pending` while a try is to come; then `delivered` if any has succeeded, else `failed`. What was delivered never fails: how a redelivery went is in `last_attempt`",
		}),
		attempts: z.array(DeliveryAttempt).meta({ description: "Oldest first, the last fifty" }),
		last_attempt: DeliveryAttempt.nullable().meta({
			description: "The newest of `attempts`, which may be a redelivery; null before the first",
		}),
		next_attempt_at: Timestamp.nullable().meta({ description: "Null unless `pending`" }),
		delivered_at: Timestamp.nullable().meta({ description: "When a try first succeeded" }),
		created_at: Timestamp.describe("When its job was submitted"),
	})
	.meta({ id: "Delivery" });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryPage = pageOf(Delivery).meta({ id: "DeliveryPage" });
export type DeliveryPage = z.infer<typeof DeliveryPage>;

export const ListDeliveriesQuery = z.strictObject(pageQuery());
export type ListDeliveriesQuery = z.output<typeof ListDeliveriesQuery>;

const secret = { id: Uuid, created_at: Timestamp.describe("When the secret was made") };

/** A secret that was replaced and still signs beside its successor. */
const OutgoingSecret = z.object({ ...secret, expires_at: Timestamp.describe("Until when it signs") });
const Previous = z
	.array(OutgoingSecret)
	.describe("Those that still sign beside it, the newest first: four at most");

export const WebhookSecret = z
	.object({
		current: z.object(secret).nullable().meta({ description: "Null until the first is made" }),
		previous: Previous,
	})
	.meta({ id: "WebhookSecret" });
export type WebhookSecret = z.infer<typeof WebhookSecret>;

export const RotateWebhookSecret = z
	.strictObject({
		overlap_hours: z.int().min(0).max(168).default(24).meta({
			description:
				"Hours for which the secrets before it go on signing beside the new one. Five sign at most: a rotation beyond that ends the oldest at once",
		}),
	})
	.meta({ id: "RotateWebhookSecret" });
export type RotateWebhookSecret = z.output<typeof RotateWebhookSecret>;

export const RotatedWebhookSecret = z
	.object({
		...secret,
		secret: z.string().nullable().meta({
			description: "Shown this once: `whsec_` and 32 bytes in base64. Null when an Idempotency-Key repeats",
			example: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
		}),
		previous: Previous,
	})
	.meta({ id: "RotatedWebhookSecret" });
export type RotatedWebhookSecret = z.infer<typeof RotatedWebhookSecret>;
