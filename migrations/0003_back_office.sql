-- Reference data that staff keep: companies, bank accounts, receiving plans, sales plans and their versions, terminals
-- and local holidays. Also tenants and the exceptions queue.
--
-- Why plain tables and not events: staff edit these records, and the audit log records each edit. The ledger copies
-- what a decision needs (plan, version, fees, due dates) into its events. It never reads these rows again.
--
-- Why `valid_from`: a sale uses the plan and the terminal's owner as of the sale's own instant, even if its notice is
-- late. So rows with `valid_from` are only added, and never take effect in the past. This way the reference data of a
-- past instant never change. The only exception is an installation: it loads the demo's data, or the records of a
-- platform that migrates to this one. It sets `SET LOCAL razao.installing = 'on'`, and works only while no sale exists.

-- One row with a counter. Each change of the reference data of sales increments it. One read of it tells whether cached
-- reference data are still valid. Its row lock makes the order of commits the order of the counter.
CREATE TABLE back_office_version (
    only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version   bigint NOT NULL DEFAULT 1
);
INSERT INTO back_office_version DEFAULT VALUES;

CREATE FUNCTION back_office_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE back_office_version SET version = version + 1;
    RETURN NULL;
END $$;

CREATE FUNCTION valid_from_now_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.valid_from >= transaction_timestamp() THEN
        RETURN NEW;
    END IF;
    IF current_setting('razao.installing', true) = 'on' AND NOT EXISTS (SELECT FROM sale_state) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a row of % may not take effect in the past (%)', TG_TABLE_NAME, NEW.valid_from
        USING ERRCODE = 'check_violation';
END $$;

CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are added, never changed', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

-- ---------------------------------------------------------------- companies

CREATE TABLE receiving_plan (
    id           uuid PRIMARY KEY,
    description  text NOT NULL CHECK (description <> ''),
    flat_rate    bigint NOT NULL CHECK (flat_rate BETWEEN 0 AND 9999999999),
    is_default   boolean NOT NULL DEFAULT false,
    active       boolean NOT NULL DEFAULT true,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CHECK (active OR NOT is_default)
);
CREATE UNIQUE INDEX receiving_plan_one_default ON receiving_plan (is_default) WHERE is_default;

CREATE TABLE business (
    id                    uuid PRIMARY KEY,
    name                  text NOT NULL CHECK (name <> '' AND name !~ '[[:cntrl:]]'),
    document              text NOT NULL UNIQUE,
    type                  text NOT NULL CHECK (type IN ('PF', 'PJ')),
    statement_descriptor  text CHECK (statement_descriptor ~ '^[A-Za-z0-9 ]{1,22}$' AND statement_descriptor !~ '^[0-9 ]+$'),
    approval              text NOT NULL DEFAULT 'enabled' CHECK (approval IN ('enabled', 'denied', 'deleted')),
    receiving_plan_id     uuid NOT NULL REFERENCES receiving_plan (id),
    created_at            timestamptz NOT NULL DEFAULT now(),
    -- Without punctuation. A natural person (PF) has a CPF, a company (PJ) a CNPJ, which may contain letters. The
    -- domain checks the check digits.
    CHECK (CASE type WHEN 'PF' THEN document ~ '^[0-9]{11}$' ELSE document ~ '^[0-9A-Z]{12}[0-9]{2}$' END)
);
CREATE INDEX business_by_name ON business (name, id);

-- Destinations of withdrawals. A transfer keeps its own copy of the account, so that a later change of this row does
-- not affect a requested withdrawal. The numbers are texts: they may start with zeros, and a check digit may be a
-- letter.
CREATE TABLE bank_account (
    id              uuid PRIMARY KEY,
    business_id     uuid NOT NULL REFERENCES business (id),
    -- The destination of a withdrawal to a bank account.
    is_default      boolean NOT NULL DEFAULT false,
    bank_code       text NOT NULL CHECK (bank_code ~ '^[0-9]{3}$'),
    account_type    text NOT NULL CHECK (
        account_type IN ('CHECKING', 'SAVINGS', 'CHECKING_CONJUNCT', 'SAVINGS_CONJUNCT')
    ),
    routing_number  text NOT NULL CHECK (routing_number ~ '^[0-9]{1,4}$'),
    routing_digit   text CHECK (routing_digit ~ '^[0-9A-Z]{1,2}$'),
    account_number  text NOT NULL CHECK (account_number ~ '^[0-9]{1,19}$'),
    account_digit   text NOT NULL CHECK (account_digit ~ '^[0-9A-Z]{1,2}$'),
    created_at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX bank_account_of_business ON bank_account (business_id, created_at);
CREATE UNIQUE INDEX bank_account_one_default ON bank_account (business_id) WHERE is_default;

-- ---------------------------------------------------------------- sales plans

CREATE TABLE plan (
    id           uuid PRIMARY KEY,
    description  text NOT NULL CHECK (description <> ''),
    solution     smallint NOT NULL CHECK (solution BETWEEN 1 AND 4),
    active       boolean NOT NULL DEFAULT true,
    created_at   timestamptz NOT NULL DEFAULT now(),
    -- Target of the foreign keys of assignments and defaults, so that they cannot name a plan of another solution.
    UNIQUE (id, solution)
);

CREATE TABLE plan_version (
    plan_id      uuid NOT NULL REFERENCES plan (id),
    version      integer NOT NULL CHECK (version >= 1),
    -- The domain's `PlanTerms`. `json` and not `jsonb`, because it keeps the text exactly as it was written.
    terms        json NOT NULL,
    valid_from   timestamptz NOT NULL DEFAULT transaction_timestamp(),
    recorded_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (plan_id, version),
    UNIQUE (plan_id, valid_from)
);

CREATE FUNCTION plan_version_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last_version    integer;
    last_valid_from timestamptz;
BEGIN
    -- The lock on the plan's row serializes concurrent edits of the same plan.
    PERFORM FROM plan WHERE id = NEW.plan_id FOR UPDATE;
    SELECT version, valid_from INTO last_version, last_valid_from
      FROM plan_version WHERE plan_id = NEW.plan_id ORDER BY version DESC LIMIT 1;
    IF NEW.version <> coalesce(last_version, 0) + 1 OR NEW.valid_from <= last_valid_from THEN
        RAISE EXCEPTION 'version % of the plan does not follow its last one', NEW.version
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER plan_version_follows BEFORE INSERT ON plan_version
    FOR EACH ROW EXECUTE FUNCTION plan_version_follows();

CREATE TABLE plan_assignment (
    business_id  uuid NOT NULL REFERENCES business (id),
    solution     smallint NOT NULL,
    plan_id      uuid NOT NULL,
    valid_from   timestamptz NOT NULL DEFAULT transaction_timestamp(),
    recorded_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (business_id, solution, valid_from),
    FOREIGN KEY (plan_id, solution) REFERENCES plan (id, solution)
);

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

CREATE FUNCTION default_plan_stays_active() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.active AND NEW.id = (SELECT plan_id FROM plan_default
                                     WHERE solution = NEW.solution AND valid_from <= transaction_timestamp()
                                     ORDER BY valid_from DESC LIMIT 1) THEN
        RAISE EXCEPTION 'a default plan can not be made inactive' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER default_plan_stays_active BEFORE UPDATE ON plan
    FOR EACH ROW EXECUTE FUNCTION default_plan_stays_active();

-- ---------------------------------------------------------------- terminals and holidays

CREATE TABLE terminal (
    id             uuid PRIMARY KEY,
    serial_number  text NOT NULL UNIQUE CHECK (serial_number ~ '^[[:graph:]]{1,40}$'),
    name           text CHECK (char_length(name) BETWEEN 1 AND 60),
    created_at     timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION terminal_keeps_its_serial() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.id <> OLD.id OR NEW.serial_number <> OLD.serial_number THEN
        RAISE EXCEPTION 'a terminal keeps its serial number' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER terminal_keeps_its_serial BEFORE UPDATE ON terminal
    FOR EACH ROW EXECUTE FUNCTION terminal_keeps_its_serial();

CREATE TABLE terminal_owner (
    terminal_id  uuid NOT NULL REFERENCES terminal (id),
    -- NULL: in stock, without an owner.
    business_id  uuid REFERENCES business (id),
    valid_from   timestamptz NOT NULL DEFAULT transaction_timestamp(),
    recorded_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (terminal_id, valid_from)
);
CREATE INDEX terminal_owner_by_business ON terminal_owner (business_id, terminal_id);

-- How a terminal is paid for, since when. The row in force on the first day of a month decides that month's rental.
CREATE TABLE terminal_billing (
    terminal_id    uuid NOT NULL REFERENCES terminal (id),
    -- 0: Adesão (paid once, outside of this platform). 1: Aluguel (monthly rental).
    billing_type   smallint NOT NULL CHECK (billing_type IN (0, 1)),
    -- The price of a month. NULL: the price in the installation's configuration.
    rental_cents   bigint CHECK (rental_cents BETWEEN 1 AND 9999999999),
    valid_from     timestamptz NOT NULL DEFAULT transaction_timestamp(),
    recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (terminal_id, valid_from),
    CHECK (billing_type = 1 OR rental_cents IS NULL)
);
CREATE INDEX terminal_billing_rented ON terminal_billing (valid_from) WHERE billing_type = 1;

-- Holidays that staff add. The domain computes the national ones. A new holiday does not move due dates that are
-- already fixed.
CREATE TABLE holiday (
    date        date PRIMARY KEY,
    name        text NOT NULL CHECK (name <> '' AND name !~ '[[:cntrl:]]'),
    created_at  timestamptz NOT NULL DEFAULT now()
);

-- ---------------------------------------------------------------- tenants

-- The branding and contact data of the panels, by the first label of the host name. The row '' is for all hosts without
-- a row. It is branding only: tenants share companies, users and data.
CREATE TABLE tenant (
    label         text PRIMARY KEY CHECK (label ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$'),
    product_name  text NOT NULL CHECK (product_name <> '' AND length(product_name) <= 40 AND product_name !~ '[[:cntrl:]]'),
    -- As #RRGGBB. `theme_color` is for buttons and marks, `highlight_color` for emphasis.
    theme_color      text NOT NULL DEFAULT '#36BE54' CHECK (theme_color ~ '^#[0-9A-F]{6}$'),
    highlight_color  text NOT NULL DEFAULT '#29FF00' CHECK (highlight_color ~ '^#[0-9A-F]{6}$'),
    contact_email    text CHECK (contact_email <> '' AND length(contact_email) <= 254),
    -- Phone numbers are digits with the area code.
    contact_phone    text CHECK (contact_phone ~ '^[0-9]{10,11}$'),
    contact_whatsapp text CHECK (contact_whatsapp ~ '^[0-9]{10,11}$')
);
INSERT INTO tenant (label, product_name) VALUES ('', 'Razão');

-- ---------------------------------------------------------------- triggers

DO $$
DECLARE
    guarded text;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['plan_version', 'plan_assignment', 'plan_default', 'terminal_owner',
                                   'terminal_billing'] LOOP
        EXECUTE format('CREATE TRIGGER valid_from_now_on BEFORE INSERT ON %I
                        FOR EACH ROW EXECUTE FUNCTION valid_from_now_on()', guarded);
        EXECUTE format('CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
                        FOR EACH STATEMENT EXECUTE FUNCTION never_changed()', guarded);
    END LOOP;
    FOREACH guarded IN ARRAY ARRAY['business', 'plan_version', 'plan_assignment', 'plan_default', 'terminal',
                                   'terminal_owner', 'holiday'] LOOP
        EXECUTE format('CREATE TRIGGER back_office_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I
                        FOR EACH STATEMENT EXECUTE FUNCTION back_office_changed()', guarded);
    END LOOP;
END $$;

-- ---------------------------------------------------------------- exceptions queue

-- The exceptions queue. It holds signed notices that the ledger could not record at once. A notice is kept complete,
-- shown to staff, retried and never dropped. Bodies that fail authentication are never stored here.
-- It also holds refunds that an acquirer refused, because the same staff handle them. A refused refund is requested
-- again only when staff decide so.
CREATE TABLE exception (
    id                 uuid PRIMARY KEY,
    provider           smallint NOT NULL CHECK (provider BETWEEN 1 AND 8),
    notice_id          text NOT NULL,
    notice_type        text NOT NULL,
    -- SHA-256 of the notice in its canonical form. The same notice id with another body is another row.
    fingerprint        bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    body               text NOT NULL,
    -- Why it could not be recorded: a code and its parameters, never a sentence.
    reason             text NOT NULL CHECK (reason ~ '^[a-z_]{1,60}$'),
    reason_parameters  json NOT NULL DEFAULT '{}',
    business_id        uuid,
    -- The company to which staff assigned the notice. It overrides the company in the notice.
    assigned_to        uuid REFERENCES business (id),
    sale_id            uuid,
    -- The refused refund request (migration 0005). NULL for a notice.
    refund_id          uuid,
    received_at        timestamptz NOT NULL DEFAULT now(),
    tries              integer NOT NULL DEFAULT 1 CHECK (tries >= 1),
    last_tried_at      timestamptz NOT NULL DEFAULT now(),
    next_try_at        timestamptz,
    status             text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'resolved', 'closed')),
    -- How it ended, at this version. Of a resolved notice: 'recorded', or 'already' if the ledger had recorded it
    -- before. Of a resolved refund: 'asked_again' (requested again) or 'refunded'. If staff closed it: their reason.
    resolution         text,
    -- The admin user who acted last. NULL: no admin user has acted.
    handled_by         uuid,
    ended_at           timestamptz,
    UNIQUE (provider, notice_id, fingerprint),
    CHECK ((status = 'waiting' AND refund_id IS NULL) = (next_try_at IS NOT NULL)),
    CHECK ((status = 'waiting') = (ended_at IS NULL)),
    CHECK ((status = 'waiting') = (resolution IS NULL)),
    CHECK (status <> 'closed' OR handled_by IS NOT NULL)
);
CREATE INDEX exception_due ON exception (next_try_at) WHERE status = 'waiting';
CREATE INDEX exception_of_sale ON exception (sale_id) WHERE status = 'waiting';
CREATE INDEX exception_of_refund ON exception (refund_id) WHERE refund_id IS NOT NULL;
CREATE INDEX exception_newest ON exception (received_at DESC, id DESC);
