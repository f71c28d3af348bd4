CREATE TABLE `runtime_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`agent_version` integer NOT NULL,
	`hash` text NOT NULL,
	`variables` text NOT NULL,
	`caller` text NOT NULL,
	`call_id` text,
	`mocks` integer NOT NULL,
	`api_key_id` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`ended_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `runtime_sessions_hash` ON `runtime_sessions` (`hash`);--> statement-breakpoint
CREATE INDEX `runtime_sessions_agent` ON `runtime_sessions` (`organisation_id`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `runtime_sessions_expiry` ON `runtime_sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `agent_id` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `agent_version` integer;--> statement-breakpoint
CREATE INDEX `api_keys_agent` ON `api_keys` (`organisation_id`,`agent_id`) WHERE "api_keys"."agent_id" is not null;