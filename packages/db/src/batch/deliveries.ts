import {
	DELIVERY_STATUSES,
	type DeliveryAttempt,
	JOB_EVENTS,
	type NotificationConfig,
	type NotificationContent,
} from "@parley/contracts/batch/webhooks";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Tries of a delivery, the first one counted; their pauses are the sender's. */
export const DELIVERY_TRIES = 6;

/** Webhook deliveries. A row is written with its job, becomes due in the batch that ends the job, and is deleted with the job. */
export const deliveries = sqliteTable(
	"deliveries",
	{
		organisationId: text("organisation_id").notNull(),
		/** Id of the notification for receivers. All attempts have the same. */
		id: text("id").notNull(),
		jobId: text("job_id").notNull(),
		/** Index in `notification_config`. */
		position: integer("position").notNull(),
		url: text("url").notNull(),
		method: text("method").$type<NotificationConfig[number]["method"]>().notNull(),
		contents: text("contents", { mode: "json" }).$type<NotificationContent[]>().notNull(),
		/** The auth headers, sealed; null when there are none. */
		sealedHeaders: text("sealed_headers"),
		event: text("event", { enum: JOB_EVENTS }),
		status: text("status", { enum: DELIVERY_STATUSES }).notNull(),
		attempts: text("attempts", { mode: "json" }).$type<DeliveryAttempt[]>().notNull(),
		triesLeft: integer("tries_left").notNull().default(DELIVERY_TRIES),
		/** Number of claims. Exceeds the number of attempts if workers crashed. */
		claims: integer("claims").notNull().default(0),
		dueAt: text("due_at"),
		/** Held by whoever sends it; worth nothing once `lease_until` has passed. */
		leaseToken: text("lease_token"),
		leaseUntil: text("lease_until"),
		/** When the sweeper takes its message, or its sender, for lost. */
		wakeAt: text("wake_at"),
		deliveredAt: text("delivered_at"),
		createdAt: text("created_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.id] }),
		index("deliveries_job").on(t.organisationId, t.jobId),
		index("deliveries_wake").on(t.wakeAt).where(sql`${t.wakeAt} is not null`),
	],
);
export type DeliveryRow = typeof deliveries.$inferSelect;
