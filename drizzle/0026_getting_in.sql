CREATE TABLE `former_emails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`changed_at` integer NOT NULL,
	`until` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `former_emails_email` ON `former_emails` (`email`);--> statement-breakpoint
CREATE INDEX `former_emails_user` ON `former_emails` (`user_id`);--> statement-breakpoint
CREATE INDEX `former_emails_until` ON `former_emails` (`until`);--> statement-breakpoint
CREATE TABLE `former_phones` (
	`user_id` text NOT NULL,
	`phone` text NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`phone`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `former_phones_until` ON `former_phones` (`until`);--> statement-breakpoint
CREATE INDEX `former_phones_user` ON `former_phones` (`user_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` text PRIMARY KEY NOT NULL,
	`selector` text NOT NULL,
	`code_hash` text NOT NULL,
	`made_by` text NOT NULL,
	`checked` text NOT NULL,
	`made_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`made_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recovery_codes_selector` ON `recovery_codes` (`selector`);--> statement-breakpoint
CREATE INDEX `recovery_codes_maker` ON `recovery_codes` (`made_by`);--> statement-breakpoint
CREATE TABLE `recovery_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`user_id` text,
	`phone` text,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`asked_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recovery_requests_subject` ON `recovery_requests` (`subject`);--> statement-breakpoint
CREATE TABLE `security_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`at` integer NOT NULL,
	`event` text NOT NULL,
	`by_id` text NOT NULL,
	`by_name` text NOT NULL,
	`how` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `security_log_user` ON `security_log` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `wrong_tries` (
	`key` text PRIMARY KEY NOT NULL,
	`tries` text NOT NULL,
	`at` integer NOT NULL,
	`forgotten_at` integer
);
--> statement-breakpoint
CREATE INDEX `wrong_tries_forgotten` ON `wrong_tries` (`forgotten_at`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `entry` text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `admin_ended_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `must_change_password` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `phone` text;--> statement-breakpoint
ALTER TABLE `users` ADD `phone_since` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `phone_consent_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `seen_security_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `seen_email_change_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `users_phone` ON `users` (`phone`) WHERE "users"."phone" is not null;--> statement-breakpoint
CREATE INDEX `users_admin_ended` ON `users` (`admin_ended_at`) WHERE "users"."admin_ended_at" is not null;--> statement-breakpoint
CREATE TRIGGER `security_log_unchanged` BEFORE UPDATE ON `security_log` BEGIN
	SELECT RAISE(ABORT, 'the own log is append-only');
END;
--> statement-breakpoint
-- Only the deletion of its account takes it away: the row of the account is gone by then.
CREATE TRIGGER `security_log_stays` BEFORE DELETE ON `security_log` WHEN EXISTS (SELECT 1 FROM `users` WHERE `id` = old.`user_id`) BEGIN
	SELECT RAISE(ABORT, 'the own log is append-only');
END;
--> statement-breakpoint
-- A code ends with whatever its account or its maker is no longer, by any way.
CREATE TRIGGER `recovery_codes_of_account` AFTER UPDATE OF `password_hash`, `is_active`, `is_admin` ON `users`
WHEN old.`password_hash` <> new.`password_hash` OR new.`is_active` = 0 OR old.`is_admin` <> new.`is_admin` BEGIN
	DELETE FROM `recovery_codes` WHERE `user_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `recovery_codes_of_maker` AFTER UPDATE OF `is_active`, `is_admin` ON `users`
WHEN new.`is_active` = 0 OR new.`is_admin` = 0 BEGIN
	DELETE FROM `recovery_codes` WHERE `made_by` = new.`id`;
END;
