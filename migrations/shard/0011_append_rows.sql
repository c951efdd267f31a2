-- The append takes rows instead of columns: an array of a composite type for each kind of row, in place of 53 arrays
-- whose order both sides had to know.
--
-- Why one call for all shards of a batch, and not one call a shard: a batch of 64 captures writes to nearly all of the
-- 16 shards, and each call runs its own statements. It took twice the processor time.
-- Why `json` and not `jsonb` in these types: the audit hashes the bytes of payload and metadata.
--
-- Locks the tables of the log exclusively, as each migration that replaces the append; for milliseconds, because it
-- reads no row.

DROP FUNCTION append_events;

CREATE TYPE append_shard AS (
    shard        smallint,
    epoch        bigint,
    -- The last position before the batch.
    expected     bigint,
    events       bigint,
    recorded_at  timestamptz
);

CREATE TYPE append_head AS (
    shard        smallint,
    business_id  uuid,
    -- The version before the batch. 0 if the business has no head.
    expected     bigint,
    version      bigint,
    receivable   bigint,
    available    bigint,
    in_transfer  bigint,
    held_by_staff bigint,
    in_dispute   bigint,
    platform_fees bigint,
    clearing     bigint,
    chain        bytea,
    recent_withdrawals json,
    held_for_sales bigint
);

-- The state of a sale or a transfer.
CREATE TYPE append_state AS (
    shard        smallint,
    id           uuid,
    -- Whether it has a row, which is updated. Else one is inserted.
    existed      boolean,
    business_id  uuid,
    status       text,
    created_at   timestamptz,
    sequence     bigint,
    state        json
);

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
    span         smallint,
    claimed_sale uuid
);

-- Records one batch. The shards are ascending.
-- Returns the shards whose rows it recorded. Rows of a shard that the caller no longer owns are left out.
--
-- The whole batch fails in these cases:
-- RZ001: a head, a known sale or a known transfer is not in the state that the batch was decided on.
-- RZ003: a shard has another position, or an event with a later recording time.
-- RZ005: the reference data changed.
-- Unique violation: a sale or transfer that was new belongs to another business now.
--
-- Why it checks the version of the reference data: the writer decides on reference data in memory (company, plan,
-- terminal). Reading its version before each batch was one more round trip: half of the time that a single notice waits
-- for the database. The append reads the version in the transaction that records the batch, so it sees every change
-- that was committed before.
CREATE FUNCTION append_events(
    shards append_shard[], heads append_head[], sales append_state[], transfers append_state[], events append_event[],
    decided_version bigint
) RETURNS smallint[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    one       append_shard;
    owned     smallint[];
    differs   boolean;
    wanted    bigint;
    touched   bigint;
    added     bigint;
BEGIN
    IF cardinality(shards) = 1 THEN
        -- A batch of one shard locks one row only and cannot deadlock, so the update takes the lock itself.
        one := shards[1];
        UPDATE log_shard SET position = position + one.events, recorded_at = one.recorded_at
         WHERE shard = one.shard AND epoch = one.epoch AND position = one.expected AND recorded_at <= one.recorded_at;
        IF FOUND THEN
            owned := ARRAY[one.shard];
        ELSE
            owned := '{}';
            differs := EXISTS (SELECT FROM log_shard WHERE shard = one.shard AND epoch = one.epoch);
        END IF;
    ELSE
        PERFORM FROM log_shard
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
    END IF;
    IF differs THEN
        RAISE EXCEPTION 'a shard is not at the position that was decided on' USING ERRCODE = 'RZ003';
    END IF;

    IF (SELECT version <> decided_version FROM reference_version) THEN
        RAISE EXCEPTION 'the reference data is not as it was decided on' USING ERRCODE = 'RZ005';
    END IF;

    -- New rows are inserted first and in ascending order, so that two writers cannot deadlock.
    IF EXISTS (SELECT FROM unnest(sales) AS next WHERE NOT next.existed) THEN
        INSERT INTO sale_state (sale_id, business_id, status, created_at, sequence, state)
        SELECT next.id, next.business_id, next.status, next.created_at, next.sequence, next.state
          FROM unnest(sales) AS next
         WHERE next.shard = ANY (owned) AND NOT next.existed;
    END IF;
    IF EXISTS (SELECT FROM unnest(transfers) AS next WHERE NOT next.existed) THEN
        INSERT INTO transfer_state (transfer_id, business_id, status, created_at, sequence, state)
        SELECT next.id, next.business_id, next.status, next.created_at, next.sequence, next.state
          FROM unnest(transfers) AS next
         WHERE next.shard = ANY (owned) AND NOT next.existed;
    END IF;

    IF cardinality(owned) = cardinality(shards) THEN
        wanted := cardinality(heads);
    ELSE
        SELECT count(*) INTO wanted FROM unnest(heads) AS next WHERE next.shard = ANY (owned);
    END IF;
    UPDATE business_head head
       SET version = next.version, receivable = next.receivable, available = next.available,
           in_transfer = next.in_transfer, held_by_staff = next.held_by_staff, in_dispute = next.in_dispute,
           platform_fees = next.platform_fees, clearing = next.clearing, chain = next.chain,
           recent_withdrawals = next.recent_withdrawals, held_for_sales = next.held_for_sales
      FROM unnest(heads) AS next
     WHERE next.shard = ANY (owned) AND next.expected > 0
       AND head.shard = next.shard AND head.business_id = next.business_id AND head.version = next.expected;
    GET DIAGNOSTICS touched = ROW_COUNT;
    IF touched < wanted THEN
        INSERT INTO business_head (shard, business_id, version, receivable, available, in_transfer, held_by_staff,
                                   in_dispute, platform_fees, clearing, chain, recent_withdrawals, held_for_sales)
        SELECT next.shard, next.business_id, next.version, next.receivable, next.available, next.in_transfer,
               next.held_by_staff, next.in_dispute, next.platform_fees, next.clearing, next.chain,
               next.recent_withdrawals, next.held_for_sales
          FROM unnest(heads) AS next
         WHERE next.shard = ANY (owned) AND next.expected = 0
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS added = ROW_COUNT;
        IF touched + added <> wanted THEN
            RAISE EXCEPTION 'a business is not at the version that was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;

    -- Sales and transfers that have a row are updated: an upsert would look up each one twice.
    SELECT count(*) INTO wanted FROM unnest(sales) AS next WHERE next.existed AND next.shard = ANY (owned);
    IF wanted > 0 THEN
        UPDATE sale_state sale SET status = next.status, sequence = next.sequence, state = next.state
          FROM unnest(sales) AS next
         WHERE next.shard = ANY (owned) AND next.existed
           AND sale.sale_id = next.id AND sale.business_id = next.business_id;
        GET DIAGNOSTICS touched = ROW_COUNT;
        IF touched <> wanted THEN
            RAISE EXCEPTION 'a sale is not as it was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;
    SELECT count(*) INTO wanted FROM unnest(transfers) AS next WHERE next.existed AND next.shard = ANY (owned);
    IF wanted > 0 THEN
        UPDATE transfer_state transfer SET status = next.status, sequence = next.sequence, state = next.state
          FROM unnest(transfers) AS next
         WHERE next.shard = ANY (owned) AND next.existed
           AND transfer.transfer_id = next.id AND transfer.business_id = next.business_id;
        GET DIAGNOSTICS touched = ROW_COUNT;
        IF touched <> wanted THEN
            RAISE EXCEPTION 'a transfer is not as it was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;

    INSERT INTO event (shard, position, business_id, sequence, event_id, event_type, event_version, payload, metadata,
                       recorded_at, occurred_at, digest, chain, idempotency_key, fingerprint, span, claimed_sale)
    SELECT next.* FROM unnest(events) AS next WHERE next.shard = ANY (owned);
    RETURN owned;
END $$;
