CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`user_agent` text,
	`address` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_last_seen` ON `sessions` (`last_seen_at`);--> statement-breakpoint
CREATE TABLE `tax_records` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`tax_type` text NOT NULL,
	`property_type` text,
	`spt_number` text NOT NULL,
	`year` integer NOT NULL,
	`amount_sen` integer NOT NULL,
	`description` text,
	`status` text NOT NULL,
	`due_date` text,
	`payment_date` text,
	`notes` text,
	`proof_file` text,
	`predecessor_id` text,
	`rolled_over_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`predecessor_id`) REFERENCES `tax_records`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tax_records_successor` ON `tax_records` (`predecessor_id`) WHERE "tax_records"."predecessor_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `tax_records_proof` ON `tax_records` (`proof_file`) WHERE "tax_records"."proof_file" is not null;--> statement-breakpoint
CREATE INDEX `tax_records_user` ON `tax_records` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_user_year` ON `tax_records` (`user_id`,`year`,`spt_number`);--> statement-breakpoint
CREATE INDEX `tax_records_created` ON `tax_records` (`created_at`,`id`,`status`,`amount_sen`);--> statement-breakpoint
CREATE INDEX `tax_records_status` ON `tax_records` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_property` ON `tax_records` (`property_type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_year` ON `tax_records` (`year`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_amount` ON `tax_records` (`amount_sen`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_name` ON `tax_records` (`name`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_due` ON `tax_records` (`due_date`,`id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`is_admin` integer DEFAULT false NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_role` ON `users` (`is_admin`,`is_active`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_created` ON `users` (`created_at`,`id`);