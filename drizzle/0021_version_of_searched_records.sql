-- The results of searches are kept too, so the version counts the changes of all columns that a search compares.
DROP TRIGGER `tax_records_statistics_changed`;
--> statement-breakpoint
CREATE TRIGGER `tax_records_statistics_changed` AFTER UPDATE OF `year`, `property_type`, `status`, `check_state`, `amount_source`, `due_date`, `amount_sen`, `payment_date`, `spt_number`, `user_id`, `created_at`, `name`, `address`, `proof_file` ON `tax_records` BEGIN
	UPDATE `record_version` SET `version` = `version` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `users_name_changed` AFTER UPDATE OF `name` ON `users` WHEN old.`name` <> new.`name` BEGIN
	UPDATE `record_version` SET `version` = `version` + 1;
END;
