-- PostgreSQL never stored U+0000; the migration of SQLite replaces it (docs/requirements.md R-API-21).
select 1;
