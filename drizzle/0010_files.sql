CREATE TABLE `attachments` (
	`id` text PRIMARY KEY NOT NULL,
	`uploader_id` text NOT NULL,
	`from_admin` integer NOT NULL,
	`user_id` text,
	`message_id` integer,
	`position` integer DEFAULT 0 NOT NULL,
	`name` text NOT NULL,
	`file` text NOT NULL,
	`thumb_file` text,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`thumb_bytes` integer DEFAULT 0 NOT NULL,
	`width` integer,
	`height` integer,
	`proof_file` text,
	`client_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_file` ON `attachments` (`file`);--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_thumb` ON `attachments` (`thumb_file`) WHERE "attachments"."thumb_file" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_client` ON `attachments` (`uploader_id`,`client_id`) WHERE "attachments"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `attachments_message` ON `attachments` (`message_id`,`position`) WHERE "attachments"."message_id" is not null;--> statement-breakpoint
CREATE INDEX `attachments_conversation` ON `attachments` (`user_id`,`message_id`) WHERE "attachments"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `attachments_unsent` ON `attachments` (`created_at`,`uploader_id`) WHERE "attachments"."message_id" is null;--> statement-breakpoint
CREATE INDEX `attachments_uploader` ON `attachments` (`uploader_id`,`from_admin`,`bytes`,`thumb_bytes`);--> statement-breakpoint
ALTER TABLE `messages` ADD `kind` text DEFAULT 'chat' NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `photo_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `document_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `record_id` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `record_then` text;--> statement-breakpoint
ALTER TABLE `tax_records` ADD `reported_at` integer;--> statement-breakpoint
ALTER TABLE `tax_records` ADD `check_result` text;--> statement-breakpoint
ALTER TABLE `tax_records` ADD `checked_at` integer;--> statement-breakpoint
ALTER TABLE `tax_records` ADD `checked_by_name` text;--> statement-breakpoint
ALTER TABLE `tax_records` ADD `check_reason` text;--> statement-breakpoint
ALTER TABLE `tax_records` ADD `changed_since_check` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `tax_records_pending` ON `tax_records` (`reported_at`,`id`,`checked_at`,`amount_sen`) WHERE "tax_records"."reported_at" is not null and ("tax_records"."checked_at" is null or "tax_records"."reported_at" > "tax_records"."checked_at");--> statement-breakpoint
CREATE INDEX `tax_records_checked` ON `tax_records` (`checked_at`,`id`,`check_result`,`reported_at`,`changed_since_check`) WHERE "tax_records"."checked_at" is not null;--> statement-breakpoint
-- Until now only this status said that a user had reported a payment. Who wrote it was not stored.
UPDATE `tax_records` SET `reported_at` = `updated_at` WHERE `status` = 'proses';
