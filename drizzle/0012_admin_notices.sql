ALTER TABLE `users` RENAME COLUMN "seen_download_id" TO "seen_notice_id";--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `is_notice` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_notices` ON `audit_entries` (`id`) WHERE "audit_entries"."is_notice";--> statement-breakpoint
-- Downloads that an admin has not confirmed yet stay so. Only this step may change entries.
DROP TRIGGER `audit_entries_unchanged`;--> statement-breakpoint
UPDATE `audit_entries` SET `is_notice` = true WHERE `action` = 'backup.downloaded';--> statement-breakpoint
CREATE TRIGGER `audit_entries_unchanged` BEFORE UPDATE ON `audit_entries` BEGIN
	SELECT RAISE(ABORT, 'audit entries are append-only');
END;
