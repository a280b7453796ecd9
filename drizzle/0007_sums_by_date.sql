DROP INDEX `tax_records_shares`;--> statement-breakpoint
DROP INDEX `tax_records_due`;--> statement-breakpoint
CREATE INDEX `tax_records_payment` ON `tax_records` (`payment_date`,`amount_sen`) WHERE "tax_records"."payment_date" is not null;--> statement-breakpoint
CREATE INDEX `tax_records_unpaid` ON `tax_records` (`user_id`,`due_date`,`year`,`amount_sen`,`status`) WHERE "tax_records"."status" <> 'lunas';--> statement-breakpoint
CREATE INDEX `tax_records_shares` ON `tax_records` (`year`,`property_type`,`status`,`amount_sen`,`due_date`);--> statement-breakpoint
CREATE INDEX `tax_records_due` ON `tax_records` (`due_date`,`id`,`status`,`amount_sen`);--> statement-breakpoint
CREATE INDEX `conversations_waiting` ON `conversations` (`unanswered_since`,`user_id`) WHERE "conversations"."unanswered_since" is not null;