-- PostgreSQL stores no U+0000, so stored ones become U+FFFD (docs/requirements.md R-API-21). The function replace() of SQLite cannot find
-- them. So a text is written as JSON, where they are escapes, and read back. Escaped backslashes get another escape before, so that
-- none of them stands before `u0000`. JSON columns have the escapes already.
DROP TRIGGER `audit_entries_unchanged`;
--> statement-breakpoint
DROP TRIGGER `security_log_unchanged`;
--> statement-breakpoint
-- The triggers note records under the texts with which the index holds them. An owner whose deletion is running has no row in `users`.
INSERT INTO `record_words_pending` (`record_rowid`, `name`, `address`, `spt_number`, `owner_name`)
	SELECT s.`record_rowid`, r.`name`, r.`address`, r.`spt_number`, s.`owner_name` FROM `searched_records` s JOIN `tax_records` r ON r.`rowid` = s.`record_rowid`
	WHERE instr(s.`owner_name`, char(0)) ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE `users` SET `name` = json_extract(replace(replace(json_quote(`name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`name`, char(0));
--> statement-breakpoint
UPDATE `tax_records` SET `name` = json_extract(replace(replace(json_quote(`name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`address` = json_extract(replace(replace(json_quote(`address`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`tax_type` = json_extract(replace(replace(json_quote(`tax_type`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`spt_number` = json_extract(replace(replace(json_quote(`spt_number`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`description` = json_extract(replace(replace(json_quote(`description`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`notes` = json_extract(replace(replace(json_quote(`notes`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`checked_by_name` = json_extract(replace(replace(json_quote(`checked_by_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`check_reason` = json_extract(replace(replace(json_quote(`check_reason`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`name`, char(0))
	OR instr(`address`, char(0))
	OR instr(`tax_type`, char(0))
	OR instr(`spt_number`, char(0))
	OR instr(`description`, char(0))
	OR instr(`notes`, char(0))
	OR instr(`checked_by_name`, char(0))
	OR instr(`check_reason`, char(0));
--> statement-breakpoint
UPDATE `searched_records` SET `name` = json_extract(replace(replace(json_quote(`name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`owner_name` = json_extract(replace(replace(json_quote(`owner_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`name`, char(0))
	OR instr(`owner_name`, char(0));
--> statement-breakpoint
-- What the index holds with such a text leaves it now, because it can remove no other text. The indexer adds the new one.
INSERT INTO `record_words` (`record_words`, `rowid`, `name`, `address`, `spt_number`, `owner_name`)
	SELECT 'delete', `record_rowid`, `name`, `address`, `spt_number`, `owner_name` FROM `record_words_pending`
	WHERE instr(`name`, char(0)) OR instr(`address`, char(0)) OR instr(`spt_number`, char(0)) OR instr(`owner_name`, char(0));
--> statement-breakpoint
UPDATE `record_words_pending` SET `name` = NULL, `address` = NULL, `spt_number` = NULL, `owner_name` = NULL
	WHERE instr(`name`, char(0)) OR instr(`address`, char(0)) OR instr(`spt_number`, char(0)) OR instr(`owner_name`, char(0));
--> statement-breakpoint
UPDATE `messages` SET `sender_name` = json_extract(replace(replace(json_quote(`sender_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`content` = json_extract(replace(replace(json_quote(`content`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`record_then` = replace(replace(`record_then`, '\\', '\u005c'), '\u0000', '\ufffd')
	WHERE instr(`sender_name`, char(0))
	OR instr(`content`, char(0))
	OR instr(`record_then`, '\u0000');
--> statement-breakpoint
UPDATE `attachments` SET `name` = json_extract(replace(replace(json_quote(`name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`name`, char(0));
--> statement-breakpoint
UPDATE `conversation_notes` SET `author_name` = json_extract(replace(replace(json_quote(`author_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`content` = json_extract(replace(replace(json_quote(`content`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`author_name`, char(0))
	OR instr(`content`, char(0));
--> statement-breakpoint
UPDATE `quick_replies` SET `title` = json_extract(replace(replace(json_quote(`title`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`content` = json_extract(replace(replace(json_quote(`content`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`title`, char(0))
	OR instr(`content`, char(0));
--> statement-breakpoint
UPDATE `office_hours` SET `holidays` = replace(replace(`holidays`, '\\', '\u005c'), '\u0000', '\ufffd')
	WHERE instr(`holidays`, '\u0000');
--> statement-breakpoint
UPDATE `office_identity` SET `name` = json_extract(replace(replace(json_quote(`name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`address` = json_extract(replace(replace(json_quote(`address`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`phone` = json_extract(replace(replace(json_quote(`phone`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`whatsapp` = json_extract(replace(replace(json_quote(`whatsapp`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`name`, char(0))
	OR instr(`address`, char(0))
	OR instr(`phone`, char(0))
	OR instr(`whatsapp`, char(0));
--> statement-breakpoint
UPDATE `account_deletions` SET `actor_name` = json_extract(replace(replace(json_quote(`actor_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`actor_name`, char(0));
--> statement-breakpoint
-- An area may be there already that has U+FFFD in its place.
UPDATE `areas` SET `name` = json_extract(replace(replace(json_quote(`name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'), `unique_name` = json_extract(replace(replace(json_quote(`unique_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$') || CASE WHEN EXISTS (SELECT 1 FROM `areas` AS other
	WHERE other.`unique_name` = json_extract(replace(replace(json_quote(`areas`.`unique_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')) THEN `id` ELSE '' END
	WHERE instr(`name`, char(0)) OR instr(`unique_name`, char(0));
--> statement-breakpoint
UPDATE `assessments` SET `name` = json_extract(replace(replace(json_quote(`name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`payer_address` = json_extract(replace(replace(json_quote(`payer_address`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`object_address` = json_extract(replace(replace(json_quote(`object_address`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`old_number` = json_extract(replace(replace(json_quote(`old_number`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`file_book` = json_extract(replace(replace(json_quote(`file_book`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`dusun` = json_extract(replace(replace(json_quote(`dusun`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`rt` = json_extract(replace(replace(json_quote(`rt`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`rw` = json_extract(replace(replace(json_quote(`rw`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`place_key` = json_extract(replace(replace(json_quote(`place_key`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`file_collector` = json_extract(replace(replace(json_quote(`file_collector`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`paid_place` = json_extract(replace(replace(json_quote(`paid_place`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`note` = json_extract(replace(replace(json_quote(`note`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`handed_out_to` = json_extract(replace(replace(json_quote(`handed_out_to`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`name`, char(0))
	OR instr(`payer_address`, char(0))
	OR instr(`object_address`, char(0))
	OR instr(`old_number`, char(0))
	OR instr(`file_book`, char(0))
	OR instr(`dusun`, char(0))
	OR instr(`rt`, char(0))
	OR instr(`rw`, char(0))
	OR instr(`place_key`, char(0))
	OR instr(`file_collector`, char(0))
	OR instr(`paid_place`, char(0))
	OR instr(`note`, char(0))
	OR instr(`handed_out_to`, char(0));
--> statement-breakpoint
UPDATE `dhkp_batches` SET `by_name` = json_extract(replace(replace(json_quote(`by_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`file_name` = json_extract(replace(replace(json_quote(`file_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`message` = json_extract(replace(replace(json_quote(`message`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`control_reason` = json_extract(replace(replace(json_quote(`control_reason`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`revert_reason` = json_extract(replace(replace(json_quote(`revert_reason`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`actor_name` = json_extract(replace(replace(json_quote(`actor_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`findings` = replace(replace(`findings`, '\\', '\u005c'), '\u0000', '\ufffd'),
	`computed` = replace(replace(`computed`, '\\', '\u005c'), '\u0000', '\ufffd')
	WHERE instr(`by_name`, char(0))
	OR instr(`file_name`, char(0))
	OR instr(`message`, char(0))
	OR instr(`control_reason`, char(0))
	OR instr(`revert_reason`, char(0))
	OR instr(`actor_name`, char(0))
	OR instr(`findings`, '\u0000')
	OR instr(`computed`, '\u0000');
--> statement-breakpoint
UPDATE `dhkp_batch_rows` SET `data` = replace(replace(`data`, '\\', '\u005c'), '\u0000', '\ufffd')
	WHERE instr(`data`, '\u0000');
--> statement-breakpoint
UPDATE `dhkp_changes` SET `before` = replace(replace(`before`, '\\', '\u005c'), '\u0000', '\ufffd'),
	`record_before` = replace(replace(`record_before`, '\\', '\u005c'), '\u0000', '\ufffd')
	WHERE instr(`before`, '\u0000')
	OR instr(`record_before`, '\u0000');
--> statement-breakpoint
UPDATE OR IGNORE `dhkp_layouts` SET `headers` = replace(replace(`headers`, '\\', '\u005c'), '\u0000', '\ufffd')
	WHERE instr(`headers`, '\u0000');
--> statement-breakpoint
UPDATE `object_claims` SET `note` = json_extract(replace(replace(json_quote(`note`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`reason` = json_extract(replace(replace(json_quote(`reason`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`answered_by` = json_extract(replace(replace(json_quote(`answered_by`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`note`, char(0))
	OR instr(`reason`, char(0))
	OR instr(`answered_by`, char(0));
--> statement-breakpoint
UPDATE `audit_entries` SET `actor_name` = json_extract(replace(replace(json_quote(`actor_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`subject_label` = json_extract(replace(replace(json_quote(`subject_label`), '\\', '\u005c'), '\u0000', '\ufffd'), '$'),
	`changes` = replace(replace(`changes`, '\\', '\u005c'), '\u0000', '\ufffd')
	WHERE instr(`actor_name`, char(0))
	OR instr(`subject_label`, char(0))
	OR instr(`changes`, '\u0000');
--> statement-breakpoint
UPDATE `security_log` SET `by_name` = json_extract(replace(replace(json_quote(`by_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`by_name`, char(0));
--> statement-breakpoint
UPDATE `erasure_requests` SET `reason` = json_extract(replace(replace(json_quote(`reason`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`reason`, char(0));
--> statement-breakpoint
UPDATE `retention` SET `announced_by_name` = json_extract(replace(replace(json_quote(`announced_by_name`), '\\', '\u005c'), '\u0000', '\ufffd'), '$')
	WHERE instr(`announced_by_name`, char(0));
--> statement-breakpoint
CREATE TRIGGER `audit_entries_unchanged` BEFORE UPDATE ON `audit_entries` BEGIN
	SELECT RAISE(ABORT, 'audit entries are append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `security_log_unchanged` BEFORE UPDATE ON `security_log` BEGIN
	SELECT RAISE(ABORT, 'the own log is append-only');
END;
