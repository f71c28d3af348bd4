CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`expires_at` text
);
--> statement-breakpoint
CREATE INDEX `oauth_clients_expiry` ON `oauth_clients` (`expires_at`);--> statement-breakpoint
CREATE TABLE `oauth_records` (
	`organisation_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`metadata` text,
	`expires_at` text,
	PRIMARY KEY(`organisation_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `oauth_records_expiry` ON `oauth_records` (`organisation_id`,`expires_at`);