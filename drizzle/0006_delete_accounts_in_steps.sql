CREATE TABLE `account_deletions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `__new_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`sender_id` text NOT NULL,
	`sender_name` text NOT NULL,
	`from_admin` integer NOT NULL,
	`content` text NOT NULL,
	`client_id` text,
	`prev_id` integer,
	`side_ordinal` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_messages`("id", "user_id", "sender_id", "sender_name", "from_admin", "content", "client_id", "prev_id", "side_ordinal", "created_at") SELECT "id", "user_id", "sender_id", "sender_name", "from_admin", "content", "client_id", "prev_id", "side_ordinal", "created_at" FROM `messages`;--> statement-breakpoint
-- An id is never used twice, even after the newest message was deleted.
DELETE FROM `sqlite_sequence` WHERE `name` = '__new_messages';--> statement-breakpoint
INSERT INTO `sqlite_sequence` (`name`, `seq`) SELECT '__new_messages', `seq` FROM `sqlite_sequence` WHERE `name` = 'messages';--> statement-breakpoint
DROP TABLE `messages`;--> statement-breakpoint
ALTER TABLE `__new_messages` RENAME TO `messages`;--> statement-breakpoint
CREATE INDEX `messages_conversation` ON `messages` (`user_id`,`id`,`from_admin`,`side_ordinal`);--> statement-breakpoint
CREATE UNIQUE INDEX `messages_client` ON `messages` (`sender_id`,`client_id`) WHERE "messages"."client_id" is not null;--> statement-breakpoint
CREATE TABLE `__new_tax_records` (
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
	`proof_bytes` integer,
	`predecessor_id` text,
	`rolled_over_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`predecessor_id`) REFERENCES `tax_records`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
INSERT INTO `__new_tax_records`("id", "user_id", "name", "address", "tax_type", "property_type", "spt_number", "year", "amount_sen", "description", "status", "due_date", "payment_date", "notes", "proof_file", "proof_bytes", "predecessor_id", "rolled_over_at", "created_at", "updated_at") SELECT "id", "user_id", "name", "address", "tax_type", "property_type", "spt_number", "year", "amount_sen", "description", "status", "due_date", "payment_date", "notes", "proof_file", "proof_bytes", "predecessor_id", "rolled_over_at", "created_at", "updated_at" FROM `tax_records`;--> statement-breakpoint
DROP TABLE `tax_records`;--> statement-breakpoint
ALTER TABLE `__new_tax_records` RENAME TO `tax_records`;--> statement-breakpoint
CREATE UNIQUE INDEX `tax_records_successor` ON `tax_records` (`predecessor_id`) WHERE "tax_records"."predecessor_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `tax_records_proof` ON `tax_records` (`proof_file`) WHERE "tax_records"."proof_file" is not null;--> statement-breakpoint
CREATE INDEX `tax_records_proof_bytes` ON `tax_records` (`user_id`,`proof_bytes`) WHERE "tax_records"."proof_bytes" is not null;--> statement-breakpoint
CREATE INDEX `tax_records_user` ON `tax_records` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_user_year` ON `tax_records` (`user_id`,`year`,`spt_number`);--> statement-breakpoint
CREATE INDEX `tax_records_created` ON `tax_records` (`created_at`,`id`,`status`,`amount_sen`);--> statement-breakpoint
CREATE INDEX `tax_records_status` ON `tax_records` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_property` ON `tax_records` (`property_type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_year` ON `tax_records` (`year`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_shares` ON `tax_records` (`year`,`property_type`,`status`,`amount_sen`);--> statement-breakpoint
CREATE INDEX `tax_records_amount` ON `tax_records` (`amount_sen`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_name` ON `tax_records` (`name`,`id`);--> statement-breakpoint
CREATE INDEX `tax_records_due` ON `tax_records` (`due_date`,`id`);