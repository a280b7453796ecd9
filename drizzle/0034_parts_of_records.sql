CREATE TABLE `record_parts` (
	`part` integer PRIMARY KEY NOT NULL,
	`changes` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `record_parts` (`part`, `changes`) SELECT DISTINCT `rowid` >> 15, 1 FROM `tax_records`;
--> statement-breakpoint
CREATE TRIGGER `tax_records_part_added` AFTER INSERT ON `tax_records` BEGIN
	INSERT INTO `record_parts` (`part`, `changes`) VALUES (new.`rowid` >> 15, 1) ON CONFLICT DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `tax_records_part_deleted` AFTER DELETE ON `tax_records` BEGIN
	UPDATE `record_parts` SET `changes` = `changes` + 1 WHERE `part` = old.`rowid` >> 15;
END;
--> statement-breakpoint
-- The columns are those of the trigger that counts the changes of all records.
CREATE TRIGGER `tax_records_part_changed` AFTER UPDATE OF `year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, `amount_sen`, `payment_date`, `spt_number`, `user_id`, `created_at`, `name`, `address`, `proof_file` ON `tax_records` BEGIN
	UPDATE `record_parts` SET `changes` = `changes` + 1 WHERE `part` = new.`rowid` >> 15;
END;
--> statement-breakpoint
CREATE TRIGGER `users_parts_changed` AFTER UPDATE OF `name` ON `users` WHEN old.`name` <> new.`name` BEGIN
	UPDATE `record_parts` SET `changes` = `changes` + 1 WHERE `part` IN (SELECT `rowid` >> 15 FROM `tax_records` WHERE `user_id` = new.`id`);
END;
