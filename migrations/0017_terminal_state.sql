-- The state of terminals for staff: how each was acquired, and a copy of its current owner and billing in its own row.
--
-- Why copies: the histories `terminal_owner` and `terminal_billing` decide to which company a sale belongs and which
-- company owes a month's rental. A list of 300,000 terminals that filters by company or by billing would read the
-- latest row of both histories for each terminal. So triggers copy the latest rows to the terminal, where indexes find
-- them. Only these triggers write the copies, so that the copies always agree with the histories.
--
-- Why a version: two users may change one terminal at once. Every change raises the version, and a change that was
-- decided on an older version is rejected.

-- ---------------------------------------------------------------- acquisition

ALTER TABLE terminal_billing
    -- 0 purchased, 1 rented.
    ADD COLUMN acquisition smallint NOT NULL DEFAULT 0 CHECK (acquisition IN (0, 1));
-- Rows from before this migration: a terminal with rental billing was rented.
ALTER TABLE terminal_billing DISABLE TRIGGER never_changed;
UPDATE terminal_billing SET acquisition = 1 WHERE billing_type = 1;
ALTER TABLE terminal_billing ENABLE TRIGGER never_changed;
ALTER TABLE terminal_billing ALTER COLUMN acquisition DROP DEFAULT;
-- A purchased terminal owes no rental.
ALTER TABLE terminal_billing ADD CHECK (billing_type = 0 OR acquisition = 1);

-- ---------------------------------------------------------------- the current state

ALTER TABLE terminal
    -- Current owner. NULL: in stock.
    ADD COLUMN business_id   uuid REFERENCES business (id),
    -- When the company got the terminal, or when the terminal returned to stock. NULL if it never had an owner.
    ADD COLUMN owned_since   timestamptz,
    ADD COLUMN billing_type  smallint,
    ADD COLUMN acquisition   smallint,
    ADD COLUMN rental_cents  bigint,
    ADD COLUMN billed_since  timestamptz,
    ADD COLUMN version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
    ADD CHECK (business_id IS NULL OR owned_since IS NOT NULL),
    ADD CHECK ((billing_type IS NULL) = (acquisition IS NULL) AND (billing_type IS NULL) = (billed_since IS NULL)),
    ADD CHECK (name !~ '[[:cntrl:]]');

CREATE FUNCTION terminal_takes_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE terminal SET business_id = latest.business_id, owned_since = latest.valid_from
      FROM (SELECT DISTINCT ON (terminal_id) terminal_id, business_id, valid_from FROM terminal_owner
             WHERE terminal_id IN (SELECT terminal_id FROM added)
             ORDER BY terminal_id, valid_from DESC) AS latest
     WHERE terminal.id = latest.terminal_id;
    RETURN NULL;
END $$;

CREATE FUNCTION terminal_takes_billing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE terminal SET billing_type = latest.billing_type, acquisition = latest.acquisition,
                        rental_cents = latest.rental_cents, billed_since = latest.valid_from
      FROM (SELECT DISTINCT ON (terminal_id) terminal_id, billing_type, acquisition, rental_cents, valid_from
              FROM terminal_billing
             WHERE terminal_id IN (SELECT terminal_id FROM added)
             ORDER BY terminal_id, valid_from DESC) AS latest
     WHERE terminal.id = latest.terminal_id;
    RETURN NULL;
END $$;

CREATE TRIGGER terminal_takes_owner AFTER INSERT ON terminal_owner REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION terminal_takes_owner();
CREATE TRIGGER terminal_takes_billing AFTER INSERT ON terminal_billing REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION terminal_takes_billing();

UPDATE terminal SET business_id = latest.business_id, owned_since = latest.valid_from
  FROM (SELECT DISTINCT ON (terminal_id) terminal_id, business_id, valid_from FROM terminal_owner
         ORDER BY terminal_id, valid_from DESC) AS latest
 WHERE terminal.id = latest.terminal_id;
UPDATE terminal SET billing_type = latest.billing_type, acquisition = latest.acquisition,
                    rental_cents = latest.rental_cents, billed_since = latest.valid_from
  FROM (SELECT DISTINCT ON (terminal_id) terminal_id, billing_type, acquisition, rental_cents, valid_from
          FROM terminal_billing ORDER BY terminal_id, valid_from DESC) AS latest
 WHERE terminal.id = latest.terminal_id;

-- ---------------------------------------------------------------- guards

-- Raises the version at each update. Only updates from inside a trigger, such as the two above, may change the copies:
-- their trigger depth is 2 or more.
CREATE FUNCTION terminal_follows_its_histories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.owned_since IS NOT NULL OR NEW.billed_since IS NOT NULL OR NEW.version <> 1 THEN
            RAISE EXCEPTION 'a new terminal has no owner and no billing yet' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF pg_trigger_depth() < 2 AND
       (NEW.business_id, NEW.owned_since, NEW.billing_type, NEW.acquisition, NEW.rental_cents, NEW.billed_since)
       IS DISTINCT FROM
       (OLD.business_id, OLD.owned_since, OLD.billing_type, OLD.acquisition, OLD.rental_cents, OLD.billed_since) THEN
        RAISE EXCEPTION 'a terminal''s owner and billing follow their histories' USING ERRCODE = 'check_violation';
    END IF;
    NEW.version := OLD.version + 1;
    RETURN NEW;
END $$;
CREATE TRIGGER terminal_follows_its_histories BEFORE INSERT OR UPDATE ON terminal
    FOR EACH ROW EXECUTE FUNCTION terminal_follows_its_histories();

-- Decisions on sales use the terminal's id and serial number, which never change, and its owners, whose table has its
-- own triggers. So processes need not read the terminal again after a change of its name or version.
DROP TRIGGER back_office_updated ON terminal;

-- ---------------------------------------------------------------- lists

CREATE INDEX terminal_of_business ON terminal (business_id, serial_number) WHERE business_id IS NOT NULL;
CREATE INDEX terminal_in_stock ON terminal (serial_number) WHERE business_id IS NULL;
CREATE INDEX terminal_rented ON terminal (serial_number) WHERE billing_type = 1 AND business_id IS NOT NULL;
CREATE INDEX terminal_newest ON terminal (created_at, id);
-- Staff search by the start or the end of a serial number: the number is long, and the machine shows both ends.
CREATE INDEX terminal_serial_begins ON terminal (upper(serial_number) text_pattern_ops);
CREATE INDEX terminal_serial_ends ON terminal (reverse(upper(serial_number)) text_pattern_ops);
