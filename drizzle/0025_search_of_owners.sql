DROP TRIGGER `tax_records_added`;
--> statement-breakpoint
DROP TRIGGER `tax_records_deleted`;
--> statement-breakpoint
DROP TRIGGER `tax_records_group_changed`;
--> statement-breakpoint
DROP TRIGGER `tax_records_words_changed`;
--> statement-breakpoint
DROP TRIGGER `users_name_changed`;
--> statement-breakpoint
DROP TABLE `record_words`;
--> statement-breakpoint
CREATE TABLE `__new_record_sums` (
	`id` integer PRIMARY KEY NOT NULL,
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
INSERT INTO `__new_record_sums` (`year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, `records`, `sen_high`, `sen_low`) SELECT `year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, `records`, `sen_high`, `sen_low` FROM `record_sums`;
--> statement-breakpoint
DROP TABLE `record_sums`;
--> statement-breakpoint
ALTER TABLE `__new_record_sums` RENAME TO `record_sums`;
--> statement-breakpoint
CREATE INDEX `record_sums_group` ON `record_sums` (`year`,`status`,`check_state`,`amount_source`,`property_type`,`due_date`);
--> statement-breakpoint
CREATE INDEX `record_sums_empty` ON `record_sums` (`records`) WHERE "record_sums"."records" = 0;
--> statement-breakpoint
ALTER TABLE `record_words_pending` ADD `owner_name` text;
--> statement-breakpoint
-- The index is made anew from the records as they are.
DELETE FROM `record_words_pending`;
--> statement-breakpoint
CREATE TABLE `searched_records` (
	`record_rowid` integer PRIMARY KEY NOT NULL,
	`group_id` integer NOT NULL,
	`amount_sen` integer NOT NULL,
	`name` text NOT NULL,
	`owner_name` text
);
--> statement-breakpoint
INSERT INTO `searched_records` (`record_rowid`, `group_id`, `amount_sen`, `name`, `owner_name`)
	SELECT r.`rowid`, (SELECT `id` FROM `record_sums` WHERE `year` = r.`year` AND `status` = r.`status` AND `check_state` = r.`check_state`
		AND `amount_source` = r.`amount_source` AND `property_type` IS r.`property_type` AND `due_date` IS r.`due_date`), r.`amount_sen`, r.`name`,
		nullif((SELECT `name` FROM `users` WHERE `id` = r.`user_id`), r.`name`)
	FROM `tax_records` r ORDER BY r.`rowid`;
--> statement-breakpoint
CREATE VIEW `record_texts` AS SELECT s.`record_rowid`, r.`name`, r.`address`, r.`spt_number`, s.`owner_name`
	FROM `searched_records` s JOIN `tax_records` r ON r.`rowid` = s.`record_rowid`;
--> statement-breakpoint
-- It proposes the records whose texts contain three letters in a row, and holds no text of its own.
CREATE VIRTUAL TABLE `record_words` USING fts5(name, address, spt_number, owner_name, content = 'record_texts', content_rowid = 'record_rowid', detail = none, columnsize = 0, tokenize = 'trigram');
--> statement-breakpoint
-- What a deleted record had is overwritten in the index. The indexer merges its parts in small steps, and no commit has to.
INSERT INTO `record_words` (`record_words`, `rank`) VALUES ('secure-delete', 1), ('automerge', 0), ('crisismerge', 1999);
--> statement-breakpoint
INSERT INTO `record_words` (`rowid`, `name`, `address`, `spt_number`, `owner_name`) SELECT `record_rowid`, `name`, `address`, `spt_number`, `owner_name` FROM `record_texts`;
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
	INSERT INTO `searched_records` (`record_rowid`, `group_id`, `amount_sen`, `name`, `owner_name`)
		VALUES (new.`rowid`, (SELECT `id` FROM `record_sums` WHERE `year` = new.`year` AND `status` = new.`status` AND `check_state` = new.`check_state`
		AND `amount_source` = new.`amount_source` AND `property_type` IS new.`property_type` AND `due_date` IS new.`due_date`), new.`amount_sen`, new.`name`, nullif((SELECT `name` FROM `users` WHERE `id` = new.`user_id`), new.`name`));
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
	INSERT INTO `record_words_pending` (`record_rowid`, `name`, `address`, `spt_number`, `owner_name`)
		SELECT old.`rowid`, old.`name`, old.`address`, old.`spt_number`, `owner_name` FROM `searched_records` WHERE `record_rowid` = old.`rowid` ON CONFLICT DO NOTHING;
	DELETE FROM `searched_records` WHERE `record_rowid` = old.`rowid`;
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
	UPDATE `searched_records` SET `amount_sen` = new.`amount_sen`, `group_id` = (SELECT `id` FROM `record_sums` WHERE `year` = new.`year` AND `status` = new.`status` AND `check_state` = new.`check_state`
		AND `amount_source` = new.`amount_source` AND `property_type` IS new.`property_type` AND `due_date` IS new.`due_date`)
		WHERE `record_rowid` = new.`rowid`;
	DELETE FROM `record_sums` WHERE `records` = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `tax_records_words_changed` AFTER UPDATE OF `name`, `address`, `spt_number`, `user_id` ON `tax_records`
WHEN (old.`name`, old.`address`, old.`spt_number`, old.`user_id`) <> (new.`name`, new.`address`, new.`spt_number`, new.`user_id`) BEGIN
	-- A record that is noted already is not in the index, or with the texts that were noted first.
	INSERT INTO `record_words_pending` (`record_rowid`, `name`, `address`, `spt_number`, `owner_name`)
		SELECT old.`rowid`, old.`name`, old.`address`, old.`spt_number`, `owner_name` FROM `searched_records` WHERE `record_rowid` = old.`rowid` ON CONFLICT DO NOTHING;
	UPDATE `searched_records` SET `name` = new.`name`, `owner_name` = nullif((SELECT `name` FROM `users` WHERE `id` = new.`user_id`), new.`name`)
		WHERE `record_rowid` = new.`rowid` AND (old.`name`, old.`user_id`) <> (new.`name`, new.`user_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `users_name_changed` AFTER UPDATE OF `name` ON `users` WHEN old.`name` <> new.`name` BEGIN
	UPDATE `record_version` SET `version` = `version` + 1;
	INSERT INTO `record_words_pending` (`record_rowid`, `name`, `address`, `spt_number`, `owner_name`)
		SELECT r.`rowid`, r.`name`, r.`address`, r.`spt_number`, s.`owner_name` FROM `tax_records` r JOIN `searched_records` s ON s.`record_rowid` = r.`rowid`
		WHERE r.`user_id` = new.`id` ON CONFLICT DO NOTHING;
	UPDATE `searched_records` SET `owner_name` = nullif(new.`name`, `name`)
		WHERE `record_rowid` IN (SELECT `rowid` FROM `tax_records` WHERE `user_id` = new.`id`);
END;