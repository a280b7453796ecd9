CREATE TABLE `factor_removals` (
	`user_id` text PRIMARY KEY NOT NULL,
	`removed_by` text NOT NULL,
	`removed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `login_tickets` (
	`ticket_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`entry` text NOT NULL,
	`password_hash` text,
	`made_at` integer NOT NULL,
	`wrong` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `login_tickets_user` ON `login_tickets` (`user_id`);--> statement-breakpoint
CREATE INDEX `login_tickets_made` ON `login_tickets` (`made_at`);--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`made_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `setup_codes` (
	`user_id` text PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`made_by` text NOT NULL,
	`made_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `setup_codes_maker` ON `setup_codes` (`made_by`);--> statement-breakpoint
CREATE TABLE `spare_codes` (
	`user_id` text NOT NULL,
	`beginning` text NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `beginning`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- A ticket ends with what opened it, by any way.
CREATE TRIGGER `login_tickets_of_account` AFTER UPDATE OF `password_hash`, `is_active`, `is_admin` ON `users`
WHEN old.`password_hash` <> new.`password_hash` OR new.`is_active` = 0 OR old.`is_admin` <> new.`is_admin` BEGIN
	DELETE FROM `login_tickets` WHERE `user_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `login_tickets_of_card` AFTER DELETE ON `cards` BEGIN
	DELETE FROM `login_tickets` WHERE `user_id` = old.`user_id` AND `entry` = 'card';
END;
--> statement-breakpoint
CREATE TRIGGER `second_factors_end` AFTER DELETE ON `second_factors` BEGIN
	DELETE FROM `login_tickets` WHERE `user_id` = old.`user_id`;
	DELETE FROM `spare_codes` WHERE `user_id` = old.`user_id`;
	DELETE FROM `wrong_tries` WHERE `key` = 'factor ' || old.`user_id`;
END;
--> statement-breakpoint
-- An admin sets up a second factor as an admin: one that was begun before needed less.
CREATE TRIGGER `second_factors_of_role` AFTER UPDATE OF `is_admin` ON `users` WHEN old.`is_admin` <> new.`is_admin` BEGIN
	DELETE FROM `second_factors` WHERE `user_id` = new.`id` AND `confirmed_at` IS NULL;
	DELETE FROM `setup_codes` WHERE `user_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `setup_codes_of_maker` AFTER UPDATE OF `is_active`, `is_admin` ON `users`
WHEN new.`is_active` = 0 OR new.`is_admin` = 0 BEGIN
	DELETE FROM `setup_codes` WHERE `made_by` = new.`id`;
END;
