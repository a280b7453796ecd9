CREATE TABLE `erasure_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`due_at` integer NOT NULL,
	`asked_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `erasure_requests_user` ON `erasure_requests` (`user_id`);--> statement-breakpoint
CREATE INDEX `erasure_requests_state` ON `erasure_requests` (`state`,`due_at`,`id`);