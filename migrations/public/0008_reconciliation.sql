-- Reconciliation: the payments that acquirers report, and how they differ from what the ledger expects.
--
-- Why files and API calls share one table: an acquirer reports an installment several times, first as expected and
-- later as paid. The reports may come from either source. One row per installment keeps the latest figures and their
-- source.
-- Why an import stores its file until it has been read: after a crash, any process can start to read it again. Then the
-- file is deleted. Its SHA-256 stays, so that a repeated upload is recognized.
-- Why differences are stored: staff resolve each difference with a reason. It stays resolved until its figures change.
-- Why sums by day are stored: a day has a row for each installment of the platform that is due on it.
-- Acquirers' fees are costs of the platform. They are not in the ledger, and nothing is posted for them.
--
-- Locks nothing: it makes the tables of a new database.

-- ---------------------------------------------------------------- imports

CREATE TABLE settlement_import (
    id            uuid PRIMARY KEY,
    source        text NOT NULL CHECK (source IN ('file', 'receivables')),
    provider      smallint NOT NULL CHECK (provider BETWEEN 1 AND 8),
    -- Set only for files.
    format        text CHECK (format IN ('cnab240', 'cnab400', 'card_file')),
    file_name     text CHECK (file_name <> '' AND length(file_name) <= 120 AND file_name !~ '[[:cntrl:]]'),
    byte_count    bigint NOT NULL DEFAULT 0 CHECK (byte_count >= 0),
    -- Known when the whole file has arrived.
    sha256        bytea CHECK (length(sha256) = 32),
    -- Of an API call: the requested day.
    day           date,
    state         text NOT NULL CHECK (state IN ('receiving', 'waiting', 'reading', 'done', 'failed')),
    -- nothing_taken: all lines with payments are bad lines. The file can be uploaded again.
    failure       text CHECK (failure IN ('interrupted', 'unreadable', 'no_answer', 'nothing_taken')),
    bytes_read    bigint NOT NULL DEFAULT 0 CHECK (bytes_read >= 0),
    lines_read    bigint NOT NULL DEFAULT 0 CHECK (lines_read >= 0),
    -- All records about payments, and those that were new or had changed figures.
    records_read  bigint NOT NULL DEFAULT 0 CHECK (records_read >= 0),
    records_changed bigint NOT NULL DEFAULT 0 CHECK (records_changed BETWEEN 0 AND records_read),
    bad_lines     bigint NOT NULL DEFAULT 0 CHECK (bad_lines >= 0),
    tries         integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- The lease of the process that claimed the row. After it ends, another process may claim the row.
    leased_until  timestamptz,
    worked_at     timestamptz NOT NULL DEFAULT now(),
    -- The user. NULL: the program. Not a foreign key, because a user can be deleted.
    imported_by   uuid,
    created_at    timestamptz NOT NULL,
    ended_at      timestamptz,
    CHECK ((source = 'file') = (format IS NOT NULL)),
    CHECK ((source = 'receivables') = (day IS NOT NULL)),
    CHECK ((state = 'failed') = (failure IS NOT NULL)),
    CHECK ((state IN ('done', 'failed')) = (ended_at IS NOT NULL)),
    -- The hash of an interrupted upload is unknown, because the file is incomplete.
    CHECK (source <> 'file' OR state IN ('receiving', 'failed') OR sha256 IS NOT NULL)
) WITH (fillfactor = 50);

-- A file is imported once per acquirer, even if two uploads of it run at the same time. If its import failed, it can be
-- uploaded again.
CREATE UNIQUE INDEX settlement_import_of_file ON settlement_import (provider, sha256)
    WHERE sha256 IS NOT NULL AND state <> 'failed';

-- At most one API call per acquirer and day is in progress.
CREATE UNIQUE INDEX settlement_import_of_day ON settlement_import (provider, day)
    WHERE source = 'receivables' AND state = 'reading';
CREATE INDEX settlement_import_by_creation ON settlement_import (created_at, id);
CREATE INDEX settlement_import_by_provider ON settlement_import (provider, created_at, id);
CREATE INDEX settlement_import_open ON settlement_import (worked_at) WHERE state IN ('receiving', 'waiting', 'reading');
CREATE INDEX settlement_import_by_day ON settlement_import (provider, day, created_at) WHERE source = 'receivables';

-- The content of a file, until it has been read. A part has at most 1 MiB.
CREATE TABLE settlement_file_part (
    import_id  uuid NOT NULL REFERENCES settlement_import (id) ON DELETE CASCADE,
    number     integer NOT NULL CHECK (number >= 0),
    content    bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 1048576),
    PRIMARY KEY (import_id, number)
);

-- The first unreadable lines of an import. The number of all of them is `settlement_import.bad_lines`.
CREATE TABLE settlement_bad_line (
    import_id  uuid NOT NULL REFERENCES settlement_import (id) ON DELETE CASCADE,
    line       bigint NOT NULL CHECK (line >= 1),
    -- A code; `parameters` has its values. The text for users is not stored.
    reason     text NOT NULL CHECK (reason ~ '^[a-z_]{1,40}$'),
    parameters json NOT NULL DEFAULT '{}',
    PRIMARY KEY (import_id, line)
);

-- What was mended in an import. The payments of mended lines are kept.
CREATE TABLE settlement_warning (
    import_id  uuid NOT NULL REFERENCES settlement_import (id) ON DELETE CASCADE,
    -- A code; `parameters` has its values. The text for users is not stored.
    reason     text NOT NULL CHECK (reason ~ '^[a-z0-9_]{1,40}$'),
    parameters jsonb NOT NULL DEFAULT '{}',
    -- The first line that has it, and the number of lines that have it.
    line       bigint NOT NULL CHECK (line >= 1),
    count      bigint NOT NULL CHECK (count >= 1),
    PRIMARY KEY (import_id, reason, parameters)
);

-- ---------------------------------------------------------------- payments that acquirers report

CREATE TABLE acquirer_receivable (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider       smallint NOT NULL CHECK (provider BETWEEN 1 AND 8),
    -- The acquirer's id of the charge: TID, NSU with its day, the boleto's nosso número, or the id in its API.
    reference      text COLLATE "C" NOT NULL CHECK (reference <> '' AND length(reference) <= 120),
    installment    smallint NOT NULL CHECK (installment BETWEEN 1 AND 99),
    -- partial: a part of an installment. Its parts are added up.
    entry          text COLLATE "C" NOT NULL CHECK (entry IN ('payment', 'partial', 'cancellation', 'chargeback')),
    -- The sale on this platform. NULL: no sale was found yet.
    sale_id        uuid,
    -- Other ids by which the sale may be found.
    external_ids   text[] NOT NULL DEFAULT '{}',
    authorization_code text,
    -- The brand of the card that a settlement file names.
    brand          text CHECK (brand <> ''),
    sold_on        date,
    -- Amounts are in cents. Those of cancellations and chargebacks are negative.
    gross          bigint NOT NULL,
    -- The fee that the acquirer keeps. NULL: its field cannot be read.
    cost           bigint,
    net            bigint NOT NULL,
    expected_on    date,
    paid_on        date,
    canceled       boolean NOT NULL,
    -- The settlement day on which the row is compared: the due date in the ledger. If the installment is unknown, the
    -- day that the acquirer reports.
    day            date NOT NULL,
    import_id      uuid NOT NULL REFERENCES settlement_import (id),
    -- The line of the file. NULL: reported by an API call.
    line           bigint CHECK (line >= 1),
    -- Other lines of the same file that report the same installment and entry.
    repeated_lines bigint[] NOT NULL DEFAULT '{}',
    compared       boolean NOT NULL DEFAULT true,
    reported_at    timestamptz NOT NULL,
    UNIQUE (provider, reference, installment, entry)
) WITH (fillfactor = 85);
CREATE INDEX acquirer_receivable_of_sale ON acquirer_receivable (sale_id, installment) WHERE sale_id IS NOT NULL;
CREATE INDEX acquirer_receivable_of_day ON acquirer_receivable (provider, day, id);
CREATE INDEX acquirer_receivable_by_day ON acquirer_receivable (day, id);
CREATE INDEX acquirer_receivable_to_compare ON acquirer_receivable (id) WHERE NOT compared;
CREATE INDEX acquirer_receivable_unknown ON acquirer_receivable (sold_on)
    WHERE sale_id IS NULL AND authorization_code IS NOT NULL;

-- The reference of a part is longer than the number by which a charge names it.
CREATE INDEX acquirer_receivable_partial ON acquirer_receivable (provider) WHERE entry = 'partial' AND sale_id IS NULL;

-- ---------------------------------------------------------------- differences

CREATE TABLE settlement_difference (
    -- Derived from the subject of the difference, so that a later comparison finds the same row.
    id           uuid PRIMARY KEY,
    kind         text NOT NULL CHECK (kind IN ('missing', 'unknown', 'amount', 'date', 'fee', 'double')),
    provider     smallint NOT NULL CHECK (provider BETWEEN 1 AND 8),
    day          date NOT NULL,
    sale_id      uuid,
    business_id  uuid,
    installment  smallint NOT NULL,
    -- NULL: the acquirer does not report the installment.
    receivable_id bigint REFERENCES acquirer_receivable (id),
    reference    text,
    -- Gross in cents. If the kind is 'fee': the acquirer's cost in cents.
    expected     bigint,
    reported     bigint,
    -- Its part of the day's difference (reported gross less expected gross), in cents.
    delta        bigint NOT NULL,
    expected_on  date,
    reported_on  date,
    state        text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'resolved', 'gone')),
    reason       text CHECK (reason <> '' AND length(reason) <= 500 AND reason !~ '[[:cntrl:]]'),
    -- The user. Not a foreign key, because a user can be deleted.
    resolved_by  uuid,
    resolved_at  timestamptz,
    -- Counts the changes. If two users decide at the same time, the second one gets a conflict.
    version      integer NOT NULL DEFAULT 1 CHECK (version >= 1),
    found_at     timestamptz NOT NULL,
    CHECK ((state = 'resolved') = (resolved_at IS NOT NULL)),
    CHECK (num_nonnulls(reason, resolved_by, resolved_at) IN (0, 3)),
    CHECK (kind <> 'missing' OR (receivable_id IS NULL AND sale_id IS NOT NULL)),
    CHECK (kind NOT IN ('unknown', 'date', 'fee', 'double') OR receivable_id IS NOT NULL)
) WITH (fillfactor = 80);
CREATE INDEX settlement_difference_by_day ON settlement_difference (day, id);
CREATE INDEX settlement_difference_by_state ON settlement_difference (state, day, id);
CREATE INDEX settlement_difference_by_kind ON settlement_difference (kind, day, id);
CREATE INDEX settlement_difference_by_provider ON settlement_difference (provider, day, id);
CREATE INDEX settlement_difference_of_sale ON settlement_difference (sale_id, installment) WHERE sale_id IS NOT NULL;
CREATE INDEX settlement_difference_of_receivable ON settlement_difference (receivable_id) WHERE receivable_id IS NOT NULL;

CREATE FUNCTION settlement_difference_guarded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.kind, NEW.provider, NEW.installment) IS DISTINCT FROM (OLD.id, OLD.kind, OLD.provider, OLD.installment)
       OR NEW.version <> OLD.version + 1 THEN
        RAISE EXCEPTION 'a difference keeps what it is about, and changes one version after the other'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER settlement_difference_guarded BEFORE UPDATE ON settlement_difference
    FOR EACH ROW EXECUTE FUNCTION settlement_difference_guarded();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON settlement_difference
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- The words by which staff find a difference: the acquirer's ids, the sale's id, and the company's names and document.
CREATE TABLE settlement_difference_word (
    word           text COLLATE "C" NOT NULL,
    difference_id  uuid NOT NULL REFERENCES settlement_difference (id),
    PRIMARY KEY (word, difference_id)
);
CREATE INDEX settlement_difference_word_of ON settlement_difference_word (difference_id);

CREATE FUNCTION settlement_difference_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM settlement_difference_word WHERE difference_id = NEW.id;
    END IF;
    INSERT INTO settlement_difference_word (word, difference_id)
    SELECT DISTINCT word, NEW.id
      FROM (SELECT word FROM business_words(NEW.reference, 'sal_' || NEW.sale_id::text,
                (SELECT array_to_string(r.external_ids, ' ') FROM acquirer_receivable r WHERE r.id = NEW.receivable_id))
                AS word
            UNION ALL
            SELECT word FROM business b, business_words(b.name, b.trade_name, b.document) AS word
             WHERE b.id = NEW.business_id) AS words
     WHERE word <> '';
    RETURN NULL;
END $$;
CREATE TRIGGER settlement_difference_words_added AFTER INSERT ON settlement_difference
    FOR EACH ROW EXECUTE FUNCTION settlement_difference_words_kept();
CREATE TRIGGER settlement_difference_words_changed AFTER UPDATE ON settlement_difference
    FOR EACH ROW WHEN ((NEW.reference, NEW.sale_id, NEW.business_id)
                       IS DISTINCT FROM (OLD.reference, OLD.sale_id, OLD.business_id))
    EXECUTE FUNCTION settlement_difference_words_kept();

-- ---------------------------------------------------------------- days

-- The day from which an acquirer is expected to report every installment. It is set by the acquirer's first report.
CREATE TABLE settlement_coverage (
    provider  smallint PRIMARY KEY CHECK (provider BETWEEN 1 AND 8),
    since     date NOT NULL
);

CREATE TABLE settlement_day (
    provider        smallint NOT NULL CHECK (provider BETWEEN 1 AND 8),
    day             date NOT NULL,
    -- Gross of the ledger's installments that are due. NULL: the day was not summed up since it began.
    expected        bigint,
    -- True: the acquirer's time to report had ended when the day was summed up. Missing installments are differences.
    is_complete     boolean NOT NULL DEFAULT false,
    expected_count  bigint NOT NULL DEFAULT 0,
    -- reported: gross that the acquirer reports. paid: net that it has paid. cost: fees that it keeps.
    reported        bigint NOT NULL DEFAULT 0,
    reported_count  bigint NOT NULL DEFAULT 0,
    paid            bigint NOT NULL DEFAULT 0,
    cost            bigint NOT NULL DEFAULT 0,
    -- difference: sum of `delta` over open and resolved differences. open_count: number of open ones.
    difference      bigint NOT NULL DEFAULT 0,
    open_count      bigint NOT NULL DEFAULT 0,
    -- `changes` counts the changes of the day, `summed` those in its sums. If they differ, the day is summed up again.
    changes         bigint NOT NULL DEFAULT 1,
    summed          bigint NOT NULL DEFAULT 0 CHECK (summed <= changes),
    PRIMARY KEY (provider, day)
) WITH (fillfactor = 80);
CREATE INDEX settlement_day_by_day ON settlement_day (day, provider);
CREATE INDEX settlement_day_to_sum ON settlement_day (day, provider) WHERE summed < changes;

-- ---------------------------------------------------------------- expected rates

-- The fee that an acquirer should keep of a payment from `valid_from` on. Rows never change. A new row replaces the
-- earlier rows of the same provider, payment type and installments.
CREATE TABLE acquirer_rate (
    id            uuid PRIMARY KEY,
    provider      smallint NOT NULL CHECK (provider BETWEEN 1 AND 8),
    payment_type  text NOT NULL CHECK (payment_type IN ('credit', 'debit', 'boleto', 'pix')),
    -- The rate applies to sales with this number of installments or more.
    installments_from smallint NOT NULL CHECK (installments_from BETWEEN 1 AND 21),
    valid_from    date NOT NULL,
    -- `percent` is a percentage of the gross; `flat` is in cents. NULL: from that day on, fees are not checked.
    percent       numeric(6, 4) CHECK (percent BETWEEN 0 AND 99),
    flat          bigint CHECK (flat BETWEEN 0 AND 1000000),
    set_by        uuid NOT NULL,
    set_at        timestamptz NOT NULL,
    CHECK ((percent IS NULL) = (flat IS NULL)),
    CHECK (payment_type = 'credit' OR installments_from = 1)
);
CREATE INDEX acquirer_rate_of_provider ON acquirer_rate (provider, payment_type, installments_from, valid_from, set_at);
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON acquirer_rate
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();
