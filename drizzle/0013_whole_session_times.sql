-- The clock of sessions had fractions of a millisecond, which the columns kept.
UPDATE `sessions` SET
  `created_at` = cast(`created_at` AS integer),
  `last_seen_at` = cast(`last_seen_at` AS integer),
  `expires_at` = cast(`expires_at` AS integer)
WHERE 'real' IN (typeof(`created_at`), typeof(`last_seen_at`), typeof(`expires_at`));--> statement-breakpoint
UPDATE `users` SET
  `password_changed_at` = cast(`password_changed_at` AS integer),
  `admin_since` = cast(`admin_since` AS integer)
WHERE 'real' IN (typeof(`password_changed_at`), typeof(`admin_since`));
