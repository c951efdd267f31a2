-- The claims of sales and the idempotency keys are tables: old events can then leave the table `event`, while a sale
-- stays claimed and a key stays used for ever. And an index on the events of a shard in a schema of its own would be
-- unique in that shard only, but a sale is claimed over all of them.
--
-- Locks the log exclusively while it copies its claims and keys. At a million events, each with a sale and a key, that
-- took 12 seconds on two busy processors; nothing is recorded meanwhile.

SET LOCAL lock_timeout = '30s';

-- ---------------------------------------------------------------- claims

-- The first event of a sale claims it: no other event, in any business, may claim the sale, and the sale's event is
-- found by the sale's id. One table for all shards, also where each shard has a schema of its own. So nothing joins it
-- with a shard's tables but by (shard, business_id, sequence), and a reader of two nodes can see a claim before its
-- event.
--
-- Sales, keys and transfers are each unique in a table of their own, so an id of one kind cannot conflict with an equal
-- id of another. The columns are in the order that needs no padding.
CREATE TABLE sale_claim (
    sale_id      uuid NOT NULL,
    business_id  uuid NOT NULL,
    -- The event that claims the sale.
    sequence     bigint NOT NULL,
    shard        smallint NOT NULL
);
INSERT INTO sale_claim (sale_id, business_id, sequence, shard)
SELECT claimed_sale, business_id, sequence, shard FROM event WHERE claimed_sale IS NOT NULL;
-- After the rows, because a sorted index is made faster than it grows.
ALTER TABLE sale_claim ADD PRIMARY KEY (sale_id);

-- ---------------------------------------------------------------- keys

-- The idempotency keys of commands. The first event of a command has the same key, fingerprint and span, because its
-- digest covers them.
CREATE TABLE command_key (
    -- The first event of the command.
    sequence         bigint NOT NULL,
    business_id      uuid NOT NULL,
    idempotency_key  uuid NOT NULL,
    -- A hash of the request that first used the key.
    fingerprint      uuid NOT NULL,
    shard            smallint NOT NULL,
    -- The number of events that the command recorded.
    span             smallint NOT NULL
);
INSERT INTO command_key (sequence, business_id, idempotency_key, fingerprint, shard, span)
SELECT sequence, business_id, idempotency_key, fingerprint, shard, span FROM event WHERE idempotency_key IS NOT NULL;
ALTER TABLE command_key ADD PRIMARY KEY (shard, business_id, idempotency_key);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON sale_claim
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON command_key
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();

-- ---------------------------------------------------------------- the append

DROP FUNCTION append_events;
DROP INDEX event_claim, event_idempotency;
-- The payload says of which sale the event is, and the claim says that it is the first one.
ALTER TABLE event DROP COLUMN claimed_sale;

ALTER TYPE append_shard RENAME TO append_advance;

-- Made anew, because a dropped attribute would stay in each value.
DROP TYPE append_event;
CREATE TYPE append_event AS (
    shard        smallint,
    position     bigint,
    business_id  uuid,
    sequence     bigint,
    event_id     uuid,
    event_type   text,
    event_version text,
    payload      json,
    metadata     json,
    recorded_at  timestamptz,
    occurred_at  timestamptz,
    digest       bytea,
    chain        bytea,
    idempotency_key uuid,
    fingerprint  uuid,
    span         smallint
);

CREATE TYPE append_claim AS (
    sale_id      uuid,
    business_id  uuid,
    sequence     bigint,
    shard        smallint
);

-- The rows of one batch, once its shards have advanced. Both faces of the append, below, call it: for one shard and for
-- several. `fenced` is any shard of the batch.
--
-- The statements that insert rows of a shard join the row of `log_shard` that is `fenced`. For PostgreSQL it is one row
-- by its key. An engine that places the tables of each shard on a node sends the whole statement there for it, and
-- counts the rows that were inserted; without it, it counts those that were selected.
--
-- The whole batch fails in these cases:
-- RZ001: a head, a known sale or a known transfer is not in the state that the batch was decided on.
-- RZ004: sales that were new exist. The detail has their ids.
-- RZ005: the reference data changed.
-- RZ006: an idempotency key was used before.
-- RZ007: transfers that were new exist. The detail has their ids.
--
-- Why it checks the version of the reference data: the writer decides on reference data in memory (company, plan,
-- terminal). Reading its version before each batch was one more round trip: half of the time that a single notice waits
-- for the database. The append reads the version in the transaction that records the batch, so it sees every change
-- that was committed before.
CREATE FUNCTION append_rows(
    fenced smallint, heads append_head[], sales append_state[], transfers append_state[], events append_event[],
    claims append_claim[], decided_version bigint
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    known   text;
    wanted  bigint;
    touched bigint;
    added   bigint;
BEGIN
    IF (SELECT version <> decided_version FROM reference_version) THEN
        RAISE EXCEPTION 'the reference data is not as it was decided on' USING ERRCODE = 'RZ005';
    END IF;

    -- What must not exist yet. Each table is filled in ascending order, so that two writers cannot deadlock.
    BEGIN
        INSERT INTO sale_claim (sale_id, business_id, sequence, shard)
        SELECT next.sale_id, next.business_id, next.sequence, next.shard
          FROM unnest(claims) AS next ORDER BY next.sale_id;
        INSERT INTO command_key (sequence, business_id, idempotency_key, fingerprint, shard, span)
        SELECT next.sequence, next.business_id, next.idempotency_key, next.fingerprint, next.shard, next.span
          FROM unnest(events) AS next JOIN log_shard fence ON fence.shard = fenced
         WHERE next.idempotency_key IS NOT NULL;
        IF EXISTS (SELECT 1 FROM unnest(sales) AS next WHERE NOT next.existed) THEN
            INSERT INTO sale_state (sale_id, business_id, status, created_at, sequence, state)
            SELECT next.id, next.business_id, next.status, next.created_at, next.sequence, next.state
              FROM unnest(sales) AS next JOIN log_shard fence ON fence.shard = fenced
             WHERE NOT next.existed;
        END IF;
        IF EXISTS (SELECT 1 FROM unnest(transfers) AS next WHERE NOT next.existed) THEN
            INSERT INTO transfer_state (transfer_id, business_id, status, created_at, sequence, state)
            SELECT next.id, next.business_id, next.status, next.created_at, next.sequence, next.state
              FROM unnest(transfers) AS next JOIN log_shard fence ON fence.shard = fenced
             WHERE NOT next.existed ORDER BY next.id;
        END IF;
    -- What exists is looked up, because an engine that distributes tables names constraints in its own way, and reports
    -- the violations of another node as internal errors.
    EXCEPTION WHEN unique_violation OR internal_error THEN
        SELECT string_agg(claim.sale_id::text, ' ') INTO known
          FROM unnest(claims) AS next JOIN sale_claim claim ON claim.sale_id = next.sale_id;
        IF known IS NULL THEN
            SELECT string_agg(sale.sale_id::text, ' ') INTO known
              FROM unnest(sales) AS next JOIN sale_state sale ON sale.sale_id = next.id WHERE NOT next.existed;
        END IF;
        IF known IS NOT NULL THEN
            RAISE EXCEPTION 'sales that were new exist' USING ERRCODE = 'RZ004', DETAIL = known;
        END IF;
        IF EXISTS (SELECT 1 FROM unnest(events) AS next
                     JOIN command_key used ON used.shard = next.shard AND used.business_id = next.business_id
                                          AND used.idempotency_key = next.idempotency_key) THEN
            RAISE EXCEPTION 'an idempotency key was used before' USING ERRCODE = 'RZ006';
        END IF;
        SELECT string_agg(transfer.transfer_id::text, ' ') INTO known
          FROM unnest(transfers) AS next JOIN transfer_state transfer ON transfer.transfer_id = next.id
         WHERE NOT next.existed;
        IF known IS NOT NULL THEN
            RAISE EXCEPTION 'transfers that were new exist' USING ERRCODE = 'RZ007', DETAIL = known;
        END IF;
        RAISE;
    END;

    wanted := cardinality(heads);
    UPDATE business_head head
       SET version = next.version, receivable = next.receivable, available = next.available,
           in_transfer = next.in_transfer, held_by_staff = next.held_by_staff, in_dispute = next.in_dispute,
           platform_fees = next.platform_fees, clearing = next.clearing, chain = next.chain,
           recent_withdrawals = next.recent_withdrawals, held_for_sales = next.held_for_sales,
           holds = next.holds
      FROM unnest(heads) AS next
     WHERE next.expected > 0
       AND head.shard = next.shard AND head.business_id = next.business_id AND head.version = next.expected;
    GET DIAGNOSTICS touched = ROW_COUNT;
    IF touched < wanted THEN
        INSERT INTO business_head (shard, business_id, version, receivable, available, in_transfer, held_by_staff,
                                   in_dispute, platform_fees, clearing, chain, recent_withdrawals, held_for_sales, holds)
        SELECT next.shard, next.business_id, next.version, next.receivable, next.available, next.in_transfer,
               next.held_by_staff, next.in_dispute, next.platform_fees, next.clearing, next.chain,
               next.recent_withdrawals, next.held_for_sales, next.holds
          FROM unnest(heads) AS next JOIN log_shard fence ON fence.shard = fenced
         WHERE next.expected = 0
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS added = ROW_COUNT;
        IF touched + added <> wanted THEN
            RAISE EXCEPTION 'a business is not at the version that was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;

    -- Sales and transfers that have a row are updated: an upsert would look up each one twice.
    SELECT count(*) INTO wanted FROM unnest(sales) AS next WHERE next.existed;
    IF wanted > 0 THEN
        UPDATE sale_state sale SET status = next.status, sequence = next.sequence, state = next.state
          FROM unnest(sales) AS next
         WHERE next.existed AND sale.sale_id = next.id AND sale.business_id = next.business_id;
        GET DIAGNOSTICS touched = ROW_COUNT;
        IF touched <> wanted THEN
            RAISE EXCEPTION 'a sale is not as it was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;
    SELECT count(*) INTO wanted FROM unnest(transfers) AS next WHERE next.existed;
    IF wanted > 0 THEN
        UPDATE transfer_state transfer SET status = next.status, sequence = next.sequence, state = next.state
          FROM unnest(transfers) AS next
         WHERE next.existed AND transfer.transfer_id = next.id AND transfer.business_id = next.business_id;
        GET DIAGNOSTICS touched = ROW_COUNT;
        IF touched <> wanted THEN
            RAISE EXCEPTION 'a transfer is not as it was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;

    INSERT INTO event (shard, position, business_id, sequence, event_id, event_type, event_version, payload, metadata,
                       recorded_at, occurred_at, digest, chain, idempotency_key, fingerprint, span)
    SELECT next.* FROM unnest(events) AS next JOIN log_shard fence ON fence.shard = fenced;
END $$;

-- Records a batch of one shard. Returns false, and records nothing, if the caller no longer owns the shard. It locks no
-- other shard and cannot deadlock, so the update takes the lock itself.
--
-- Fails as `append_rows` does, and with RZ003 if the shard has another position, or an event with a later recording
-- time.
CREATE FUNCTION append_shard(
    p_shard smallint, p_epoch bigint, p_expected bigint, p_events bigint, p_recorded_at timestamptz,
    heads append_head[], sales append_state[], transfers append_state[], events append_event[], claims append_claim[],
    decided_version bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE log_shard SET position = position + p_events, recorded_at = p_recorded_at
     WHERE shard = p_shard AND epoch = p_epoch AND position = p_expected AND recorded_at <= p_recorded_at;
    IF NOT FOUND THEN
        IF EXISTS (SELECT 1 FROM log_shard WHERE shard = p_shard AND epoch = p_epoch) THEN
            RAISE EXCEPTION 'the shard is not at the position that was decided on' USING ERRCODE = 'RZ003';
        END IF;
        RETURN false;
    END IF;
    PERFORM append_rows(p_shard, heads, sales, transfers, events, claims, decided_version);
    RETURN true;
END $$;

-- Records a batch of several shards, which are ascending. Returns the shards whose rows it recorded. Rows of a shard
-- that the caller no longer owns are left out.
--
-- Fails as `append_shard` does.
--
-- Why one call for all shards of a batch, and not one call a shard: a batch of 64 captures writes to nearly all of the
-- 16 shards, and each call runs its own statements. It took twice the processor time.
CREATE FUNCTION append_events(
    shards append_advance[], heads append_head[], sales append_state[], transfers append_state[], events append_event[],
    claims append_claim[], decided_version bigint
) RETURNS smallint[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    owned     smallint[];
    differs   boolean;
BEGIN
    PERFORM 1 FROM log_shard
      WHERE shard = ANY (ARRAY(SELECT mine.shard FROM unnest(shards) AS mine)) ORDER BY shard FOR UPDATE;
    WITH before AS (
        SELECT mine.shard, log.position,
               log.recorded_at > mine.recorded_at OR log.position <> mine.expected AS differs
          FROM unnest(shards) AS mine
          LEFT JOIN log_shard log ON log.shard = mine.shard AND log.epoch = mine.epoch
    ), advanced AS (
        UPDATE log_shard log SET position = log.position + mine.events, recorded_at = mine.recorded_at
          FROM unnest(shards) AS mine
         WHERE log.shard = mine.shard AND log.epoch = mine.epoch AND log.position = mine.expected
    )
    SELECT coalesce(array_agg(before.shard) FILTER (WHERE before.position IS NOT NULL), '{}'),
           bool_or(before.differs)
      INTO owned, differs FROM before;
    IF differs THEN
        RAISE EXCEPTION 'a shard is not at the position that was decided on' USING ERRCODE = 'RZ003';
    END IF;
    IF cardinality(owned) = 0 THEN
        RETURN owned;
    END IF;
    IF cardinality(owned) < cardinality(shards) THEN
        heads := ARRAY(SELECT next FROM unnest(heads) AS next WHERE next.shard = ANY (owned));
        sales := ARRAY(SELECT next FROM unnest(sales) AS next WHERE next.shard = ANY (owned));
        transfers := ARRAY(SELECT next FROM unnest(transfers) AS next WHERE next.shard = ANY (owned));
        events := ARRAY(SELECT next FROM unnest(events) AS next WHERE next.shard = ANY (owned));
        claims := ARRAY(SELECT next FROM unnest(claims) AS next WHERE next.shard = ANY (owned));
    END IF;
    PERFORM append_rows(owned[1], heads, sales, transfers, events, claims, decided_version);
    RETURN owned;
END $$;
