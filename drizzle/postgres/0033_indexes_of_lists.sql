-- The words of a name as the search over messages compares them, which trigrams of two letters cannot find.
create function words_of_name(name text) returns tsvector language sql immutable parallel safe strict
	return array_to_tsvector(array_remove(regexp_split_to_array(lower(name collate "C"), '[^0-9a-z]+'), ''));
--> statement-breakpoint
create index users_words on users using gin (words_of_name(name));
--> statement-breakpoint
-- The list of records is sorted without regard to case.
drop index tax_records_name;
--> statement-breakpoint
create index tax_records_name on tax_records (lower(name), id);
--> statement-breakpoint
-- The list by due date ends with what has none, in both directions; the other index begins with it.
create index tax_records_due_last on tax_records (due_date, id);
