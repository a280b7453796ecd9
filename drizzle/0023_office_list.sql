CREATE TABLE `areas` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`parent_id` text,
	`unique_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`parent_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `areas_unique_name` ON `areas` (`unique_name`);--> statement-breakpoint
CREATE INDEX `areas_parent` ON `areas` (`parent_id`);--> statement-breakpoint
CREATE TABLE `assessments` (
	`id` text PRIMARY KEY NOT NULL,
	`nop` text NOT NULL,
	`year` integer NOT NULL,
	`block` text NOT NULL,
	`name` text,
	`payer_address` text,
	`object_address` text,
	`land_m2` real,
	`building_m2` real,
	`njop_sen` integer,
	`amount_sen` integer NOT NULL,
	`due_date` text,
	`old_number` text,
	`file_book` text,
	`dusun` text,
	`rt` text,
	`rw` text,
	`place_key` text,
	`file_collector` text,
	`is_listed` integer NOT NULL,
	`paid_on` text,
	`paid_amount_sen` integer,
	`paid_fine_sen` integer,
	`paid_place` text,
	`paid_batch_id` text,
	`condition` text NOT NULL,
	`note` text,
	`handed_out_on` text,
	`handed_out_to` text,
	`area_id` text,
	`collector_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`nop`) REFERENCES `objects`(`nop`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `assessments_object` ON `assessments` (`nop`,`year`);--> statement-breakpoint
CREATE INDEX `assessments_list` ON `assessments` (`year`,`nop`,`name`,`object_address`,`payer_address`,`block`,`area_id`,`place_key`,`collector_id`,`condition`,`is_listed`,`handed_out_on`,`paid_batch_id`,`amount_sen`);--> statement-breakpoint
CREATE INDEX `assessments_places` ON `assessments` (`place_key`) WHERE "assessments"."place_key" is not null;--> statement-breakpoint
CREATE INDEX `assessments_area` ON `assessments` (`area_id`,`nop`) WHERE "assessments"."area_id" is not null;--> statement-breakpoint
CREATE TABLE `dhkp_batch_rows` (
	`preview_id` text NOT NULL,
	`position` integer NOT NULL,
	`status` text NOT NULL,
	`has_warning` integer NOT NULL,
	`nop` text,
	`data` text NOT NULL,
	PRIMARY KEY(`preview_id`, `position`)
);
--> statement-breakpoint
CREATE INDEX `dhkp_batch_rows_status` ON `dhkp_batch_rows` (`preview_id`,`status`,`position`);--> statement-breakpoint
CREATE INDEX `dhkp_batch_rows_warning` ON `dhkp_batch_rows` (`preview_id`,`position`) WHERE "dhkp_batch_rows"."has_warning";--> statement-breakpoint
CREATE INDEX `dhkp_batch_rows_nop` ON `dhkp_batch_rows` (`preview_id`,`nop`) WHERE "dhkp_batch_rows"."nop" is not null;--> statement-breakpoint
CREATE TABLE `dhkp_batches` (
	`id` text PRIMARY KEY NOT NULL,
	`by_id` text NOT NULL,
	`by_name` text NOT NULL,
	`client_id` text NOT NULL,
	`year` integer NOT NULL,
	`is_pasted` integer NOT NULL,
	`file` text,
	`file_name` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`state` text NOT NULL,
	`message` text,
	`kind` text NOT NULL,
	`is_complete` integer NOT NULL,
	`choices` text NOT NULL,
	`findings` text,
	`counts` text,
	`computed` text,
	`preview_id` text,
	`list_version` integer,
	`done_rows` integer NOT NULL,
	`total_rows` integer NOT NULL,
	`control_reason` text,
	`revert_reason` text,
	`created_at` integer NOT NULL,
	`applied_at` integer,
	`reverted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dhkp_batches_client` ON `dhkp_batches` (`by_id`,`client_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dhkp_batches_file` ON `dhkp_batches` (`file`) WHERE "dhkp_batches"."file" is not null;--> statement-breakpoint
CREATE INDEX `dhkp_batches_created` ON `dhkp_batches` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `dhkp_batches_state` ON `dhkp_batches` (`state`,`year`);--> statement-breakpoint
CREATE TABLE `dhkp_blocks` (
	`block` text PRIMARY KEY NOT NULL,
	`area_id` text NOT NULL,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `dhkp_blocks_area` ON `dhkp_blocks` (`area_id`);--> statement-breakpoint
CREATE TABLE `dhkp_changes` (
	`batch_id` text NOT NULL,
	`assessment_id` text NOT NULL,
	`before` text,
	`has_added_object` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`batch_id`, `assessment_id`)
);
--> statement-breakpoint
CREATE TABLE `dhkp_layouts` (
	`headers` text PRIMARY KEY NOT NULL,
	`header_row` integer NOT NULL,
	`columns` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dhkp_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`prefix` text,
	`book_limits` text NOT NULL,
	`due_date_by_year` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dhkp_years` (
	`year` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `objects` (
	`nop` text PRIMARY KEY NOT NULL,
	`area_id` text,
	`collector_id` text,
	`user_id` text,
	`linked_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `objects_area` ON `objects` (`area_id`) WHERE "objects"."area_id" is not null;--> statement-breakpoint
CREATE INDEX `objects_user` ON `objects` (`user_id`,`nop`) WHERE "objects"."user_id" is not null;