ALTER TABLE `users` ADD `password_changed_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `admin_since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `seen_download_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Downloads before the update are no news.
UPDATE `users` SET `seen_download_id` = (SELECT coalesce(max(`id`), 0) FROM `audit_entries`) WHERE `is_admin`;
