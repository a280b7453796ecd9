CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`actor_is_admin` integer NOT NULL,
	`subject_id` text NOT NULL,
	`subject_label` text NOT NULL,
	`changes` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_subject` ON `audit_entries` (`subject_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit_entries` (`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit_entries` (`action`,`id`);--> statement-breakpoint
CREATE TRIGGER `audit_entries_stay` BEFORE DELETE ON `audit_entries` BEGIN
	SELECT RAISE(ABORT, 'audit entries are append-only');
END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_unchanged` BEFORE UPDATE ON `audit_entries` BEGIN
	SELECT RAISE(ABORT, 'audit entries are append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_once` BEFORE INSERT ON `audit_entries` WHEN EXISTS (SELECT 1 FROM `audit_entries` WHERE `id` = new.`id`) BEGIN
	SELECT RAISE(ABORT, 'audit entries are append-only');
END;
