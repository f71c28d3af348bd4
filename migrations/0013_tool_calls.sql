CREATE TABLE `tool_calls` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`agent_version` integer NOT NULL,
	`attachment_id` text NOT NULL,
	`name` text NOT NULL,
	`tool_id` text NOT NULL,
	`version_number` integer,
	`session_id` text,
	`call_id` text,
	`tool_call_id` text,
	`event` text,
	`status` text NOT NULL,
	`arguments` text NOT NULL,
	`output` text,
	`directive` text,
	`error` text,
	`validation` text NOT NULL,
	`logs` text NOT NULL,
	`mocked` integer NOT NULL,
	`latency_ms` integer,
	`actor` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`ended_at` text,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `tool_calls_agent` ON `tool_calls` (`organisation_id`,`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `tool_calls_session` ON `tool_calls` (`organisation_id`,`session_id`,`id`) WHERE "tool_calls"."session_id" is not null;--> statement-breakpoint
CREATE INDEX `tool_calls_call` ON `tool_calls` (`organisation_id`,`call_id`,`id`) WHERE "tool_calls"."call_id" is not null;--> statement-breakpoint
CREATE INDEX `tool_calls_running` ON `tool_calls` (`expires_at`) WHERE "tool_calls"."status" = 'running';