-- SQLite has trigrams of the names and an order of them without regard to case; the migration of PostgreSQL makes what is like them.
SELECT 1;
