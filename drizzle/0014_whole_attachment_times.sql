-- The clock of attachments was that of sessions, with fractions of a millisecond.
UPDATE `attachments` SET `created_at` = cast(`created_at` AS integer) WHERE typeof(`created_at`) = 'real';
