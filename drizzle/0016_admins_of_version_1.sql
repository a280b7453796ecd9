-- 0 says from now on that an account never was an active admin. Those of version 1.0.0 have been admins for long.
UPDATE `users` SET `admin_since` = 1 WHERE `is_admin` AND `admin_since` = 0;
