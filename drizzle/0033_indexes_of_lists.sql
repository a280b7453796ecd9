-- SQLite has trigrams of the names, and indexes in these orders; the migration of PostgreSQL makes what is like them.
SELECT 1;
