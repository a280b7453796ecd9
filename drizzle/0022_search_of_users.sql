CREATE INDEX `users_other_names` ON `users` (`id`) WHERE length(cast("users"."name" as blob)) > length("users"."name");--> statement-breakpoint
-- It proposes the accounts whose texts contain three letters in a row, and holds no text of its own.
CREATE VIRTUAL TABLE `user_words` USING fts5(name, email, content = 'users', content_rowid = 'rowid', detail = none, columnsize = 0, tokenize = 'trigram');
--> statement-breakpoint
-- What a deleted or renamed account had is overwritten in the index.
INSERT INTO `user_words` (`user_words`, `rank`) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO `user_words` (`rowid`, `name`, `email`) SELECT `rowid`, `name`, `email` FROM `users`;
--> statement-breakpoint
INSERT INTO `user_words` (`user_words`) VALUES ('optimize');
--> statement-breakpoint
CREATE TRIGGER `users_words_added` AFTER INSERT ON `users` BEGIN
	INSERT INTO `user_words` (`rowid`, `name`, `email`) VALUES (new.`rowid`, new.`name`, new.`email`);
END;
--> statement-breakpoint
CREATE TRIGGER `users_words_deleted` AFTER DELETE ON `users` BEGIN
	INSERT INTO `user_words` (`user_words`, `rowid`, `name`, `email`) VALUES ('delete', old.`rowid`, old.`name`, old.`email`);
END;
--> statement-breakpoint
CREATE TRIGGER `users_words_changed` AFTER UPDATE OF `name`, `email` ON `users`
WHEN (old.`name`, old.`email`) <> (new.`name`, new.`email`) BEGIN
	INSERT INTO `user_words` (`user_words`, `rowid`, `name`, `email`) VALUES ('delete', old.`rowid`, old.`name`, old.`email`);
	INSERT INTO `user_words` (`rowid`, `name`, `email`) VALUES (new.`rowid`, new.`name`, new.`email`);
END;
