CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`hash` text NOT NULL,
	`user_id` text,
	`api_key_id` text,
	`door` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` text NOT NULL,
	`last_used_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`ends_at` text NOT NULL,
	`ended_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_hash` ON `sessions` (`hash`);--> statement-breakpoint
CREATE INDEX `sessions_organisation` ON `sessions` (`organisation_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `sign_in_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`api_key_id` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_codes_organisation` ON `sign_in_codes` (`organisation_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `user_identities` (
	`organisation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `user_id`, `issuer`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_identities_subject` ON `user_identities` (`issuer`,`subject`,`organisation_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`email` text,
	`name` text,
	`role` text NOT NULL,
	`api_key_id` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`last_sign_in_at` text,
	`deleted_at` text,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`organisation_id`,`email`) WHERE "users"."email" is not null and "users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_api_key` ON `users` (`api_key_id`) WHERE "users"."api_key_id" is not null and "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `users_address` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_organisation` ON `users` (`organisation_id`,`created_at`);