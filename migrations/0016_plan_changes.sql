-- Changes of plans by staff: a scheduled version can be withdrawn, a company can return to the default plan, and each
-- edit names the revision that it started from.
--
-- Why a withdrawn version keeps its row and its number: a sale that is decided during the withdrawal may still name the
-- version. The explanation of that sale's price reads the version again. So a number never stands for two versions.

-- Returns the current instant for a change of plans. Staff's changes use the business clock, like the sales that they
-- apply to. In production that is the machine's clock. A transaction that does not set it uses the database's clock.
CREATE FUNCTION business_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT coalesce(nullif(current_setting('razao.business_now', true), '')::timestamptz, transaction_timestamp())
$$;

CREATE OR REPLACE FUNCTION valid_from_now_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.valid_from >= business_now() THEN
        RETURN NEW;
    END IF;
    IF current_setting('razao.installing', true) = 'on' AND NOT EXISTS (SELECT FROM sale_state) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a row of % may not take effect in the past (%)', TG_TABLE_NAME, NEW.valid_from
        USING ERRCODE = 'check_violation';
END $$;

-- ---------------------------------------------------------------- versions

ALTER TABLE plan_version ADD COLUMN withdrawn_at timestamptz;
ALTER TABLE plan_version DROP CONSTRAINT plan_version_plan_id_valid_from_key;
CREATE UNIQUE INDEX plan_version_by_start ON plan_version (plan_id, valid_from) WHERE withdrawn_at IS NULL;

CREATE OR REPLACE FUNCTION plan_version_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last_version    integer;
    last_valid_from timestamptz;
BEGIN
    -- The lock on the plan's row makes concurrent edits of one plan wait for each other.
    PERFORM FROM plan WHERE id = NEW.plan_id FOR UPDATE;
    SELECT max(version), max(valid_from) FILTER (WHERE withdrawn_at IS NULL) INTO last_version, last_valid_from
      FROM plan_version WHERE plan_id = NEW.plan_id;
    IF NEW.version <> coalesce(last_version, 0) + 1 OR NEW.valid_from <= last_valid_from THEN
        RAISE EXCEPTION 'version % of the plan does not follow its last one', NEW.version
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- The only change of a version that is allowed: it is withdrawn once, before it takes effect.
CREATE FUNCTION plan_version_only_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.plan_id, NEW.version, NEW.terms::text, NEW.valid_from, NEW.recorded_at)
           IS DISTINCT FROM (OLD.plan_id, OLD.version, OLD.terms::text, OLD.valid_from, OLD.recorded_at)
       OR OLD.withdrawn_at IS NOT NULL OR NEW.withdrawn_at IS NULL OR OLD.valid_from <= business_now() THEN
        RAISE EXCEPTION 'version % of the plan can only be withdrawn before it takes effect', OLD.version
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
DROP TRIGGER never_changed ON plan_version;
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON plan_version
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();
CREATE TRIGGER plan_version_only_withdrawn BEFORE UPDATE ON plan_version
    FOR EACH ROW EXECUTE FUNCTION plan_version_only_withdrawn();

-- ---------------------------------------------------------------- defaults

-- A default is never scheduled. So the latest row is in force, whichever clock its date came from.
CREATE OR REPLACE FUNCTION default_plan_stays_active() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.active AND NEW.id = (SELECT plan_id FROM plan_default
                                     WHERE solution = NEW.solution ORDER BY valid_from DESC LIMIT 1) THEN
        RAISE EXCEPTION 'a default plan can not be made inactive' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION default_plan_is_active() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The lock keeps the plan active until this row is committed.
    PERFORM FROM plan WHERE id = NEW.plan_id AND active FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'an inactive plan can not be the default' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER default_plan_is_active BEFORE INSERT ON plan_default
    FOR EACH ROW EXECUTE FUNCTION default_plan_is_active();

-- ---------------------------------------------------------------- companies

-- NULL: the solution's default plan applies from `valid_from` on. A process of the previous program version cannot read
-- such a row. None exists until staff return a company to the default plan.
ALTER TABLE plan_assignment ALTER COLUMN plan_id DROP NOT NULL;
CREATE INDEX plan_assignment_by_plan ON plan_assignment (plan_id);

-- ---------------------------------------------------------------- revisions

-- Counts the changes of a plan, so that an edit that started from an older state is rejected.
ALTER TABLE plan ADD COLUMN revision integer NOT NULL DEFAULT 1 CHECK (revision >= 1);
ALTER TABLE receiving_plan ADD COLUMN revision integer NOT NULL DEFAULT 1 CHECK (revision >= 1);
ALTER TABLE plan ADD CHECK (description !~ '[[:cntrl:]]');
ALTER TABLE receiving_plan ADD CHECK (description !~ '[[:cntrl:]]');
