-- Reference data that staff keep: companies and what belongs to them. Also tenants and messages to staff.
--
-- Why plain tables and not events: staff edit these records, and the audit log records each edit. The ledger copies
-- what a decision needs (plan, version, fees, due dates) into its events. It never reads these rows again.
--
-- Locks nothing: it makes the tables of a new database.

-- ---------------------------------------------------------------- version of the reference data

-- One row with a counter. Each statement that changes the reference data of sales increments it. One read of it tells
-- whether cached reference data are still valid. Its row lock makes the order of commits the order of the counter.
CREATE TABLE reference_version (
    only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version   bigint NOT NULL DEFAULT 1
);
INSERT INTO reference_version DEFAULT VALUES;

-- The records that each step of the counter changed, so that a process drops only these from its cache. The table keeps
-- the last 10,000 steps. A process that is further behind finds fewer steps and reads everything again.
CREATE TABLE reference_change (
    version  bigint NOT NULL,
    kind     text NOT NULL CHECK (kind IN ('company', 'terminal', 'plan', 'default', 'holiday', 'all')),
    subject  uuid,
    CHECK ((subject IS NOT NULL) = (kind IN ('company', 'terminal', 'plan')))
);
CREATE INDEX reference_change_of_version ON reference_change (version);

-- Argument 1: the kind of change. Argument 2, optional: the column with the id of the changed record (the subject).
-- `changed` is the trigger's transition table: the rows that the statement changed. TRUNCATE has no transition table.
CREATE FUNCTION reference_data_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- A statement that changes more records is listed as 'all', and processes read everything again. Reading a longer
    -- list would take as long.
    listed_max CONSTANT integer := 1000;
    stepped    bigint;
    any_row    boolean;
    subjects   uuid[];
BEGIN
    IF TG_OP <> 'TRUNCATE' THEN
        SELECT EXISTS (SELECT FROM changed) INTO any_row;
        IF NOT any_row THEN
            RETURN NULL;
        END IF;
    END IF;
    IF TG_NARGS > 1 THEN
        EXECUTE format('SELECT array_agg(subject) FROM (SELECT DISTINCT %I AS subject FROM changed LIMIT %s) AS named',
                       TG_ARGV[1], listed_max + 1)
           INTO subjects;
    END IF;
    UPDATE reference_version SET version = version + 1 RETURNING version INTO stepped;
    IF subjects IS NULL THEN
        INSERT INTO reference_change (version, kind) VALUES (stepped, TG_ARGV[0]);
    ELSIF cardinality(subjects) > listed_max THEN
        INSERT INTO reference_change (version, kind) VALUES (stepped, 'all');
    ELSE
        INSERT INTO reference_change (version, kind, subject)
        SELECT stepped, TG_ARGV[0], unnest(subjects);
    END IF;
    DELETE FROM reference_change WHERE version <= stepped - 10000;
    RETURN NULL;
END $$;

-- Makes changes of a table increment the counter. Arguments: as of the function above.
-- PostgreSQL allows a transition table only in a trigger for a single operation, so each table gets three triggers.
CREATE FUNCTION watch_reference_data(watched text, kind text, subject text, operations text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    operation text;
BEGIN
    FOREACH operation IN ARRAY operations LOOP
        EXECUTE format('CREATE TRIGGER reference_data_%s AFTER %s ON %I REFERENCING %s TABLE AS changed
                        FOR EACH STATEMENT EXECUTE FUNCTION reference_data_changed(%s)',
                       CASE operation WHEN 'INSERT' THEN 'inserted' WHEN 'UPDATE' THEN 'updated' ELSE 'deleted' END,
                       operation, watched, CASE operation WHEN 'DELETE' THEN 'OLD' ELSE 'NEW' END,
                       concat_ws(', ', quote_literal(kind), quote_literal(subject)));
    END LOOP;
    EXECUTE format('CREATE TRIGGER reference_data_emptied AFTER TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION reference_data_changed(''all'')', watched);
END $$;

-- ---------------------------------------------------------------- rows that are only added

-- The current instant for a change by staff. Staff's changes use the business clock, like the sales that they apply to.
-- In production that is the machine's clock. A transaction that does not set it uses the database's clock.
CREATE FUNCTION business_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT coalesce(nullif(current_setting('razao.business_now', true), '')::timestamptz, transaction_timestamp())
$$;

-- A sale uses the plan and the terminal's owner as of the sale's own instant, even if its notice is late. So rows with
-- `valid_from` are only added, and never take effect in the past. This way the reference data of a past instant never
-- change. The only exception is an installation: it loads the demo's data, or the records of a platform that migrates
-- to this one. It sets `SET LOCAL razao.installing = 'on'`, and works only while no sale exists.
CREATE FUNCTION valid_from_now_on() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are added, never changed', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

-- ---------------------------------------------------------------- receiving plans

CREATE TABLE receiving_plan (
    id           uuid PRIMARY KEY,
    description  text NOT NULL CHECK (description <> '') CHECK (description !~ '[[:cntrl:]]'),
    flat_rate    bigint NOT NULL CHECK (flat_rate BETWEEN 0 AND 9999999999),
    is_default   boolean NOT NULL DEFAULT false,
    active       boolean NOT NULL DEFAULT true,
    -- Counts the changes, so that an edit that started from an older state is rejected.
    revision     integer NOT NULL DEFAULT 1 CHECK (revision >= 1),
    created_at   timestamptz NOT NULL DEFAULT now(),
    CHECK (active OR NOT is_default)
);
CREATE UNIQUE INDEX receiving_plan_one_default ON receiving_plan (is_default) WHERE is_default;

-- ---------------------------------------------------------------- companies

CREATE TABLE business (
    id                    uuid PRIMARY KEY,
    name                  text NOT NULL CHECK (name <> '' AND name !~ '[[:cntrl:]]'),
    name_key              text NOT NULL GENERATED ALWAYS AS (folded(name)) STORED,
    trade_name            text CHECK (trade_name <> '' AND length(trade_name) <= 120 AND trade_name !~ '[[:cntrl:]]'),
    document              text NOT NULL UNIQUE,
    type                  text NOT NULL CHECK (type IN ('PF', 'PJ')),
    statement_descriptor  text CHECK (statement_descriptor ~ '^[A-Za-z0-9 ]{1,22}$' AND statement_descriptor !~ '^[0-9 ]+$'),
    -- A new company is 'pending' until staff approve or deny it. Its sales are held as those of a denied company.
    approval              text NOT NULL DEFAULT 'pending'
        CHECK (approval IN ('pending', 'enabled', 'denied', 'deleted')),
    receiving_plan_id     uuid NOT NULL REFERENCES receiving_plan (id),
    email                 text CHECK (email = lower(email) AND length(email) <= 254),
    -- Digits with area code.
    phone                 text CHECK (phone ~ '^[0-9]{10,11}$'),
    -- Merchant category code (ISO 18245).
    mcc                   text CHECK (mcc ~ '^[0-9]{4}$'),
    -- Only a company (PJ) has one: the person who signs for it.
    representative_name   text
        CHECK (representative_name <> '' AND length(representative_name) <= 120 AND representative_name !~ '[[:cntrl:]]'),
    representative_document text CHECK (representative_document ~ '^[0-9]{11}$'),
    -- Only a natural person (PF) has one.
    birth_date            date,
    -- Counts the changes. If two users edit a company at once, the second one gets a conflict.
    version               integer NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at            timestamptz NOT NULL DEFAULT now(),
    -- Without punctuation. A natural person (PF) has a CPF, a company (PJ) a CNPJ, which may contain letters. The
    -- domain checks the check digits.
    CHECK (CASE type WHEN 'PF' THEN document ~ '^[0-9]{11}$' ELSE document ~ '^[0-9A-Z]{12}[0-9]{2}$' END),
    CONSTRAINT business_representative_of_a_company
        CHECK (type = 'PJ' OR (representative_name IS NULL AND representative_document IS NULL)),
    CONSTRAINT business_birth_date_of_a_person CHECK (type = 'PF' OR birth_date IS NULL)
);
CREATE INDEX business_by_name ON business (name_key, id);
CREATE INDEX business_by_creation ON business (created_at, id);
CREATE INDEX business_by_approval ON business (approval, created_at, id);
CREATE INDEX business_by_approval_and_name ON business (approval, name_key, id);
CREATE INDEX business_by_type ON business (type, created_at, id);
CREATE INDEX business_by_type_and_name ON business (type, name_key, id);

SELECT watch_reference_data('business', 'company', 'id', '{INSERT,UPDATE,DELETE}');

-- The words of the company's names, and its document.
CREATE TABLE business_word (
    word         text COLLATE "C" NOT NULL,
    business_id  uuid NOT NULL REFERENCES business (id),
    PRIMARY KEY (word, business_id)
);
CREATE INDEX business_word_of_business ON business_word (business_id, word);

CREATE FUNCTION business_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM business_word WHERE business_id = NEW.id;
    END IF;
    INSERT INTO business_word (word, business_id)
    SELECT DISTINCT word, NEW.id FROM business_words(NEW.name, NEW.trade_name, NEW.document) AS word WHERE word <> '';
    RETURN NULL;
END $$;
CREATE TRIGGER business_words_added AFTER INSERT ON business
    FOR EACH ROW EXECUTE FUNCTION business_words_kept();
CREATE TRIGGER business_words_changed AFTER UPDATE ON business
    FOR EACH ROW WHEN ((NEW.name, NEW.trade_name, NEW.document) IS DISTINCT FROM (OLD.name, OLD.trade_name, OLD.document))
    EXECUTE FUNCTION business_words_kept();

CREATE TABLE business_address (
    id            uuid PRIMARY KEY,
    business_id   uuid NOT NULL REFERENCES business (id),
    address       text NOT NULL CHECK (address <> '' AND length(address) <= 120 AND address !~ '[[:cntrl:]]'),
    number        text CHECK (number <> '' AND length(number) <= 20 AND number !~ '[[:cntrl:]]'),
    complement    text CHECK (complement <> '' AND length(complement) <= 120 AND complement !~ '[[:cntrl:]]'),
    reference     text CHECK (reference <> '' AND length(reference) <= 120 AND reference !~ '[[:cntrl:]]'),
    neighborhood  text NOT NULL CHECK (neighborhood <> '' AND length(neighborhood) <= 120 AND neighborhood !~ '[[:cntrl:]]'),
    city          text NOT NULL CHECK (city <> '' AND length(city) <= 120 AND city !~ '[[:cntrl:]]'),
    state         text NOT NULL CHECK (state ~ '^[A-Z]{2}$'),
    postal_code   text NOT NULL CHECK (postal_code ~ '^[0-9]{8}$'),
    created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX business_address_of_business ON business_address (business_id, created_at);

-- Cached answers of the postal code service, so that it is called at most once a month for each code.
CREATE TABLE postal_code (
    postal_code  text PRIMARY KEY CHECK (postal_code ~ '^[0-9]{8}$'),
    address      text NOT NULL,
    district     text NOT NULL,
    city         text NOT NULL,
    state        text NOT NULL CHECK (state ~ '^[A-Z]{2}$'),
    found_at     timestamptz NOT NULL
);

-- The companies that a seller user may access, and the user's role in each: 1 owner, 2 admin, 7 operator.
CREATE TABLE business_access (
    seller_id    uuid NOT NULL REFERENCES seller_user (id),
    business_id  uuid NOT NULL REFERENCES business (id),
    role_id      smallint NOT NULL CHECK (role_id IN (1, 2, 7)),
    granted_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (seller_id, business_id)
);
CREATE INDEX business_access_by_business ON business_access (business_id, seller_id);

-- ---------------------------------------------------------------- files

-- Uploaded files: documents of companies, and the logos of tenants.
--
-- Why in the database: a file is committed, backed up and removed together with the row that references it. An
-- installation needs no second store.
-- Why in parts: while a file is sent, only one part of it is in memory.

CREATE TABLE stored_file (
    id          uuid PRIMARY KEY,
    -- Detected from the content. The name that the user gave the file does not decide the type.
    media_type  text NOT NULL CHECK (media_type IN ('application/pdf', 'image/jpeg', 'image/png')),
    byte_count  integer NOT NULL CHECK (byte_count BETWEEN 1 AND 10485760),
    sha256      bytea NOT NULL CHECK (length(sha256) = 32),
    created_at  timestamptz NOT NULL
);

CREATE TABLE stored_file_part (
    file_id  uuid NOT NULL REFERENCES stored_file (id) ON DELETE CASCADE,
    number   integer NOT NULL CHECK (number >= 0),
    content  bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 262144),
    PRIMARY KEY (file_id, number)
);

-- The allowed formats are compressed already. Compressing them again costs time and saves nothing.
ALTER TABLE stored_file_part ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE FUNCTION file_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a stored file is replaced, never changed' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER file_never_changed BEFORE UPDATE ON stored_file
    FOR EACH STATEMENT EXECUTE FUNCTION file_never_changed();
CREATE TRIGGER file_never_changed BEFORE UPDATE ON stored_file_part
    FOR EACH STATEMENT EXECUTE FUNCTION file_never_changed();

CREATE TABLE business_document (
    -- The file's id.
    id           uuid PRIMARY KEY REFERENCES stored_file (id),
    business_id  uuid NOT NULL REFERENCES business (id),
    kind         text NOT NULL CHECK (kind IN ('identity', 'address', 'articles', 'other')),
    file_name    text NOT NULL
        CHECK (file_name <> '' AND length(file_name) <= 120 AND file_name !~ '[[:cntrl:]]'),
    audience     text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- Id in `seller_user` or `admin_user`, depending on the audience.
    uploaded_by  uuid NOT NULL,
    uploaded_at  timestamptz NOT NULL
);
CREATE INDEX business_document_of_business ON business_document (business_id, uploaded_at, id);

-- A file is deleted together with the row that references it.
CREATE FUNCTION document_file_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM stored_file WHERE id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER file_removed AFTER DELETE ON business_document
    FOR EACH ROW EXECUTE FUNCTION document_file_removed();

-- ---------------------------------------------------------------- decisions

-- The decisions of staff on companies: who approved, denied or deleted a company, why, and which documents were
-- missing. An approval may wait for a second admin user.
--
-- Why a table, when the audit log has each change of the approval: a company's users read why it was denied, and a
-- request that waits for a second person must be found and answered once.
CREATE TABLE company_decision (
    id                 uuid PRIMARY KEY,
    business_id        uuid NOT NULL REFERENCES business (id),
    approval           text NOT NULL CHECK (approval IN ('enabled', 'denied', 'deleted')),
    reason             text CHECK (char_length(reason) BETWEEN 1 AND 500),
    -- The documents that the settings asked for and that the company did not have.
    missing_documents  text[] NOT NULL,
    -- pending: waits for a second person. taken: in force from the decision or the second person's approval on.
    status             text NOT NULL CHECK (status IN ('pending', 'taken', 'rejected', 'withdrawn')),
    -- NULL: the installation of companies that were approved elsewhere.
    decided_by         uuid REFERENCES admin_user (id),
    -- By the business clock, as `answered_at`.
    decided_at         timestamptz NOT NULL,
    -- The second person, or the user who withdrew the request.
    answered_by        uuid REFERENCES admin_user (id),
    answered_at        timestamptz,
    answer             text CHECK (char_length(answer) BETWEEN 1 AND 500),
    CHECK (reason IS NOT NULL OR (approval = 'enabled' AND missing_documents = '{}')),
    CHECK (approval = 'enabled' OR status = 'taken'),
    CHECK ((answered_by IS NULL) = (answered_at IS NULL)),
    CHECK (status <> 'pending' OR answered_by IS NULL),
    CHECK (status NOT IN ('rejected', 'withdrawn') OR answered_by IS NOT NULL),
    CHECK (status = 'withdrawn' OR answered_by <> decided_by)
);
CREATE UNIQUE INDEX company_decision_pending ON company_decision (business_id) WHERE status = 'pending';
CREATE INDEX company_decision_of_business ON company_decision (business_id, decided_at, id);
CREATE INDEX company_decision_by_decider ON company_decision (decided_by) WHERE decided_by IS NOT NULL;

CREATE FUNCTION company_decision_only_answered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending' OR NEW.status = 'pending'
       OR (NEW.id, NEW.business_id, NEW.approval, NEW.reason, NEW.missing_documents, NEW.decided_by, NEW.decided_at)
          IS DISTINCT FROM (OLD.id, OLD.business_id, OLD.approval, OLD.reason, OLD.missing_documents, OLD.decided_by,
           OLD.decided_at) THEN
        RAISE EXCEPTION 'a requested approval is answered once' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER company_decision_only_answered BEFORE UPDATE ON company_decision
    FOR EACH ROW EXECUTE FUNCTION company_decision_only_answered();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON company_decision
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- bank accounts

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

-- Changes of the bank account for withdrawals. Fraud often begins with a new account, so staff check withdrawals to it
-- more closely. Whether a withdrawal is marked depends only on its instant and on this table. So no event and no read
-- model stores the mark, and a replay gives the same result.
-- Why `marked_until` is stored: a later change of the setting must not remove marks.
CREATE TABLE destination_change (
    business_id   uuid NOT NULL REFERENCES business (id),
    changed_at    timestamptz NOT NULL,
    -- Withdrawals to the bank account are marked if they are requested from `changed_at` until before this instant.
    marked_until  timestamptz NOT NULL CHECK (marked_until >= changed_at),
    PRIMARY KEY (business_id, changed_at)
);
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON destination_change
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- tenants

-- The branding and contact data of the panels, by the first label of the host name. The row '' is for all hosts without
-- a row. It is branding only: tenants share companies, users and data.
CREATE TABLE tenant (
    label         text PRIMARY KEY CHECK (label ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$'),
    product_name  text NOT NULL CHECK (product_name <> '' AND length(product_name) <= 40 AND product_name !~ '[[:cntrl:]]'),
    -- As #RRGGBB. `theme_color` is for buttons and marks, `highlight_color` for emphasis.
    theme_color      text NOT NULL DEFAULT '#36BE54' CHECK (theme_color ~ '^#[0-9A-F]{6}$'),
    highlight_color  text NOT NULL DEFAULT '#29FF00' CHECK (highlight_color ~ '^#[0-9A-F]{6}$'),
    -- Dates are shown in it if the user has not chosen a time zone.
    time_zone        text NOT NULL DEFAULT 'UTC' CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
    contact_email    text CHECK (contact_email <> '' AND length(contact_email) <= 254),
    -- Phone numbers are digits with the area code.
    contact_phone    text CHECK (contact_phone ~ '^[0-9]{10,11}$'),
    contact_whatsapp text CHECK (contact_whatsapp ~ '^[0-9]{10,11}$')
);
INSERT INTO tenant (label, product_name) VALUES ('', 'Razão');

CREATE TABLE tenant_logo (
    label    text PRIMARY KEY REFERENCES tenant (label) ON DELETE CASCADE,
    file_id  uuid NOT NULL UNIQUE REFERENCES stored_file (id)
);

CREATE FUNCTION logo_file_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM stored_file WHERE id = OLD.file_id;
    RETURN NULL;
END $$;
CREATE TRIGGER file_removed AFTER DELETE ON tenant_logo
    FOR EACH ROW EXECUTE FUNCTION logo_file_removed();

-- ---------------------------------------------------------------- messages to staff

-- Messages that sellers write to the platform (the page "Fale com a gente"), and the answers of staff.
-- Why `panel_url`: the e-mail with the answer uses the brand of the panel where the message was written.
CREATE TABLE contact_message (
    id           uuid PRIMARY KEY,
    -- The number that sellers and staff see.
    number       bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    seller_id    uuid NOT NULL REFERENCES seller_user (id),
    business_id  uuid NOT NULL REFERENCES business (id),
    panel_url    text NOT NULL CHECK (panel_url ~ '^https?://[^/]+$'),
    subject      text NOT NULL CHECK (subject <> '' AND length(subject) <= 120 AND subject !~ '[[:cntrl:]]'),
    -- Plain text. The only allowed control character is the line feed.
    body         text NOT NULL CHECK (body <> '' AND length(body) <= 4000 AND translate(body, E'\n', '') !~ '[[:cntrl:]]'),
    state        text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'answered', 'closed')),
    -- Raised by each change. If two users answer at once, the second one gets a conflict.
    version      integer NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL CHECK (updated_at >= created_at)
);
CREATE INDEX contact_message_by_creation ON contact_message (created_at, id);
CREATE INDEX contact_message_by_state ON contact_message (state, created_at, id);
CREATE INDEX contact_message_of_seller ON contact_message (seller_id, created_at, id);
CREATE INDEX contact_message_of_business ON contact_message (business_id, created_at, id);

CREATE FUNCTION contact_message_changes_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.number, NEW.seller_id, NEW.business_id, NEW.panel_url, NEW.subject, NEW.body, NEW.created_at)
           IS DISTINCT FROM
       (OLD.id, OLD.number, OLD.seller_id, OLD.business_id, OLD.panel_url, OLD.subject, OLD.body, OLD.created_at)
       OR NEW.version <> OLD.version + 1 THEN
        RAISE EXCEPTION 'only the state of a contact message changes, one version after the other'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER contact_message_changes_state BEFORE UPDATE ON contact_message
    FOR EACH ROW EXECUTE FUNCTION contact_message_changes_state();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON contact_message
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

CREATE TABLE contact_answer (
    id          uuid PRIMARY KEY,
    message_id  uuid NOT NULL REFERENCES contact_message (id),
    admin_id    uuid NOT NULL REFERENCES admin_user (id),
    body        text NOT NULL CHECK (body <> '' AND length(body) <= 4000 AND translate(body, E'\n', '') !~ '[[:cntrl:]]'),
    created_at  timestamptz NOT NULL
);
CREATE INDEX contact_answer_of_message ON contact_answer (message_id, created_at, id);
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON contact_answer
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- Staff search by number, subject, company, and the user's name or e-mail. The words are as of the time of the message;
-- later changes of names do not update them.
CREATE TABLE contact_message_word (
    word        text COLLATE "C" NOT NULL,
    message_id  uuid NOT NULL REFERENCES contact_message (id),
    PRIMARY KEY (word, message_id)
);
CREATE INDEX contact_message_word_of_message ON contact_message_word (message_id, word);

CREATE FUNCTION contact_message_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO contact_message_word (word, message_id)
    SELECT DISTINCT word, NEW.id
      FROM business
      JOIN seller_user ON seller_user.id = NEW.seller_id
     CROSS JOIN business_words(concat_ws(' ', NEW.number, NEW.subject),
                               concat_ws(' ', business.name, business.trade_name, business.document),
                               concat_ws(' ', seller_user.name, seller_user.email)) AS word
     WHERE business.id = NEW.business_id AND word <> '';
    RETURN NULL;
END $$;
CREATE TRIGGER contact_message_words_added AFTER INSERT ON contact_message
    FOR EACH ROW EXECUTE FUNCTION contact_message_words_kept();
