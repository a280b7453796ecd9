DROP INDEX `messages_created`;--> statement-breakpoint
ALTER TABLE `messages` ADD `waited_since` integer;--> statement-breakpoint
-- What waited was sent after the admins' message before, and after the newest dismissal.
UPDATE `messages` SET `waited_since` = (
	SELECT question.`created_at` FROM `messages` AS question
	WHERE question.`user_id` = `messages`.`user_id` AND question.`id` < `messages`.`id`
		AND question.`id` > ifnull((
			SELECT earlier.`id` FROM `messages` AS earlier
			WHERE earlier.`user_id` = `messages`.`user_id` AND earlier.`id` < `messages`.`id` AND earlier.`from_admin` = 1 AND earlier.`kind` = 'chat'
			ORDER BY earlier.`id` DESC LIMIT 1), 0)
		AND question.`id` > ifnull((
			SELECT max(`message_id`) FROM `conversation_dismissals`
			WHERE `conversation_dismissals`.`user_id` = `messages`.`user_id` AND `message_id` < `messages`.`id`), 0)
		AND question.`from_admin` = 0 AND question.`kind` = 'chat'
	ORDER BY question.`id` LIMIT 1
) WHERE `from_admin` = 1 AND `kind` = 'chat';--> statement-breakpoint
CREATE INDEX `messages_answers` ON `messages` (`created_at`,`waited_since`,`sender_id`) WHERE "messages"."waited_since" is not null;--> statement-breakpoint
CREATE INDEX `messages_incoming` ON `messages` (`created_at`) WHERE "messages"."from_admin" = 0 and "messages"."kind" = 'chat';
