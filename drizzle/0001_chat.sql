CREATE TABLE `conversations` (
	`user_id` text PRIMARY KEY NOT NULL,
	`last_message_id` integer DEFAULT 0 NOT NULL,
	`user_ordinal` integer DEFAULT 0 NOT NULL,
	`admin_ordinal` integer DEFAULT 0 NOT NULL,
	`user_read_ordinal` integer DEFAULT 0 NOT NULL,
	`admin_read_ordinal` integer DEFAULT 0 NOT NULL,
	`user_seen_id` integer DEFAULT 0 NOT NULL,
	`admin_seen_id` integer DEFAULT 0 NOT NULL,
	`user_delivered_id` integer DEFAULT 0 NOT NULL,
	`admin_delivered_id` integer DEFAULT 0 NOT NULL,
	`cleared_id` integer DEFAULT 0 NOT NULL,
	`cleared_count` integer DEFAULT 0 NOT NULL,
	`unanswered_since` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `conversations_latest` ON `conversations` (`last_message_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `conversations_unread` ON `conversations` (`last_message_id`,`user_id`,`user_ordinal`,`admin_read_ordinal`) WHERE "conversations"."user_ordinal" > "conversations"."admin_read_ordinal";--> statement-breakpoint
CREATE INDEX `conversations_unanswered` ON `conversations` (`last_message_id`,`user_id`) WHERE "conversations"."unanswered_since" is not null;--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`sender_id` text NOT NULL,
	`sender_name` text NOT NULL,
	`from_admin` integer NOT NULL,
	`content` text NOT NULL,
	`client_id` text,
	`prev_id` integer,
	`side_ordinal` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `messages_conversation` ON `messages` (`user_id`,`id`,`from_admin`,`side_ordinal`);--> statement-breakpoint
CREATE UNIQUE INDEX `messages_client` ON `messages` (`sender_id`,`client_id`) WHERE "messages"."client_id" is not null;--> statement-breakpoint
CREATE TRIGGER `users_conversation` AFTER INSERT ON `users` BEGIN
	INSERT INTO `conversations` (`user_id`) VALUES (new.`id`);
END;--> statement-breakpoint
INSERT INTO `conversations` (`user_id`) SELECT `id` FROM `users`;
