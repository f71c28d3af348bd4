ALTER TABLE `uploads` ADD `size_bytes` integer;--> statement-breakpoint
ALTER TABLE `uploads` ADD `upload_id` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `multipart_id` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `part_size` integer;--> statement-breakpoint
ALTER TABLE `uploads` ADD `checksum_sha256` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `completed_at` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `aborted_at` text;--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_upload_id` ON `uploads` (`organisation_id`,`upload_id`) WHERE "uploads"."upload_id" is not null;