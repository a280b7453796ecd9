ALTER TABLE `tax_records` ADD `payment_date_before_check` text;--> statement-breakpoint
ALTER TABLE `tax_records` ADD `before_change` text;