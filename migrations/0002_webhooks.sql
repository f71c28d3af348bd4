CREATE TABLE `deliveries` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`url` text NOT NULL,
	`method` text NOT NULL,
	`contents` text NOT NULL,
	`sealed_headers` text,
	`event` text,
	`status` text NOT NULL,
	`attempts` text NOT NULL,
	`tries_left` integer DEFAULT 6 NOT NULL,
	`claims` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`lease_token` text,
	`lease_until` text,
	`wake_at` text,
	`delivered_at` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `deliveries_job` ON `deliveries` (`organisation_id`,`job_id`);--> statement-breakpoint
CREATE INDEX `deliveries_wake` ON `deliveries` (`wake_at`) WHERE "deliveries"."wake_at" is not null;--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`organisation_id` text NOT NULL,
	`revision` integer NOT NULL,
	`id` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text,
	PRIMARY KEY(`organisation_id`, `revision`)
);
