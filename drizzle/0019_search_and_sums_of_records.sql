CREATE TABLE `record_sums` (
	`year` integer NOT NULL,
	`property_type` text,
	`status` text NOT NULL,
	`check_state` text NOT NULL,
	`amount_source` text NOT NULL,
	`due_date` text,
	`records` integer NOT NULL,
	`sen_high` integer NOT NULL,
	`sen_low` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `record_sums_group` ON `record_sums` (`year`,`status`,`check_state`,`amount_source`,`property_type`,`due_date`);--> statement-breakpoint
CREATE INDEX `record_sums_empty` ON `record_sums` (`records`) WHERE "record_sums"."records" = 0;--> statement-breakpoint
CREATE TABLE `record_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `record_words_pending` (
	`record_rowid` integer PRIMARY KEY NOT NULL,
	`name` text,
	`address` text,
	`spt_number` text
);
--> statement-breakpoint
CREATE INDEX `record_words_pending_old` ON `record_words_pending` (`record_rowid`) WHERE "record_words_pending"."name" is not null;--> statement-breakpoint
CREATE INDEX `messages_created` ON `messages` (`created_at`);--> statement-breakpoint
CREATE INDEX `users_names` ON `users` (`is_admin`,`name`,`email`,`created_at`,`is_active`,`id`);
--> statement-breakpoint
INSERT INTO `record_sums` (`year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, `records`, `sen_high`, `sen_low`)
	SELECT `year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, count(*), sum(`amount_sen` >> 24), sum(`amount_sen` & 16777215) FROM `tax_records`
	GROUP BY `year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`;
--> statement-breakpoint
INSERT INTO `record_version` (`id`, `version`) VALUES (1, 0);
--> statement-breakpoint
-- It proposes the records whose texts contain three letters in a row, and holds no text of its own.
CREATE VIRTUAL TABLE `record_words` USING fts5(name, address, spt_number, content = 'tax_records', content_rowid = 'rowid', detail = none, columnsize = 0, tokenize = 'trigram');
--> statement-breakpoint
-- What a deleted record had is overwritten in the index. The indexer merges its parts in small steps, and no commit has to.
INSERT INTO `record_words` (`record_words`, `rank`) VALUES ('secure-delete', 1), ('automerge', 0), ('crisismerge', 1999);
--> statement-breakpoint
INSERT INTO `record_words` (`rowid`, `name`, `address`, `spt_number`) SELECT `rowid`, `name`, `address`, `spt_number` FROM `tax_records`;
--> statement-breakpoint
INSERT INTO `record_words` (`record_words`) VALUES ('optimize');
--> statement-breakpoint
CREATE TRIGGER `tax_records_added` AFTER INSERT ON `tax_records` BEGIN
	UPDATE `record_version` SET `version` = `version` + 1;
	INSERT INTO `record_sums` (`year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, `records`, `sen_high`, `sen_low`)
		SELECT new.`year`, new.`property_type`, new.`status`, new.`check_state`, new.`amount_source`, new.`due_date`, 0, 0, 0
		WHERE NOT EXISTS (SELECT 1 FROM `record_sums` WHERE `year` = new.`year` AND `status` = new.`status` AND `check_state` = new.`check_state`
		AND `amount_source` = new.`amount_source` AND `property_type` IS new.`property_type` AND `due_date` IS new.`due_date`);
	UPDATE `record_sums` SET `records` = `records` + 1,
		`sen_high` = `sen_high` + (new.`amount_sen` >> 24), `sen_low` = `sen_low` + (new.`amount_sen` & 16777215)
		WHERE `year` = new.`year` AND `status` = new.`status` AND `check_state` = new.`check_state`
		AND `amount_source` = new.`amount_source` AND `property_type` IS new.`property_type` AND `due_date` IS new.`due_date`;
	-- A record that was deleted a moment ago may have had the same rowid: its texts are still to be removed.
	INSERT INTO `record_words_pending` (`record_rowid`) VALUES (new.`rowid`) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `tax_records_deleted` AFTER DELETE ON `tax_records` BEGIN
	UPDATE `record_version` SET `version` = `version` + 1;
	UPDATE `record_sums` SET `records` = `records` - 1,
		`sen_high` = `sen_high` - (old.`amount_sen` >> 24), `sen_low` = `sen_low` - (old.`amount_sen` & 16777215)
		WHERE `year` = old.`year` AND `status` = old.`status` AND `check_state` = old.`check_state`
		AND `amount_source` = old.`amount_source` AND `property_type` IS old.`property_type` AND `due_date` IS old.`due_date`;
	DELETE FROM `record_sums` WHERE `records` = 0;
	INSERT INTO `record_words_pending` (`record_rowid`, `name`, `address`, `spt_number`) VALUES (old.`rowid`, old.`name`, old.`address`, old.`spt_number`) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `tax_records_group_changed` AFTER UPDATE OF `year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, `amount_sen` ON `tax_records`
WHEN (old.`year`, old.`status`, old.`check_state`, old.`amount_source`, old.`amount_sen`) <> (new.`year`, new.`status`, new.`check_state`, new.`amount_source`, new.`amount_sen`)
	OR old.`property_type` IS NOT new.`property_type` OR old.`due_date` IS NOT new.`due_date` BEGIN
	UPDATE `record_sums` SET `records` = `records` - 1,
		`sen_high` = `sen_high` - (old.`amount_sen` >> 24), `sen_low` = `sen_low` - (old.`amount_sen` & 16777215)
		WHERE `year` = old.`year` AND `status` = old.`status` AND `check_state` = old.`check_state`
		AND `amount_source` = old.`amount_source` AND `property_type` IS old.`property_type` AND `due_date` IS old.`due_date`;
	INSERT INTO `record_sums` (`year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, `records`, `sen_high`, `sen_low`)
		SELECT new.`year`, new.`property_type`, new.`status`, new.`check_state`, new.`amount_source`, new.`due_date`, 0, 0, 0
		WHERE NOT EXISTS (SELECT 1 FROM `record_sums` WHERE `year` = new.`year` AND `status` = new.`status` AND `check_state` = new.`check_state`
		AND `amount_source` = new.`amount_source` AND `property_type` IS new.`property_type` AND `due_date` IS new.`due_date`);
	UPDATE `record_sums` SET `records` = `records` + 1,
		`sen_high` = `sen_high` + (new.`amount_sen` >> 24), `sen_low` = `sen_low` + (new.`amount_sen` & 16777215)
		WHERE `year` = new.`year` AND `status` = new.`status` AND `check_state` = new.`check_state`
		AND `amount_source` = new.`amount_source` AND `property_type` IS new.`property_type` AND `due_date` IS new.`due_date`;
	DELETE FROM `record_sums` WHERE `records` = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `tax_records_statistics_changed` AFTER UPDATE OF `year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, `amount_sen`, `payment_date`, `spt_number`, `user_id`, `created_at` ON `tax_records` BEGIN
	UPDATE `record_version` SET `version` = `version` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `tax_records_words_changed` AFTER UPDATE OF `name`, `address`, `spt_number` ON `tax_records`
WHEN (old.`name`, old.`address`, old.`spt_number`) <> (new.`name`, new.`address`, new.`spt_number`) BEGIN
	-- A record that is noted already is not in the index, or with the texts that were noted first.
	INSERT INTO `record_words_pending` (`record_rowid`, `name`, `address`, `spt_number`) VALUES (old.`rowid`, old.`name`, old.`address`, old.`spt_number`) ON CONFLICT DO NOTHING;
END;
