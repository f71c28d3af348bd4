CREATE TABLE `transcript_passages` (
	`id` integer PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`sentences` text NOT NULL
);
