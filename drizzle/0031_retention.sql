CREATE TABLE `account_activity` (
	`user_id` text PRIMARY KEY NOT NULL,
	`entries` integer DEFAULT 0 NOT NULL,
	`last_seen_at` integer DEFAULT 0 NOT NULL,
	`series` integer DEFAULT 0 NOT NULL,
	`stamp` text DEFAULT '' NOT NULL,
	`since` integer DEFAULT 0 NOT NULL,
	`is_first` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `retention` (
	`id` integer PRIMARY KEY NOT NULL,
	`messages_months` integer NOT NULL,
	`accounts_months` integer NOT NULL,
	`announcement` integer NOT NULL,
	`announced_at` integer NOT NULL,
	`announced_by_id` text NOT NULL,
	`announced_by_name` text NOT NULL,
	`announced_operating` integer NOT NULL,
	`series` integer NOT NULL,
	`anchor_at` integer NOT NULL,
	`anchor_operating` integer NOT NULL,
	`anchor_message_id` integer NOT NULL,
	`messages_up_to_id` integer DEFAULT 0 NOT NULL,
	`last_run_operating` integer NOT NULL,
	`run_messages` integer DEFAULT 0 NOT NULL,
	`run_accounts` integer DEFAULT 0 NOT NULL,
	`last_at` integer,
	`last_messages` integer DEFAULT 0 NOT NULL,
	`last_accounts` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `retention_marks` (
	`message_id` integer PRIMARY KEY NOT NULL,
	`operating` integer NOT NULL
);
--> statement-breakpoint
-- A session may begin and end between two looks of the night.
CREATE TRIGGER `sessions_begin` AFTER INSERT ON `sessions` BEGIN
	INSERT INTO `account_activity` (`user_id`, `entries`, `last_seen_at`) VALUES (new.`user_id`, 1, new.`last_seen_at`)
	ON CONFLICT (`user_id`) DO UPDATE SET `entries` = `entries` + 1, `last_seen_at` = max(`last_seen_at`, excluded.`last_seen_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_end` AFTER DELETE ON `sessions` BEGIN
	UPDATE `account_activity` SET `last_seen_at` = max(`last_seen_at`, old.`last_seen_at`) WHERE `user_id` = old.`user_id`;
END;
--> statement-breakpoint
INSERT INTO `account_activity` (`user_id`, `entries`, `last_seen_at`)
	SELECT `user_id`, count(*), max(`last_seen_at`) FROM `sessions` WHERE `user_id` IN (SELECT `id` FROM `users`) GROUP BY `user_id`;
