CREATE TABLE `cards` (
	`user_id` text PRIMARY KEY NOT NULL,
	`lookup` text NOT NULL,
	`pin_hash` text,
	`activation_hash` text,
	`wrong_activations` integer DEFAULT 0 NOT NULL,
	`made_by` text NOT NULL,
	`made_at` integer NOT NULL,
	`issued_at` integer NOT NULL,
	`activated_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cards_lookup` ON `cards` (`lookup`);--> statement-breakpoint
-- A card ends with the sessions that came in by it, and the counts of its wrong tries go, by whatever way it is deleted.
CREATE TRIGGER `cards_end` AFTER DELETE ON `cards` BEGIN
	DELETE FROM `sessions` WHERE `user_id` = old.`user_id` AND `entry` = 'card';
	DELETE FROM `wrong_tries` WHERE `key` = 'card ' || old.`lookup` OR (`key` > 'card ' || old.`lookup` || ' ' AND `key` < 'card ' || old.`lookup` || '!');
END;
--> statement-breakpoint
-- Administrators have no cards: whoever holds one must not hold an administrator's account.
CREATE TRIGGER `cards_of_admin` AFTER UPDATE OF `is_admin` ON `users` WHEN new.`is_admin` = 1 BEGIN
	DELETE FROM `cards` WHERE `user_id` = new.`id`;
END;
