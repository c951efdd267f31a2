-- What decides the price of a sale and who owns it: sales plans and their versions, terminals, holidays, settings, and
-- the acquirers that charge. Also the requests of staff that wait for a second person.
--
-- Locks nothing: it makes the tables of a new database.

-- ---------------------------------------------------------------- sales plans

CREATE TABLE plan (
    id           uuid PRIMARY KEY,
    description  text NOT NULL CHECK (description <> '') CHECK (description !~ '[[:cntrl:]]'),
    solution     smallint NOT NULL CHECK (solution BETWEEN 1 AND 4),
    active       boolean NOT NULL DEFAULT true,
    -- Whether sellers may compare it with theirs.
    offered      boolean NOT NULL DEFAULT false,
    -- Counts the changes, so that an edit that started from an older state is rejected.
    revision     integer NOT NULL DEFAULT 1 CHECK (revision >= 1),
    created_at   timestamptz NOT NULL DEFAULT now(),
    -- Target of the foreign keys of assignments and defaults, so that they cannot name a plan of another solution.
    UNIQUE (id, solution),
    CONSTRAINT plan_offered_is_active CHECK (active OR NOT offered)
);

CREATE TABLE plan_version (
    plan_id      uuid NOT NULL REFERENCES plan (id),
    version      integer NOT NULL CHECK (version >= 1),
    -- The domain's `PlanTerms`. `json` and not `jsonb`, because it keeps the text exactly as it was written.
    terms        json NOT NULL,
    valid_from   timestamptz NOT NULL DEFAULT transaction_timestamp(),
    recorded_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- A scheduled version can be withdrawn. Its row and its number stay: a sale that is decided during the withdrawal
    -- may still name the version, and the explanation of that sale's price reads the version again.
    withdrawn_at timestamptz,
    PRIMARY KEY (plan_id, version)
);
CREATE UNIQUE INDEX plan_version_by_start ON plan_version (plan_id, valid_from) WHERE withdrawn_at IS NULL;

CREATE FUNCTION plan_version_follows() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER plan_version_follows BEFORE INSERT ON plan_version
    FOR EACH ROW EXECUTE FUNCTION plan_version_follows();

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
CREATE TRIGGER plan_version_only_withdrawn BEFORE UPDATE ON plan_version
    FOR EACH ROW EXECUTE FUNCTION plan_version_only_withdrawn();
CREATE TRIGGER valid_from_now_on BEFORE INSERT ON plan_version
    FOR EACH ROW EXECUTE FUNCTION valid_from_now_on();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON plan_version
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

SELECT watch_reference_data('plan_version', 'plan', 'plan_id', '{INSERT,UPDATE,DELETE}');

CREATE TABLE plan_assignment (
    business_id  uuid NOT NULL REFERENCES business (id),
    solution     smallint NOT NULL,
    -- NULL: the solution's default plan applies from `valid_from` on.
    plan_id      uuid,
    valid_from   timestamptz NOT NULL DEFAULT transaction_timestamp(),
    recorded_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (business_id, solution, valid_from),
    FOREIGN KEY (plan_id, solution) REFERENCES plan (id, solution)
);
CREATE INDEX plan_assignment_by_plan ON plan_assignment (plan_id);
CREATE TRIGGER valid_from_now_on BEFORE INSERT ON plan_assignment
    FOR EACH ROW EXECUTE FUNCTION valid_from_now_on();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON plan_assignment
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

SELECT watch_reference_data('plan_assignment', 'company', 'business_id', '{INSERT,UPDATE,DELETE}');

-- The plan of companies without an assignment for the solution. The latest row in force counts, so that a solution
-- never has two defaults.
CREATE TABLE plan_default (
    solution     smallint NOT NULL,
    plan_id      uuid NOT NULL,
    valid_from   timestamptz NOT NULL DEFAULT transaction_timestamp(),
    recorded_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (solution, valid_from),
    FOREIGN KEY (plan_id, solution) REFERENCES plan (id, solution)
);
CREATE TRIGGER valid_from_now_on BEFORE INSERT ON plan_default
    FOR EACH ROW EXECUTE FUNCTION valid_from_now_on();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON plan_default
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

SELECT watch_reference_data('plan_default', 'default', NULL, '{INSERT,UPDATE,DELETE}');

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

-- A default is never scheduled. So the latest row is in force, whichever clock its date came from.
CREATE FUNCTION default_plan_stays_active() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.active AND NEW.id = (SELECT plan_id FROM plan_default
                                     WHERE solution = NEW.solution ORDER BY valid_from DESC LIMIT 1) THEN
        RAISE EXCEPTION 'a default plan can not be made inactive' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER default_plan_stays_active BEFORE UPDATE ON plan
    FOR EACH ROW EXECUTE FUNCTION default_plan_stays_active();

-- ---------------------------------------------------------------- impact of a price

-- The impact of a change of prices, computed before the change is saved.
--
-- Why it is stored and not in memory: it reprices a month of sales of up to all companies, page by page. Each page
-- advances the row's cursor. So another process continues after a crash, and no sale counts twice.
CREATE TABLE plan_impact (
    id               uuid PRIMARY KEY,
    kind             text NOT NULL CHECK (kind IN ('sales', 'withdrawals')),
    -- The sales plan or the receiving plan. NULL: the plan is not saved yet.
    plan_id          uuid,
    requested_by     uuid NOT NULL,
    -- The first day of the month whose sales or withdrawals are repriced.
    month            date NOT NULL CHECK (extract(day FROM month) = 1),
    -- The request, as JSON: the terms or the fee before and after the change, and the affected companies.
    question         json NOT NULL,
    status           text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'failed')),
    failure          text CHECK (failure IN ('replaced', 'interrupted')),
    companies_total  bigint CHECK (companies_total >= 0),
    companies_done   bigint NOT NULL DEFAULT 0 CHECK (companies_done >= 0),
    -- The sums of the finished pages.
    totals           json NOT NULL,
    -- The last row of the last finished page. If `after_instant` is NULL, all rows of the company are done.
    after_business   uuid,
    after_instant    timestamptz,
    after_id         uuid,
    -- How often a page was started since the last finished page.
    tries            integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- The process that claimed the row works on it until then. NULL: no process has claimed it.
    leased_until     timestamptz,
    worked_at        timestamptz NOT NULL DEFAULT now(),
    created_at       timestamptz NOT NULL DEFAULT now(),
    CHECK ((status = 'failed') = (failure IS NOT NULL)),
    CHECK ((after_instant IS NULL) = (after_id IS NULL)),
    CHECK (after_instant IS NULL OR after_business IS NOT NULL)
);
CREATE INDEX plan_impact_running ON plan_impact (worked_at) WHERE status = 'running';
CREATE INDEX plan_impact_of_user ON plan_impact (requested_by) WHERE status = 'running';
CREATE INDEX plan_impact_by_age ON plan_impact (created_at);

-- ---------------------------------------------------------------- changes of plans that wait for a second person

-- Why a pending change stores the form and not its result: the approval validates the form by the rules of that time.
CREATE TABLE plan_change (
    id            uuid PRIMARY KEY,
    -- Exactly one of the two is set.
    plan_id       uuid REFERENCES plan (id),
    receiving_plan_id uuid REFERENCES receiving_plan (id),
    -- The plan's revision on which the change is based.
    revision      integer NOT NULL CHECK (revision >= 1),
    -- The body of the request, and the values of the fields that it changes.
    form          json NOT NULL,
    before        json NOT NULL,
    after         json NOT NULL,
    -- The default plan that the change replaces. A change of another plan can replace the default, which the revision
    -- of this plan does not show. The approval covers only the plan that was the default at the request.
    replaces_default uuid,
    -- No foreign keys to users, because users can be deleted.
    requested_by  uuid NOT NULL,
    requested_at  timestamptz NOT NULL,
    status        text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'withdrawn')),
    decided_by    uuid,
    decided_at    timestamptz,
    reason        text CHECK (reason <> '' AND length(reason) <= 500 AND reason !~ '[[:cntrl:]]'),
    CHECK (num_nonnulls(plan_id, receiving_plan_id) = 1),
    CHECK ((status = 'pending') = (decided_by IS NULL)),
    CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
    CHECK (status <> 'pending' OR reason IS NULL),
    CHECK (status <> 'rejected' OR reason IS NOT NULL),
    -- Another user must decide. The user who requested the change can only withdraw it.
    CHECK (decided_by IS NULL OR (decided_by = requested_by) = (status = 'withdrawn'))
);
CREATE UNIQUE INDEX plan_change_one_pending ON plan_change (plan_id) WHERE status = 'pending';
CREATE UNIQUE INDEX plan_change_one_pending_receiving ON plan_change (receiving_plan_id) WHERE status = 'pending';
CREATE INDEX plan_change_by_status ON plan_change (status, requested_at, id);
CREATE INDEX plan_change_by_request ON plan_change (requested_at, id);

-- A decision is final. Only the decision itself can change a row.
CREATE FUNCTION plan_change_only_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending' OR NEW.status = 'pending'
       OR (NEW.id, NEW.plan_id, NEW.receiving_plan_id, NEW.revision, NEW.form::text, NEW.before::text, NEW.after::text,
           NEW.replaces_default, NEW.requested_by, NEW.requested_at)
          IS DISTINCT FROM (OLD.id, OLD.plan_id, OLD.receiving_plan_id, OLD.revision, OLD.form::text, OLD.before::text,
           OLD.after::text, OLD.replaces_default, OLD.requested_by, OLD.requested_at) THEN
        RAISE EXCEPTION 'a change of a plan is decided once' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER plan_change_only_decided BEFORE UPDATE ON plan_change
    FOR EACH ROW EXECUTE FUNCTION plan_change_only_decided();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON plan_change
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- terminals

-- A terminal has a copy of its current owner and billing.
--
-- Why copies: the histories `terminal_owner` and `terminal_billing` decide to which company a sale belongs and which
-- company owes a month's rental. A list of 300,000 terminals that filters by company or by billing would read the
-- latest row of both histories for each terminal. So triggers copy the latest rows to the terminal, where indexes find
-- them. Only these triggers write the copies, so that the copies always agree with the histories.
CREATE TABLE terminal (
    id             uuid PRIMARY KEY,
    serial_number  text NOT NULL UNIQUE CHECK (serial_number ~ '^[[:graph:]]{1,40}$'),
    name           text CHECK (char_length(name) BETWEEN 1 AND 60),
    -- Current owner. NULL: in stock.
    business_id    uuid REFERENCES business (id),
    -- When the company got the terminal, or when the terminal returned to stock. NULL if it never had an owner.
    owned_since    timestamptz,
    billing_type   smallint,
    acquisition    smallint,
    rental_cents   bigint,
    billed_since   timestamptz,
    -- Every change raises it. A change that was decided on an older version is rejected.
    version        integer NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at     timestamptz NOT NULL DEFAULT now(),
    CHECK (business_id IS NULL OR owned_since IS NOT NULL),
    CHECK ((billing_type IS NULL) = (acquisition IS NULL) AND (billing_type IS NULL) = (billed_since IS NULL)),
    CONSTRAINT terminal_name_check1 CHECK (name !~ '[[:cntrl:]]')
);

-- Each index has only the rows of its filter, in the order of the list. So a page, and the count up to 10,000, read
-- entries of the index and not every row of the table.
CREATE INDEX terminal_of_business ON terminal (business_id, serial_number) WHERE business_id IS NOT NULL;
CREATE INDEX terminal_in_use ON terminal (serial_number) WHERE business_id IS NOT NULL;
CREATE INDEX terminal_in_stock ON terminal (serial_number) WHERE business_id IS NULL;
CREATE INDEX terminal_rented ON terminal (serial_number) WHERE billing_type = 1 AND business_id IS NOT NULL;
CREATE INDEX terminal_not_rented ON terminal (serial_number) WHERE billing_type = 0 AND business_id IS NOT NULL;
CREATE INDEX terminal_newest ON terminal (created_at, id);

-- Staff search by the start or the end of a serial number: the number is long, and the machine shows both ends.
CREATE INDEX terminal_serial_begins ON terminal (upper(serial_number) text_pattern_ops);
CREATE INDEX terminal_serial_ends ON terminal (reverse(upper(serial_number)) text_pattern_ops);

CREATE FUNCTION terminal_keeps_its_serial() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.id <> OLD.id OR NEW.serial_number <> OLD.serial_number THEN
        RAISE EXCEPTION 'a terminal keeps its serial number' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER terminal_keeps_its_serial BEFORE UPDATE ON terminal
    FOR EACH ROW EXECUTE FUNCTION terminal_keeps_its_serial();

-- Raises the version at each update. Only updates from inside a trigger, such as the two below, may change the copies:
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
-- own triggers. So processes need not read the terminal again after an update.
SELECT watch_reference_data('terminal', 'terminal', 'id', '{INSERT,DELETE}');

CREATE TABLE terminal_owner (
    terminal_id  uuid NOT NULL REFERENCES terminal (id),
    -- NULL: in stock, without an owner.
    business_id  uuid REFERENCES business (id),
    valid_from   timestamptz NOT NULL DEFAULT transaction_timestamp(),
    recorded_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (terminal_id, valid_from)
);
CREATE INDEX terminal_owner_by_business ON terminal_owner (business_id, terminal_id);

CREATE FUNCTION terminal_takes_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE terminal SET business_id = latest.business_id, owned_since = latest.valid_from
      FROM (SELECT DISTINCT ON (terminal_id) terminal_id, business_id, valid_from FROM terminal_owner
             WHERE terminal_id IN (SELECT terminal_id FROM added)
             ORDER BY terminal_id, valid_from DESC) AS latest
     WHERE terminal.id = latest.terminal_id;
    RETURN NULL;
END $$;
CREATE TRIGGER terminal_takes_owner AFTER INSERT ON terminal_owner REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION terminal_takes_owner();
CREATE TRIGGER valid_from_now_on BEFORE INSERT ON terminal_owner
    FOR EACH ROW EXECUTE FUNCTION valid_from_now_on();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON terminal_owner
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

SELECT watch_reference_data('terminal_owner', 'terminal', 'terminal_id', '{INSERT,UPDATE,DELETE}');

-- How a terminal is paid for, since when. The row in force on the first day of a month decides that month's rental.
CREATE TABLE terminal_billing (
    terminal_id    uuid NOT NULL REFERENCES terminal (id),
    -- 0: Adesão (paid once, outside of this platform). 1: Aluguel (monthly rental).
    billing_type   smallint NOT NULL CHECK (billing_type IN (0, 1)),
    -- 0 purchased, 1 rented.
    acquisition    smallint NOT NULL CHECK (acquisition IN (0, 1)),
    -- The price of a month. NULL: the price in the installation's configuration.
    rental_cents   bigint CHECK (rental_cents BETWEEN 1 AND 9999999999),
    valid_from     timestamptz NOT NULL DEFAULT transaction_timestamp(),
    recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (terminal_id, valid_from),
    CHECK (billing_type = 1 OR rental_cents IS NULL),
    -- A purchased terminal owes no rental.
    CHECK (billing_type = 0 OR acquisition = 1)
);
CREATE INDEX terminal_billing_rented ON terminal_billing (valid_from) WHERE billing_type = 1;

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
CREATE TRIGGER terminal_takes_billing AFTER INSERT ON terminal_billing REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION terminal_takes_billing();
CREATE TRIGGER valid_from_now_on BEFORE INSERT ON terminal_billing
    FOR EACH ROW EXECUTE FUNCTION valid_from_now_on();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON terminal_billing
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- Months whose terminal rentals are all charged. The rental terms at the start of a month never change afterwards. So
-- the job skips these months, however long the history is.
CREATE TABLE rental_month (
    due_date    date        PRIMARY KEY CHECK (extract(day FROM due_date) = 1),
    charged_at  timestamptz NOT NULL DEFAULT now()
);

-- ---------------------------------------------------------------- holidays

-- Holidays that staff add. The domain computes the national ones. A new holiday does not move due dates that are
-- already fixed.
CREATE TABLE holiday (
    date        date PRIMARY KEY,
    name        text NOT NULL CHECK (name <> '' AND name !~ '[[:cntrl:]]'),
    created_at  timestamptz NOT NULL DEFAULT now()
);

SELECT watch_reference_data('holiday', 'holiday', NULL, '{INSERT,UPDATE,DELETE}');

-- ---------------------------------------------------------------- settings

-- Settings of the platform that staff change, such as the price of a rented terminal.
--
-- Why a setting is several rows with `valid_from`: a month's rental has the price in force when the month began.
-- A change can also be scheduled. A setting without a row in force has the default of the installation.
CREATE TABLE platform_setting (
    key           text NOT NULL,
    -- Counts the rows of the setting from 1.
    number        integer NOT NULL CHECK (number >= 1),
    -- Cents, days, or 0 for no and 1 for yes. NULL: no limit.
    value         bigint,
    valid_from    timestamptz NOT NULL,
    set_by        uuid NOT NULL REFERENCES admin_user (id),
    recorded_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    withdrawn_at  timestamptz,
    withdrawn_by  uuid REFERENCES admin_user (id),
    PRIMARY KEY (key, number),
    CHECK ((withdrawn_at IS NULL) = (withdrawn_by IS NULL)),
    CONSTRAINT platform_setting_value_given CHECK (
        value IS NOT NULL OR key IN ('two_approvals_above', 'credits_alone_up_to', 'removals_alone_up_to',
                                     'releases_alone_up_to', 'plan_exceptions_alone_up_to')),
    CONSTRAINT platform_setting_value_known CHECK (
        CASE key
            WHEN 'terminal_rental' THEN value BETWEEN 1 AND 9999999999
            WHEN 'two_approvals_above' THEN value BETWEEN 0 AND 9999999999
            WHEN 'two_person_plan_changes' THEN value IN (0, 1)
            WHEN 'marked_destination_days' THEN value BETWEEN 0 AND 90
            WHEN 'buyer_data_days' THEN value BETWEEN 180 AND 3653
            WHEN 'two_person_company_approvals' THEN value IN (0, 1)
            -- The documents are a sum: 1 identity, 2 proof of address, 4 articles of association.
            WHEN 'documents_of_pf' THEN value BETWEEN 0 AND 3
            WHEN 'documents_of_pj' THEN value BETWEEN 0 AND 7
            -- What one person moves alone. NULL: any sum.
            WHEN 'credits_alone_up_to' THEN value BETWEEN 0 AND 9999999999
            WHEN 'removals_alone_up_to' THEN value BETWEEN 0 AND 9999999999
            WHEN 'releases_alone_up_to' THEN value BETWEEN 0 AND 9999999999
            WHEN 'plan_exceptions_alone_up_to' THEN value BETWEEN 0 AND 9999999999
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

-- ---------------------------------------------------------------- routes to acquirers

-- The ordered lists of acquirers that charge a company's sales, by solution and payment type. The next acquirer is
-- tried only if it is proven that the earlier ones charged nothing.
--
-- Rows are added and never changed. So the list that was in force at a disputed sale can be found later. The number of
-- the last row also detects a concurrent edit, which is refused.
--
-- A NULL list withdraws the one before. A company then uses the list of all companies, and that one falls back to the
-- installation's order. An empty list is different: no acquirer charges, so the payment type is not offered.
CREATE TABLE acquirer_route (
    -- NULL: the list is for all companies that have no list.
    business_id   uuid REFERENCES business (id),
    solution      smallint NOT NULL CHECK (solution BETWEEN 1 AND 4),
    payment_type  text NOT NULL CHECK (payment_type IN ('credit', 'pix', 'boleto')),
    -- Counts the rows of the list from 1.
    number        integer NOT NULL CHECK (number >= 1),
    providers     smallint[]
        CHECK (array_position(providers, NULL) IS NULL AND cardinality(providers) <= 8
               AND 1 <= ALL (providers) AND 8 >= ALL (providers)),
    valid_from    timestamptz NOT NULL,
    set_by        uuid NOT NULL REFERENCES admin_user (id),
    recorded_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE NULLS NOT DISTINCT (business_id, solution, payment_type, number)
);

CREATE FUNCTION acquirer_route_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last_number      integer;
    last_valid_from  timestamptz;
BEGIN
    SELECT max(number), max(valid_from) INTO last_number, last_valid_from FROM acquirer_route
     WHERE business_id IS NOT DISTINCT FROM NEW.business_id
       AND (solution, payment_type) = (NEW.solution, NEW.payment_type);
    IF NEW.number <> coalesce(last_number, 0) + 1 OR NEW.valid_from < last_valid_from THEN
        RAISE EXCEPTION 'row % of a list of acquirers does not follow its last one', NEW.number
            USING ERRCODE = 'check_violation';
    END IF;
    IF cardinality(NEW.providers) <> (SELECT count(DISTINCT provider) FROM unnest(NEW.providers) AS provider) THEN
        RAISE EXCEPTION 'a list of acquirers names one twice' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER acquirer_route_follows BEFORE INSERT ON acquirer_route
    FOR EACH ROW EXECUTE FUNCTION acquirer_route_follows();
CREATE TRIGGER valid_from_now_on BEFORE INSERT ON acquirer_route
    FOR EACH ROW EXECUTE FUNCTION valid_from_now_on();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON acquirer_route
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- adjustments

-- What one member of staff moved alone: credits and removals by hand, releases of held amounts, and plans of single
-- companies by which the platform earns less. It is summed up over 24 hours, by person and by company. Above the limit,
-- the adjustment is a request outside of the ledger. It is recorded after another person has said yes.
--
-- A row is written before the command is submitted, and deleted if the ledger recorded nothing. After a crash in
-- between it stays, so that the limit is never exceeded.
CREATE TABLE adjustment_alone (
    id               uuid PRIMARY KEY,
    kind             text NOT NULL CHECK (kind IN ('credit', 'removal', 'release', 'plan')),
    business_id      uuid NOT NULL REFERENCES business (id),
    amount           bigint NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    -- No foreign key to the user, because users can be deleted.
    made_by          uuid NOT NULL,
    -- By the business clock.
    made_at          timestamptz NOT NULL,
    -- The ledger's key and fingerprint of the request, if the caller gave an idempotency key. A repeat counts once.
    idempotency_key  bytea CHECK (length(idempotency_key) = 16),
    fingerprint      bytea CHECK (length(fingerprint) = 16),
    CHECK ((idempotency_key IS NULL) = (fingerprint IS NULL))
);
CREATE UNIQUE INDEX adjustment_alone_by_key ON adjustment_alone (business_id, idempotency_key);
CREATE INDEX adjustment_alone_by_time ON adjustment_alone (kind, made_at);

CREATE TABLE adjustment_request (
    -- Also the id of the transfer that is recorded for a credit or a removal.
    id               uuid PRIMARY KEY,
    kind             text NOT NULL CHECK (kind IN ('credit', 'removal', 'release', 'plan')),
    business_id      uuid NOT NULL REFERENCES business (id),
    -- Cents. Of a plan: what the platform would have earned less last month.
    amount           bigint NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    -- The description of a transfer, the reason of a release, or the change of the plans.
    reason           text NOT NULL CHECK (reason <> ''),
    allow_negative   boolean NOT NULL CHECK (kind = 'removal' OR NOT allow_negative),
    -- The plans that the company gets, in the form of the request.
    plans            json CHECK ((kind = 'plan') = (plans IS NOT NULL)),
    requested_by     uuid NOT NULL,
    requested_at     timestamptz NOT NULL,
    idempotency_key  bytea CHECK (length(idempotency_key) = 16),
    fingerprint      bytea CHECK (length(fingerprint) = 16),
    -- approved: another person has said yes, and the ledger has not answered yet. recorded and refused are its answers.
    status           text NOT NULL DEFAULT 'pending' CHECK (status IN (
                         'pending', 'approved', 'recorded', 'refused', 'rejected', 'withdrawn', 'expired')),
    -- NULL also for a request that nobody decided in time.
    decided_by       uuid,
    decided_at       timestamptz,
    decision_reason  text CHECK (decision_reason <> ''),
    -- Why the ledger refused the approved adjustment.
    refusal          text CHECK (refusal <> ''),
    CHECK ((idempotency_key IS NULL) = (fingerprint IS NULL)),
    CHECK ((status = 'pending') = (decided_at IS NULL)),
    CHECK ((status IN ('pending', 'expired')) = (decided_by IS NULL)),
    CHECK (status NOT IN ('rejected', 'expired') OR decision_reason IS NOT NULL),
    CHECK ((status = 'refused') = (refusal IS NOT NULL)),
    -- Another user must decide. The requester can only withdraw the request.
    CHECK (decided_by IS NULL OR (decided_by = requested_by) = (status = 'withdrawn'))
);
CREATE UNIQUE INDEX adjustment_request_by_key ON adjustment_request (business_id, idempotency_key);
CREATE UNIQUE INDEX adjustment_request_one_plan ON adjustment_request (business_id)
    WHERE kind = 'plan' AND status = 'pending';
CREATE INDEX adjustment_request_by_time ON adjustment_request (requested_at, id);
CREATE INDEX adjustment_request_by_status ON adjustment_request (status, requested_at, id);

CREATE FUNCTION adjustment_request_only_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.kind, NEW.business_id, NEW.amount, NEW.reason, NEW.allow_negative, NEW.plans::text,
        NEW.requested_by, NEW.requested_at, NEW.idempotency_key, NEW.fingerprint)
           IS DISTINCT FROM (OLD.id, OLD.kind, OLD.business_id, OLD.amount, OLD.reason, OLD.allow_negative,
        OLD.plans::text, OLD.requested_by, OLD.requested_at, OLD.idempotency_key, OLD.fingerprint)
       OR NOT (CASE OLD.status
                   WHEN 'pending' THEN NEW.status IN ('approved', 'rejected', 'withdrawn', 'expired')
                   WHEN 'approved' THEN NEW.status IN ('recorded', 'refused')
                        AND (NEW.decided_by, NEW.decided_at) = (OLD.decided_by, OLD.decided_at)
                        AND NEW.decision_reason IS NOT DISTINCT FROM OLD.decision_reason
                   ELSE false
               END) THEN
        RAISE EXCEPTION 'the request of an adjustment is decided once' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER adjustment_request_only_decided BEFORE UPDATE ON adjustment_request
    FOR EACH ROW EXECUTE FUNCTION adjustment_request_only_decided();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON adjustment_request
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();
