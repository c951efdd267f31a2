-- The rules of reserves: of a company, or of a receiving plan for its companies.
--
-- Locks `business` and `receiving_plan` for milliseconds, for the foreign keys.

SET LOCAL lock_timeout = '30s';

-- The rules that count on a day are those of the last row that took effect by then. So a later row also replaces one that
-- is only scheduled. `days`, `percentage` and the rest are the domain's `ReserveRules`.
CREATE TABLE reserve_rules (
    id                uuid PRIMARY KEY,
    -- Exactly one of the two is set.
    business_id       uuid REFERENCES business (id),
    receiving_plan_id uuid REFERENCES receiving_plan (id),
    version           integer NOT NULL CHECK (version >= 1),
    -- The first day whose settlements they apply to.
    valid_from        date NOT NULL,
    -- The last one. NULL: until other rules take effect.
    ends_on           date CHECK (ends_on >= valid_from),
    -- Zero: nothing is held.
    percentage        numeric(7, 4) NOT NULL CHECK (percentage BETWEEN 0 AND 99),
    days              smallint NOT NULL CHECK (days BETWEEN 1 AND 365),
    maximum           bigint CHECK (maximum > 0),
    reason            text NOT NULL CHECK (reason <> '' AND length(reason) <= 500 AND reason !~ '[[:cntrl:]]'),
    -- No foreign key to users, because users can be deleted. NULL: the installation.
    recorded_by       uuid,
    recorded_at       timestamptz NOT NULL,
    CHECK (num_nonnulls(business_id, receiving_plan_id) = 1),
    UNIQUE NULLS NOT DISTINCT (business_id, receiving_plan_id, version)
);
CREATE INDEX reserve_rules_of_plans ON reserve_rules (receiving_plan_id, version) WHERE receiving_plan_id IS NOT NULL;

CREATE FUNCTION reserve_rules_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.valid_from < (business_now() AT TIME ZONE 'America/Sao_Paulo')::date
       AND NOT (current_setting('razao.installing', true) = 'on' AND NOT EXISTS (SELECT FROM sale_state)) THEN
        RAISE EXCEPTION 'rules of a reserve may not take effect in the past (%)', NEW.valid_from
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER reserve_rules_follow BEFORE INSERT ON reserve_rules
    FOR EACH ROW EXECUTE FUNCTION reserve_rules_follow();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON reserve_rules
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- Those of a receiving plan concern many companies, so processes read everything again.
CREATE FUNCTION reserve_rules_counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    stepped bigint;
BEGIN
    UPDATE reference_version SET version = version + 1 RETURNING version INTO stepped;
    INSERT INTO reference_change (version, kind, subject)
    VALUES (stepped, CASE WHEN NEW.business_id IS NULL THEN 'all' ELSE 'company' END, NEW.business_id);
    RETURN NULL;
END $$;
CREATE TRIGGER reserve_rules_counted AFTER INSERT ON reserve_rules
    FOR EACH ROW EXECUTE FUNCTION reserve_rules_counted();

SELECT chain_rows('reserve_rules', '{id}', 'business_id', '{}');
