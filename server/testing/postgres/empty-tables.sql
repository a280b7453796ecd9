do $$
declare
	name text;
	filled text[] := '{}';
	has_rows boolean;
	next_version bigint := (select version + 1 from record_version);
begin
	for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
		execute format('select exists (select 1 from %I)', name) into has_rows;
		if has_rows then filled := filled || quote_ident(name); end if;
	end loop;
	execute 'truncate ' || array_to_string(filled, ', ') || ' restart identity cascade';
	for name in select sequencename from pg_sequences where last_value is not null loop
		execute format('alter sequence %I restart', name);
	end loop;
	insert into message_index (id, after_id, up_to_id) values (1, 0, 0);
	-- What is kept of a database, until a record changes, must not be used for the next test.
	insert into record_version (id, version) values (1, coalesce(next_version, 0));
end $$
