CREATE TABLE `tool_cases` (
	`organisation_id` text NOT NULL,
	`tool_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`arguments` text NOT NULL,
	`expect` text NOT NULL,
	`mock` text,
	`last_result` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `tool_id`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tool_cases_name` ON `tool_cases` (`organisation_id`,`tool_id`,`name`);