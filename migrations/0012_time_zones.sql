-- A person chooses any time zone of the IANA database, or none: then the one of the tenant whose address they use counts.
-- Nobody could tell before whether UTC was chosen or only never changed, so that such people follow their tenant now.

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

-- Where neither is set, dates are shown in UTC.
ALTER TABLE tenant
    ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC' CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$');
