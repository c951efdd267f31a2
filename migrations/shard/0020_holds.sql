-- A hold is an object: part of the held amount, with its own reason. The head has the open ones, because every decision
-- reads them: a judicial hold takes each later credit.
--
-- Takes an exclusive lock on `business_head`, of which each company has one row, and rewrites the rows of the companies
-- with a held amount.

SET LOCAL lock_timeout = '30s';

ALTER TABLE business_head
    -- The open holds except those on sales, which are `held_for_sales`. Their amounts sum to the rest of
    -- `held_by_staff`. NULL if there are none, which is true for nearly every business.
    ADD COLUMN holds json;

-- What staff held before holds had ids is one hold.
UPDATE business_head
   SET holds = json_build_array(json_build_object(
           'hold_id', 'hld_00000000-0000-0000-0000-000000000002', 'kind', 'analysis',
           'amount', held_by_staff - held_for_sales))
 WHERE held_by_staff > held_for_sales;

ALTER TYPE append_head ADD ATTRIBUTE holds json;

-- A hold, from its first event on. The hold on sales of a company that was not active, and what was held before holds had
-- ids, have the same id in every business.
CREATE TABLE hold (
    business_id uuid        NOT NULL,
    hold_id     uuid        NOT NULL,
    kind        text        NOT NULL,
    -- What is held now.
    amount      bigint      NOT NULL CHECK (amount >= 0),
    placed      bigint      NOT NULL,
    released    bigint      NOT NULL CHECK (released >= 0),
    -- To a court.
    paid        bigint      NOT NULL CHECK (paid >= 0),
    -- What a court orders in all, with what it got.
    ordered     bigint,
    reason      text        NOT NULL,
    review_on   date,
    documents   text[]      NOT NULL,
    sale_id     uuid,
    case_number text,
    court       text,
    placed_at   timestamptz NOT NULL,
    placed_by   text,
    updated_at  timestamptz NOT NULL,
    updated_by  text,
    ended_at    timestamptz,
    PRIMARY KEY (business_id, hold_id),
    CONSTRAINT hold_adds_up CHECK (amount = placed - released - paid)
);

-- All holds of a company, of all companies, and of a kind, by age.
CREATE INDEX hold_by_business ON hold (business_id, placed_at, hold_id);
CREATE INDEX hold_by_instant ON hold (placed_at, business_id, hold_id);
CREATE INDEX hold_by_kind ON hold (kind, placed_at, business_id, hold_id);
-- The open ones: few of all holds.
CREATE INDEX hold_open ON hold (placed_at, business_id, hold_id) WHERE ended_at IS NULL;
CREATE INDEX hold_open_by_kind ON hold (kind, placed_at, business_id, hold_id) WHERE ended_at IS NULL;
-- Those that staff want to look at again.
CREATE INDEX hold_due ON hold (review_on) WHERE ended_at IS NULL;

-- What happened to a hold, in the order of recording.
CREATE TABLE hold_step (
    business_id uuid        NOT NULL,
    hold_id     uuid        NOT NULL,
    sequence    bigint      NOT NULL,
    kind        text        NOT NULL,
    occurred_at timestamptz NOT NULL,
    amount      bigint      NOT NULL CHECK (amount >= 0),
    -- The reason, or the number of a judicial deposit.
    text        text,
    actor       text,
    PRIMARY KEY (business_id, hold_id, sequence)
);

-- The new read models start at the log's beginning, so that they have the holds of the past too.
INSERT INTO projection_checkpoint (model, shard) SELECT 'holds', generate_series(0, 15);

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
DROP FUNCTION append_events;

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
           recent_withdrawals = next.recent_withdrawals, held_for_sales = next.held_for_sales,
           holds = next.holds
      FROM unnest(heads) AS next
     WHERE next.shard = ANY (owned) AND next.expected > 0
       AND head.shard = next.shard AND head.business_id = next.business_id AND head.version = next.expected;
    GET DIAGNOSTICS touched = ROW_COUNT;
    IF touched < wanted THEN
        INSERT INTO business_head (shard, business_id, version, receivable, available, in_transfer, held_by_staff,
                                   in_dispute, platform_fees, clearing, chain, recent_withdrawals, held_for_sales, holds)
        SELECT next.shard, next.business_id, next.version, next.receivable, next.available, next.in_transfer,
               next.held_by_staff, next.in_dispute, next.platform_fees, next.clearing, next.chain,
               next.recent_withdrawals, next.held_for_sales, next.holds
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
