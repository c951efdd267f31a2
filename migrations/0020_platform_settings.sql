-- Settings of the platform that staff change: the price of a rented terminal, which decisions need two admin users, and
-- how long withdrawals to a changed destination are marked.
--
-- Why a setting is several rows with `valid_from`: a month's rental has the price in force when the month began.
-- A change can also be scheduled. A setting without a row in force has the default of the installation.

CREATE TABLE platform_setting (
    key           text NOT NULL,
    -- Counts the rows of the setting from 1.
    number        integer NOT NULL CHECK (number >= 1),
    -- Cents, days, or 0 for no and 1 for yes. NULL (`two_approvals_above` only): no withdrawal needs two approvals.
    value         bigint,
    valid_from    timestamptz NOT NULL,
    set_by        uuid NOT NULL REFERENCES admin_user (id),
    recorded_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    withdrawn_at  timestamptz,
    withdrawn_by  uuid REFERENCES admin_user (id),
    PRIMARY KEY (key, number),
    CHECK ((withdrawn_at IS NULL) = (withdrawn_by IS NULL)),
    CHECK (value IS NOT NULL OR key = 'two_approvals_above'),
    CHECK (CASE key
               WHEN 'terminal_rental' THEN value BETWEEN 1 AND 9999999999
               WHEN 'two_approvals_above' THEN value BETWEEN 0 AND 9999999999
               WHEN 'two_person_plan_changes' THEN value IN (0, 1)
               WHEN 'marked_destination_days' THEN value BETWEEN 0 AND 90
               ELSE false
           END)
);
CREATE UNIQUE INDEX platform_setting_by_start ON platform_setting (key, valid_from) WHERE withdrawn_at IS NULL;

CREATE FUNCTION platform_setting_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last_number      integer;
    last_valid_from  timestamptz;
BEGIN
    SELECT max(number), max(valid_from) FILTER (WHERE withdrawn_at IS NULL) INTO last_number, last_valid_from
      FROM platform_setting WHERE key = NEW.key;
    IF NEW.number <> coalesce(last_number, 0) + 1 OR NEW.valid_from <= last_valid_from OR NEW.withdrawn_at IS NOT NULL THEN
        RAISE EXCEPTION 'row % of the setting % does not follow its last one', NEW.number, NEW.key
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER platform_setting_follows BEFORE INSERT ON platform_setting
    FOR EACH ROW EXECUTE FUNCTION platform_setting_follows();
CREATE TRIGGER valid_from_now_on BEFORE INSERT ON platform_setting
    FOR EACH ROW EXECUTE FUNCTION valid_from_now_on();

-- The only allowed change: a row can be withdrawn once, before it takes effect.
CREATE FUNCTION platform_setting_only_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.key, NEW.number, NEW.value, NEW.valid_from, NEW.set_by, NEW.recorded_at)
           IS DISTINCT FROM (OLD.key, OLD.number, OLD.value, OLD.valid_from, OLD.set_by, OLD.recorded_at)
       OR OLD.withdrawn_at IS NOT NULL OR NEW.withdrawn_at IS NULL OR OLD.valid_from <= business_now() THEN
        RAISE EXCEPTION 'row % of the setting % can only be withdrawn before it takes effect', OLD.number, OLD.key
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER platform_setting_only_withdrawn BEFORE UPDATE ON platform_setting
    FOR EACH ROW EXECUTE FUNCTION platform_setting_only_withdrawn();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON platform_setting
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();
