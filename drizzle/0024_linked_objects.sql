CREATE TABLE `object_claims` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`nop` text NOT NULL,
	`note` text,
	`attachment_id` text,
	`state` text NOT NULL,
	`reason` text,
	`answered_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `object_claims_open` ON `object_claims` (`user_id`,`nop`) WHERE "object_claims"."state" = 'open';--> statement-breakpoint
CREATE INDEX `object_claims_user` ON `object_claims` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `object_claims_state` ON `object_claims` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `object_claims_nop` ON `object_claims` (`nop`);--> statement-breakpoint
ALTER TABLE `dhkp_batches` ADD `actor_id` text;--> statement-breakpoint
ALTER TABLE `dhkp_batches` ADD `actor_name` text;--> statement-breakpoint
ALTER TABLE `dhkp_changes` ADD `record_id` text;--> statement-breakpoint
ALTER TABLE `dhkp_changes` ADD `record_updated_at` integer;--> statement-breakpoint
ALTER TABLE `dhkp_changes` ADD `record_before` text;