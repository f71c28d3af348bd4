CREATE TABLE `revisions` (
	`organisation_id` text NOT NULL,
	`job_id` text NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`author` text NOT NULL,
	`author_name` text NOT NULL,
	`comment` text,
	`word_count` integer NOT NULL,
	`summary` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`organisation_id`, `job_id`, `number`)
);
