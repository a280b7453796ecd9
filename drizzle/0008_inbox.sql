CREATE TABLE `conversation_dismissals` (
	`user_id` text NOT NULL,
	`message_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `message_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `conversation_notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`author_id` text NOT NULL,
	`author_name` text NOT NULL,
	`content` text NOT NULL,
	`client_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `conversation_notes_user` ON `conversation_notes` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `conversation_notes_client` ON `conversation_notes` (`author_id`,`client_id`);--> statement-breakpoint
CREATE TABLE `office_hours` (
	`id` integer PRIMARY KEY NOT NULL,
	`days` text NOT NULL,
	`holidays` text NOT NULL,
	`closed_at` integer,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `quick_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text,
	`shortcut` text NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quick_replies_shared` ON `quick_replies` (`shortcut`) WHERE "quick_replies"."owner_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `quick_replies_own` ON `quick_replies` (`owner_id`,`shortcut`) WHERE "quick_replies"."owner_id" is not null;--> statement-breakpoint
DROP INDEX `conversations_waiting`;--> statement-breakpoint
ALTER TABLE `conversations` ADD `claimed_by` text REFERENCES users(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `conversations` ADD `claimed_at` integer;--> statement-breakpoint
ALTER TABLE `conversations` ADD `snoozed_until` integer;--> statement-breakpoint
ALTER TABLE `conversations` ADD `dismissed_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `previous_dismissed_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `conversations_claimed` ON `conversations` (`claimed_by`,`last_message_id`,`user_id`) WHERE "conversations"."claimed_by" is not null;--> statement-breakpoint
CREATE INDEX `conversations_snoozed` ON `conversations` (`snoozed_until`,`user_id`) WHERE "conversations"."snoozed_until" is not null;--> statement-breakpoint
CREATE INDEX `conversations_waiting` ON `conversations` (`unanswered_since`,`user_id`,`snoozed_until`,`claimed_by`) WHERE "conversations"."unanswered_since" is not null;--> statement-breakpoint
ALTER TABLE `messages` ADD `reply_to` integer;