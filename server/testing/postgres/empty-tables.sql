-- Makes the function that empties the database for the next test. It deletes, because a truncation makes new files and costs ten
-- times as much. It names each table, so that its statements are planned once on a connection.
do $make$
declare
	tables text;
	deletions text;
	numbers text;
begin
	select string_agg(format('%I', relname), ', '),
		string_agg(format('delete from %I; get diagnostics one = row_count; deleted := deleted + one;', relname), E'\n')
			filter (where relname <> 'record_parts')
		into tables, deletions
		from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace;
	select string_agg(format('perform setval(%L, %s, false);', sequencename, start_value), E'\n') into numbers
		from pg_sequences where schemaname = 'public';
	execute format($body$
		create function empty_tables() returns bigint language plpgsql as $empty$
		declare
			one bigint;
			deleted bigint := 0;
			next_version bigint;
		begin
			-- A process of the last test may still write.
			lock table %s in exclusive mode;
			select version + 1 into next_version from record_version;
			-- Without triggers and references.
			set local session_replication_role = replica;
			%s
			%s
			insert into message_index (id, after_id, up_to_id) values (1, 0, 0);
			-- What is kept of a database, until a record changes, must not be used for the next test.
			insert into record_version (id, version) values (1, coalesce(next_version, 0));
			update record_parts set changes = changes + 1;
			return deleted;
		end $empty$
	$body$, tables, deletions, numbers);
end $make$
