-- Chains of changes: tamper evidence for the rows outside the log that decide money or authority.
--
-- Why: the event log is chained and signed, and the audit compares read models with it. Bank accounts, plans, users,
-- settings and the audit log are plain rows. A person with access to the database could change one of them unnoticed.
--
-- Each change of a chained row adds a row to `row_change` with a digest of the chained row. The audit computes the
-- digest of the present row again and compares it with the last change.
--
-- Why a trigger adds it and not the function that writes the row: some rows are written in ten places, and also by
-- cascades, other triggers and migrations. A place that forgot it would be found only by an audit.
-- Why `proof`: the trigger fires for every session, and so also for a person who connects with psql. Only the program's
-- sessions have the key with which a proof is computed (the parameter `razao.change_key`).
-- Why the change is not linked into its chain at once: a link needs the link before it. So all writers of a chain would
-- wait for each other until they commit, and two writers of two chains could deadlock. An added row waits for nothing.
-- A job of the program links the rows a moment later ("sealing"), one process at a time. There is one chain for each
-- company and one for the platform (the nil UUID). Sealing also numbers the changes of all chains without gaps.
-- Signed heads cover the chains, like the tree heads cover the log.
--
-- Locks nothing: it makes the tables of a new database.

CREATE TABLE row_change (
    -- Later changes of the same row have higher ids: the row's lock was held when the id was taken.
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain       uuid NOT NULL,
    table_name  text NOT NULL,
    -- The columns of the primary key, as text.
    row_key     text NOT NULL,
    -- entered: the row existed when its table was chained. accepted: an operator accepted the row as it is.
    kind        text NOT NULL CHECK (kind IN ('entered', 'added', 'changed', 'deleted', 'accepted')),
    -- SHA-256 of the chained columns. NULL: the row is gone.
    digest      bytea CHECK (octet_length(digest) = 32),
    changed_at  timestamptz NOT NULL,
    -- NULL: the session had no key.
    proof       bytea CHECK (octet_length(proof) = 32),
    -- Only of an accepted row: why.
    reason      text CHECK (reason <> '' AND length(reason) <= 500 AND reason !~ '[[:cntrl:]]'),
    -- NULL until the change is sealed.
    position    bigint UNIQUE CHECK (position >= 1),
    -- SHA-256 of the link before it in the chain and of this change.
    link        bytea CHECK (octet_length(link) = 32),
    CHECK (digest IS NOT NULL OR kind IN ('deleted', 'accepted')),
    CHECK (digest IS NULL OR kind <> 'deleted'),
    CHECK ((kind = 'accepted') = (reason IS NOT NULL)),
    CHECK ((position IS NULL) = (link IS NULL))
);
CREATE INDEX row_change_of_row ON row_change (table_name, row_key, id);
CREATE INDEX row_change_unsealed ON row_change (id) WHERE position IS NULL;

CREATE FUNCTION row_change_only_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'UPDATE' OR OLD.position IS NOT NULL
       OR (NEW.id, NEW.chain, NEW.table_name, NEW.row_key, NEW.kind, NEW.digest, NEW.changed_at, NEW.proof, NEW.reason)
          IS DISTINCT FROM
          (OLD.id, OLD.chain, OLD.table_name, OLD.row_key, OLD.kind, OLD.digest, OLD.changed_at, OLD.proof, OLD.reason)
    THEN
        RAISE EXCEPTION 'a recorded change is only sealed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER row_change_only_sealed BEFORE UPDATE OR DELETE ON row_change
    FOR EACH ROW EXECUTE FUNCTION row_change_only_sealed();
CREATE TRIGGER row_change_never_emptied BEFORE TRUNCATE ON row_change
    FOR EACH STATEMENT EXECUTE FUNCTION row_change_only_sealed();

-- The last link of each chain, and the number of its changes. Only sealing writes it.
CREATE TABLE row_chain (
    chain    uuid PRIMARY KEY,
    changes  bigint NOT NULL CHECK (changes >= 1),
    link     bytea NOT NULL CHECK (octet_length(link) = 32)
) WITH (fillfactor = 50);

-- Signed heads over all chains as of a position.
CREATE TABLE row_chain_head (
    number     bigint PRIMARY KEY CHECK (number >= 1),
    position   bigint NOT NULL CHECK (position >= 1),
    chains     bigint NOT NULL,
    root       bytea NOT NULL CHECK (octet_length(root) = 32),
    -- The hash of the head before it. Zeros in the first one.
    previous   bytea NOT NULL CHECK (octet_length(previous) = 32),
    made_at    timestamptz NOT NULL,
    key_id     bytea NOT NULL CHECK (octet_length(key_id) = 8),
    signature  bytea NOT NULL CHECK (octet_length(signature) = 64)
);

-- The chained tables. The list of columns is part of each digest, so a changed list differs from every digest.
CREATE TABLE chained_table (
    table_name  text PRIMARY KEY,
    key         text[] NOT NULL CHECK (cardinality(key) >= 1),
    -- The column with the company whose chain has the changes. NULL: the platform's chain has them.
    company     text,
    columns     text[] NOT NULL,
    -- The columns that decide nothing, or that the audit compares in another way.
    skipped     text[] NOT NULL
);

CREATE FUNCTION record_row_change(chain uuid, table_name text, row_key text, kind text, content text, reason text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    id      bigint := nextval('row_change_id_seq');
    at      timestamptz := clock_timestamp();
    digest  bytea := sha256(convert_to(content, 'UTF8'));
    secret  bytea := decode(coalesce(current_setting('razao.change_key', true), ''), 'hex');
    proof   bytea;
BEGIN
    IF length(secret) > 0 THEN
        proof := sha256(secret || sha256(secret || convert_to(concat_ws(
            E'\x1f', id, chain, table_name, row_key, kind, (extract(epoch FROM at) * 1000000)::bigint,
            coalesce(encode(digest, 'hex'), ''), coalesce(reason, '')), 'UTF8')));
    END IF;
    INSERT INTO row_change (id, chain, table_name, row_key, kind, digest, changed_at, proof, reason)
    OVERRIDING SYSTEM VALUE VALUES (id, chain, table_name, row_key, kind, digest, at, proof, reason);
END $$;

-- Chains a table, and enters its present rows. A migration that changes the columns of a chained table calls it again.
CREATE FUNCTION chain_rows(chained text, key text[], company text, skipped text[])
RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' SET datestyle = 'ISO' SET bytea_output = 'hex' AS $$
DECLARE
    columns    text[];
    content    text;
    key_of     text;
    company_of text := format('%L::uuid', '00000000-0000-0000-0000-000000000000');
    compared   text;
BEGIN
    IF company IS NOT NULL THEN
        company_of := format('coalesce(#.%I, %s)', company, company_of);
    END IF;
    SELECT array_agg(attname::text ORDER BY attname),
           string_agg(format('#.%I', attname), ', ' ORDER BY attname),
           -- Type json has no comparison.
           string_agg(format('#.%I', attname) || CASE atttypid WHEN 'json'::regtype THEN '::text' ELSE '' END, ', ')
      INTO columns, content, compared
      FROM pg_attribute
     WHERE attrelid = chained::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL (skipped);
    content := format('%L || ROW(%s)::text', array_to_string(columns, ',') || E'\x1f', content);
    SELECT format('concat_ws('' / '', %s)', string_agg(format('coalesce(#.%I::text, ''-'')', name), ', ' ORDER BY place))
      INTO key_of FROM unnest(key) WITH ORDINALITY AS names (name, place);

    INSERT INTO chained_table VALUES (chained, key, company, columns, skipped)
    ON CONFLICT (table_name) DO UPDATE
        SET key = excluded.key, company = excluded.company, columns = excluded.columns, skipped = excluded.skipped;

    EXECUTE format(
        'CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql
             SET timezone = ''UTC'' SET datestyle = ''ISO'' SET bytea_output = ''hex'' AS $trigger$
         BEGIN
             IF TG_OP = ''DELETE'' OR (TG_OP = ''UPDATE'' AND %s <> %s) THEN
                 PERFORM record_row_change(%s, %L, %s, ''deleted'', NULL, NULL);
             END IF;
             IF TG_OP <> ''DELETE'' THEN
                 PERFORM record_row_change(%s, %L, %s, CASE TG_OP WHEN ''INSERT'' THEN ''added'' ELSE ''changed'' END,
                                           %s, NULL);
             END IF;
             RETURN NULL;
         END $trigger$',
        chained || '_chained', replace(key_of, '#.', 'OLD.'), replace(key_of, '#.', 'NEW.'),
        replace(company_of, '#.', 'OLD.'), chained, replace(key_of, '#.', 'OLD.'),
        replace(company_of, '#.', 'NEW.'), chained, replace(key_of, '#.', 'NEW.'), replace(content, '#.', 'NEW.'));
    EXECUTE format('CREATE OR REPLACE TRIGGER row_added AFTER INSERT OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION %I()', chained, chained || '_chained');
    EXECUTE format('CREATE OR REPLACE TRIGGER row_changed AFTER UPDATE ON %I
                    FOR EACH ROW WHEN ((%s) IS DISTINCT FROM (%s)) EXECUTE FUNCTION %I()',
                   chained, replace(compared, '#.', 'OLD.'), replace(compared, '#.', 'NEW.'), chained || '_chained');
    EXECUTE format('SELECT record_row_change(%s, %L, %s, ''entered'', %s, NULL) FROM %I AS present',
                   replace(company_of, '#.', 'present.'), chained, replace(key_of, '#.', 'present.'),
                   replace(content, '#.', 'present.'), chained);
END $$;

-- ---------------------------------------------------------------- users and their authority

SELECT chain_rows('admin_user', '{id}', NULL, '{name_key,theme,time_zone}');
SELECT chain_rows('seller_user', '{id}', NULL, '{name_key,theme,time_zone,paid_link_emails}');
SELECT chain_rows('business_access', '{seller_id,business_id}', 'business_id', '{}');
SELECT chain_rows('one_time_code', '{id}', NULL, '{}');
-- A rotation changes the skipped columns every few minutes. Only a holder of the session's token can use them.
SELECT chain_rows('session', '{family}', NULL, '{generation,refresh_hash,rotated_at,expires_at,user_agent,address}');
SELECT chain_rows('audit_log', '{id}', NULL, '{}');

-- ---------------------------------------------------------------- companies

SELECT chain_rows('business', '{id}', 'id', '{name_key}');
SELECT chain_rows('company_decision', '{id}', 'business_id', '{}');
SELECT chain_rows('business_address', '{id}', 'business_id', '{}');
SELECT chain_rows('business_document', '{id}', 'business_id', '{}');
SELECT chain_rows('stored_file', '{id}', NULL, '{}');
SELECT chain_rows('bank_account', '{id}', 'business_id', '{}');
SELECT chain_rows('destination_change', '{business_id,changed_at}', 'business_id', '{}');
SELECT chain_rows('contact_message', '{id}', 'business_id', '{}');
SELECT chain_rows('contact_answer', '{id}', NULL, '{}');

-- ---------------------------------------------------------------- prices, terminals, settings

SELECT chain_rows('plan', '{id}', NULL, '{}');
SELECT chain_rows('plan_version', '{plan_id,version}', NULL, '{}');
SELECT chain_rows('plan_assignment', '{business_id,solution,valid_from}', 'business_id', '{}');
SELECT chain_rows('plan_default', '{solution,valid_from}', NULL, '{}');
SELECT chain_rows('plan_change', '{id}', NULL, '{}');
SELECT chain_rows('receiving_plan', '{id}', NULL, '{}');
SELECT chain_rows('acquirer_route', '{business_id,solution,payment_type,number}', 'business_id', '{}');
SELECT chain_rows('acquirer_rate', '{id}', NULL, '{}');
SELECT chain_rows('terminal', '{id}', 'business_id', '{version}');
SELECT chain_rows('terminal_owner', '{terminal_id,valid_from}', 'business_id', '{}');
SELECT chain_rows('terminal_billing', '{terminal_id,valid_from}', NULL, '{}');
SELECT chain_rows('rental_month', '{due_date}', NULL, '{}');
SELECT chain_rows('holiday', '{date}', NULL, '{}');
SELECT chain_rows('platform_setting', '{key,number}', NULL, '{}');
SELECT chain_rows('adjustment_alone', '{id}', 'business_id', '{}');
SELECT chain_rows('adjustment_request', '{id}', 'business_id', '{}');
SELECT chain_rows('tenant', '{label}', NULL, '{}');
SELECT chain_rows('tenant_logo', '{label}', NULL, '{}');

-- ---------------------------------------------------------------- addresses of users

SELECT chain_rows('email_change', '{id}', NULL, '{}');

-- ---------------------------------------------------------------- links and orders

-- `uses` follows from the link's orders, and the audit counts them.
SELECT chain_rows('payment_link', '{id}', 'business_id', '{uses,exhausted,version,updated_at}');
SELECT chain_rows('link_order', '{id}', 'business_id', '{idle_since}');
-- The audit compares `status` with the log, which also has the time of the end.
SELECT chain_rows('order_attempt', '{sale_id}', 'business_id',
    '{card_token,challenge_url,decline,unpaid_at,cancel_asked_at,ends_as,status,tries,next_try_at,last_error,ended_at,
      handled_to}');
-- A digest of personal data would outlive their erasure.
SELECT chain_rows('order_buyer', '{order_id}', NULL,
    '{name,document,email,phone,postal_code,street,number,complement,district,city,state,request_hash}');
SELECT chain_rows('card_closure', '{id}', NULL, '{}');

-- ---------------------------------------------------------------- effects, exceptions

SELECT chain_rows('exception', '{id}', 'business_id', '{tries,last_tried_at,next_try_at}');
SELECT chain_rows('payout', '{payout_id}', 'business_id', '{tries,next_try_at,last_error,handled_to}');
SELECT chain_rows('refund', '{refund_id}', 'business_id', '{tries,next_try_at,last_error,updated_at,handled_to}');

-- ---------------------------------------------------------------- reconciliation

SELECT chain_rows('settlement_import', '{id}', NULL,
    '{bytes_read,lines_read,records_read,records_changed,bad_lines,tries,leased_until,worked_at}');
SELECT chain_rows('settlement_bad_line', '{import_id,line}', NULL, '{}');
SELECT chain_rows('acquirer_receivable', '{id}', NULL, '{repeated_lines,compared,reported_at}');
SELECT chain_rows('settlement_difference', '{id}', 'business_id', '{}');
SELECT chain_rows('settlement_coverage', '{provider}', NULL, '{}');
SELECT chain_rows('settlement_day', '{provider,day}', NULL, '{changes,summed}');
