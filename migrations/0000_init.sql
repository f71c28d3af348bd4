CREATE TABLE `agent_attachments` (
	`organisation_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`attachment_id` text NOT NULL,
	`kind` text NOT NULL,
	`tool_id` text,
	`version` integer,
	`server_id` text,
	`tool_name` text,
	`observed_schema_hash` text,
	PRIMARY KEY(`organisation_id`, `agent_id`, `attachment_id`)
);
--> statement-breakpoint
CREATE INDEX `agent_attachments_tool` ON `agent_attachments` (`organisation_id`,`tool_id`,`version`);--> statement-breakpoint
CREATE INDEX `agent_attachments_server` ON `agent_attachments` (`organisation_id`,`server_id`,`tool_name`);--> statement-breakpoint
CREATE TABLE `agent_versions` (
	`organisation_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`version_number` integer NOT NULL,
	`id` text NOT NULL,
	`config` text NOT NULL,
	`config_hash` text NOT NULL,
	`changed_fields` text NOT NULL,
	`source` text NOT NULL,
	`actor` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `agent_id`, `version_number`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_versions_id` ON `agent_versions` (`organisation_id`,`id`);--> statement-breakpoint
CREATE TABLE `agents` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`inbound_enabled` integer NOT NULL,
	`config` text NOT NULL,
	`config_hash` text NOT NULL,
	`version_number` integer NOT NULL,
	`revision` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_live_name` ON `agents` (`organisation_id`,`name`) WHERE "agents"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`family` text NOT NULL,
	`label` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`last_four` text NOT NULL,
	`scopes` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text,
	`last_used_at` text,
	`deleted_at` text,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_organisation` ON `api_keys` (`organisation_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`resource_name` text NOT NULL,
	`details` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `audit_log_time` ON `audit_log` (`organisation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_resource` ON `audit_log` (`organisation_id`,`resource_type`,`resource_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `calls` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`agent_version` integer NOT NULL,
	`direction` text NOT NULL,
	`state` text NOT NULL,
	`from_number` text,
	`to_number` text,
	`external_id` text,
	`reason` text,
	`metadata` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`answered_at` text,
	`ended_at` text,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `calls_agent` ON `calls` (`organisation_id`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calls_live` ON `calls` (`organisation_id`,`agent_id`,`agent_version`) WHERE "calls"."ended_at" is null;--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`owner` text NOT NULL,
	`lease_until` text,
	`answer` blob,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expiry` ON `idempotency_keys` (`organisation_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `job_chunks` (
	`id` integer PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease_token` text,
	`lease_until` text,
	`done_at` text
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`job_id` text NOT NULL,
	`api_key_id` text NOT NULL,
	`model_code` text NOT NULL,
	`status` text NOT NULL,
	`job_config` text NOT NULL,
	`metadata` text,
	`tracking` text,
	`body_hash` text,
	`input_url` text,
	`input_key` text,
	`input_etag` text,
	`input_metadata` text NOT NULL,
	`output_metadata` text,
	`error` text,
	`chunk_count` integer,
	`chunks_done` integer DEFAULT 0 NOT NULL,
	`lease_token` text,
	`lease_until` text,
	`wake_at` text,
	`pushes` integer DEFAULT 0 NOT NULL,
	`deadline_at` text NOT NULL,
	`submitted_at` text NOT NULL,
	`started_at` text,
	`completed_at` text,
	`updated_at` text NOT NULL,
	`expires_at` text,
	`files_removed_at` text,
	`deleted_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_job_id` ON `jobs` (`organisation_id`,`job_id`);--> statement-breakpoint
CREATE INDEX `jobs_submitted` ON `jobs` (`organisation_id`,`submitted_at`);--> statement-breakpoint
CREATE INDEX `jobs_wake` ON `jobs` (`wake_at`) WHERE "jobs"."wake_at" is not null;--> statement-breakpoint
CREATE TABLE `mcp_catalog_changes` (
	`organisation_id` text NOT NULL,
	`server_id` text NOT NULL,
	`capability_revision` integer NOT NULL,
	`changes` text NOT NULL,
	`observed_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `server_id`, `capability_revision`)
);
--> statement-breakpoint
CREATE TABLE `mcp_catalogs` (
	`organisation_id` text NOT NULL,
	`server_id` text NOT NULL,
	`tools` text,
	`object_key` text,
	`hashes` text NOT NULL,
	`truncated` integer NOT NULL,
	`pages_fetched` integer NOT NULL,
	PRIMARY KEY(`organisation_id`, `server_id`)
);
--> statement-breakpoint
CREATE TABLE `mcp_pinned_tools` (
	`organisation_id` text NOT NULL,
	`server_id` text NOT NULL,
	`schema_hash` text NOT NULL,
	`tool` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `server_id`, `schema_hash`)
);
--> statement-breakpoint
CREATE TABLE `mcp_servers` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`url_template` text NOT NULL,
	`transport` text NOT NULL,
	`auth` text NOT NULL,
	`headers` text NOT NULL,
	`revision` integer NOT NULL,
	`capability_status` text NOT NULL,
	`capability_revision` integer NOT NULL,
	`capability_tool_count` integer NOT NULL,
	`capability_observed_at` text,
	`capability_attempted_at` text,
	`capability_error` text,
	`next_refresh_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mcp_servers_name` ON `mcp_servers` (`organisation_id`,`name`) WHERE "mcp_servers"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `organisations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`tier` text DEFAULT 'standard' NOT NULL,
	`features` text DEFAULT '{}' NOT NULL,
	`credit_seconds` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sandbox_places` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`held_until` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `tool_runs` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`tool_id` text NOT NULL,
	`version_number` integer,
	`status` text NOT NULL,
	`validation` text NOT NULL,
	`latency_ms` integer NOT NULL,
	`content_hash` text NOT NULL,
	`sample_input` text NOT NULL,
	`output` text,
	`logs` text NOT NULL,
	`error` text,
	`actor` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `tool_runs_tool` ON `tool_runs` (`organisation_id`,`tool_id`,`id`);--> statement-breakpoint
CREATE TABLE `tool_versions` (
	`organisation_id` text NOT NULL,
	`tool_id` text NOT NULL,
	`version_number` integer NOT NULL,
	`id` text NOT NULL,
	`content_hash` text NOT NULL,
	`snapshot` text NOT NULL,
	`code_src` text,
	`declared_secrets` text NOT NULL,
	`dependencies` text NOT NULL,
	`frozen_deps` text NOT NULL,
	`output_schema` text,
	`published_by` text NOT NULL,
	`published_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `tool_id`, `version_number`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tool_versions_id` ON `tool_versions` (`organisation_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tool_versions_content` ON `tool_versions` (`organisation_id`,`tool_id`,`content_hash`);--> statement-breakpoint
CREATE TABLE `tools` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`tool_type` text NOT NULL,
	`description` text NOT NULL,
	`config` text NOT NULL,
	`argument_defaults` text NOT NULL,
	`code_src` text,
	`declared_secrets` text NOT NULL,
	`dependencies` text NOT NULL,
	`revision` integer NOT NULL,
	`content_hash` text NOT NULL,
	`proven_hash` text,
	`last_run_status` text,
	`latest_version` integer,
	`content_version` integer,
	`source_hash` text,
	`build_state` text,
	`build_errors` text,
	`build_id` text,
	`build_until` text,
	`built_hash` text,
	`built_at` text,
	`frozen_deps` text,
	`arg_schema` text,
	`output_schema` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	PRIMARY KEY(`organisation_id`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tools_name` ON `tools` (`organisation_id`,`name`) WHERE "tools"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `tools_singleton` ON `tools` (`organisation_id`,`tool_type`) WHERE "tools"."deleted_at" is null and "tools"."tool_type" in ('send_sms', 'transfer_call', 'end_call');--> statement-breakpoint
CREATE TABLE `uploads` (
	`organisation_id` text NOT NULL,
	`job_id` text NOT NULL,
	`key` text NOT NULL,
	`content_type` text NOT NULL,
	`request` text NOT NULL,
	`request_hash` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `job_id`)
);
--> statement-breakpoint
CREATE TABLE `usage` (
	`organisation_id` text NOT NULL,
	`day` text NOT NULL,
	`api_key_id` text NOT NULL,
	`model_code` text NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`jobs` integer DEFAULT 0 NOT NULL,
	`audio_seconds` real DEFAULT 0 NOT NULL,
	`characters` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`organisation_id`, `day`, `api_key_id`, `model_code`)
);
--> statement-breakpoint
CREATE TABLE `vault_data_keys` (
	`organisation_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`wrapped_key` text NOT NULL,
	`kek_id` text NOT NULL,
	`created_at` text NOT NULL,
	`rewrapped_at` text
);
--> statement-breakpoint
CREATE TABLE `vault_entries` (
	`organisation_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`description` text NOT NULL,
	`sealed_value` text NOT NULL,
	`is_managed` integer DEFAULT false NOT NULL,
	`revision` integer NOT NULL,
	`created_by` text NOT NULL,
	`last_rotated_by` text NOT NULL,
	`last_rotated_at` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `name`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vault_entries_id` ON `vault_entries` (`organisation_id`,`id`);--> statement-breakpoint
CREATE TABLE `vault_references` (
	`organisation_id` text NOT NULL,
	`entry_name` text NOT NULL,
	`holder_type` text NOT NULL,
	`holder_id` text NOT NULL,
	`location` text NOT NULL,
	`classification` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `entry_name`, `holder_type`, `holder_id`, `location`)
);
--> statement-breakpoint
CREATE INDEX `vault_references_holder` ON `vault_references` (`organisation_id`,`holder_type`,`holder_id`);--> statement-breakpoint
CREATE TABLE `vault_rotation_locks` (
	`organisation_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`rotation_id` text NOT NULL,
	`entry_name` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `agent_id`, `rotation_id`)
);
--> statement-breakpoint
CREATE INDEX `vault_rotation_locks_rotation` ON `vault_rotation_locks` (`organisation_id`,`rotation_id`);