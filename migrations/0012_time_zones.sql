-- A user can choose any time zone of the IANA database. NULL: the user sees the time zone of the tenant of the host.
--
-- Until this version UTC was the default, so a stored UTC may never have been chosen. It becomes NULL.

ALTER TABLE seller_user
    DROP CONSTRAINT seller_user_time_zone_check,
    ALTER COLUMN time_zone DROP NOT NULL,
    ALTER COLUMN time_zone DROP DEFAULT,
    ADD CONSTRAINT seller_user_time_zone_check CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$');
UPDATE seller_user SET time_zone = NULL WHERE time_zone = 'UTC';

ALTER TABLE admin_user
    DROP CONSTRAINT admin_user_time_zone_check,
    ALTER COLUMN time_zone DROP NOT NULL,
    ALTER COLUMN time_zone DROP DEFAULT,
    ADD CONSTRAINT admin_user_time_zone_check CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$');
UPDATE admin_user SET time_zone = NULL WHERE time_zone = 'UTC';

-- Dates are shown in UTC if neither the user nor the tenant has chosen a time zone.
ALTER TABLE tenant
    ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC' CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$');
