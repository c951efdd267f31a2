-- The first event of a sale claims it. A sale with only one event has no row in `sale_state`.
--
-- Why: until now, each sale's first event also wrote the sale's state as JSON, which repeats the event. The state is
-- needed only from the second event on. Until then, two things are needed. No other event, in any business, may claim
-- the sale. And the sale's event must be found by the sale's id. A unique index on `event` provides both.
-- Why not a table of claims: each claim would cost a table row and an index entry. Here it costs an index entry and 16
-- bytes in the event's row. For the same reason, idempotency keys stay in their own index on `event`. Transfers always
-- have a row in `transfer_state`. Sales, idempotency keys and transfers are each unique in an index of their own, so an
-- id of one kind cannot conflict with an equal id of another.
-- Why no backfill: a sale that was recorded before this migration keeps its row in `sale_state` forever. append_events
-- rejects a claim of a sale that has a row. Marking the old events would mean rewriting the log.

-- Locks the tables in the same order as append_events, so that the two cannot deadlock.
LOCK TABLE log_shard, event IN ACCESS EXCLUSIVE MODE;

ALTER TABLE event ADD COLUMN claimed_sale uuid;
CREATE UNIQUE INDEX event_claim ON event (claimed_sale) WHERE claimed_sale IS NOT NULL;

-- Events up to this position claim no sale. After it, only the first event of each new sale claims the sale. The raised
-- epoch rejects a batch of the old append_events that waits for this migration's locks.
ALTER TABLE log_shard ADD COLUMN claims_after bigint NOT NULL DEFAULT 0;
UPDATE log_shard SET claims_after = position, epoch = epoch + 1;

DROP FUNCTION append_events;

CREATE FUNCTION append_events(
    shards smallint[], epochs bigint[], expected bigint[], counts bigint[], recorded timestamptz[],
    head_at int[], head_business uuid[], head_expected bigint[], head_version bigint[], head_receivable bigint[],
    head_available bigint[], head_in_transfer bigint[], head_held_by_staff bigint[], head_in_dispute bigint[],
    head_platform_fees bigint[], head_clearing bigint[], head_chain bytea[], head_recent json[],
    head_held_for_sales bigint[],
    sale_at int[], sale_id uuid[], sale_known boolean[], sale_business uuid[], sale_status text[],
    sale_created timestamptz[], sale_sequence bigint[], sale_state json[],
    transfer_at int[], transfer_id uuid[], transfer_known boolean[], transfer_business uuid[], transfer_status text[],
    transfer_created timestamptz[], transfer_sequence bigint[], transfer_state json[],
    event_at int[], event_ordinal bigint[], event_business uuid[], event_sequence bigint[], event_id uuid[],
    event_type text[], event_version text[], event_payload json[], event_metadata json[],
    event_recorded timestamptz[], event_occurred timestamptz[], event_digest bytea[], event_chain bytea[],
    event_key uuid[], event_fingerprint uuid[], event_span smallint[], event_claimed_sale uuid[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    -- The position of each shard before the batch. Null if its epoch is older: then nothing is recorded in the shard.
    bases     bigint[];
    differs   boolean;
    wanted    bigint;
    touched   bigint;
    added     bigint;
BEGIN
    PERFORM FROM log_shard WHERE shard = ANY (shards) ORDER BY shard FOR UPDATE;
    WITH before AS (
        SELECT place, log.position,
               log.recorded_at > mine.recorded_at OR log.position <> mine.expected AS differs
          FROM unnest(shards, epochs, expected, recorded) WITH ORDINALITY
               AS mine (shard, epoch, expected, recorded_at, place)
          LEFT JOIN log_shard log ON log.shard = mine.shard AND log.epoch = mine.epoch
    ), advanced AS (
        UPDATE log_shard log SET position = log.position + mine.events, recorded_at = mine.recorded_at
          FROM unnest(shards, epochs, expected, counts, recorded) AS mine (shard, epoch, expected, events, recorded_at)
         WHERE log.shard = mine.shard AND log.epoch = mine.epoch AND log.position = mine.expected
    )
    SELECT array_agg(before.position ORDER BY before.place), bool_or(before.differs)
      INTO bases, differs FROM before;
    IF differs THEN
        RAISE EXCEPTION 'a shard is not at the position that was decided on' USING ERRCODE = 'RZ003';
    END IF;

    -- A sale that was recorded before claims existed is claimed by its row in `sale_state`. Every such row was there
    -- before this migration, so no concurrent transaction can add one after this check. All other sales are claimed by
    -- the unique index on `event`.
    IF EXISTS (SELECT FROM unnest(event_at, event_claimed_sale) AS next (place, sale_id)
                 JOIN sale_state stored USING (sale_id) WHERE bases[next.place] IS NOT NULL) THEN
        RAISE EXCEPTION 'a sale that should be new is recorded' USING ERRCODE = 'RZ004';
    END IF;

    -- New rows are inserted before others are updated. The caller passes them in ascending order, and the events in
    -- the order of the sales that they claim, so that two writers cannot deadlock.
    IF false = ANY (sale_known) THEN
        INSERT INTO sale_state (sale_id, business_id, status, created_at, sequence, state)
        SELECT next.sale_id, next.business_id, next.status, next.created_at, next.sequence, next.state
          FROM unnest(sale_at, sale_id, sale_known, sale_business, sale_status, sale_created, sale_sequence, sale_state)
               AS next (place, sale_id, known, business_id, status, created_at, sequence, state)
         WHERE bases[next.place] IS NOT NULL AND NOT next.known;
    END IF;
    IF false = ANY (transfer_known) THEN
        INSERT INTO transfer_state (transfer_id, business_id, status, created_at, sequence, state)
        SELECT next.transfer_id, next.business_id, next.status, next.created_at, next.sequence, next.state
          FROM unnest(transfer_at, transfer_id, transfer_known, transfer_business, transfer_status, transfer_created,
                      transfer_sequence, transfer_state)
               AS next (place, transfer_id, known, business_id, status, created_at, sequence, state)
         WHERE bases[next.place] IS NOT NULL AND NOT next.known;
    END IF;

    IF array_position(bases, NULL) IS NULL THEN
        wanted := cardinality(head_at);
    ELSE
        SELECT count(*) INTO wanted FROM unnest(head_at) AS place WHERE bases[place] IS NOT NULL;
    END IF;
    UPDATE business_head head
       SET version = next.version, receivable = next.receivable, available = next.available,
           in_transfer = next.in_transfer, held_by_staff = next.held_by_staff, in_dispute = next.in_dispute,
           platform_fees = next.platform_fees, clearing = next.clearing, chain = next.chain,
           recent_withdrawals = next.recent_withdrawals, held_for_sales = next.held_for_sales
      FROM unnest(head_at, head_business, head_expected, head_version, head_receivable, head_available,
                  head_in_transfer, head_held_by_staff, head_in_dispute, head_platform_fees, head_clearing, head_chain,
                  head_recent, head_held_for_sales)
           AS next (place, business_id, expected, version, receivable, available, in_transfer, held_by_staff,
                    in_dispute, platform_fees, clearing, chain, recent_withdrawals, held_for_sales)
     WHERE bases[next.place] IS NOT NULL AND next.expected > 0
       AND head.shard = shards[next.place] AND head.business_id = next.business_id AND head.version = next.expected;
    GET DIAGNOSTICS touched = ROW_COUNT;
    IF touched < wanted THEN
        INSERT INTO business_head (shard, business_id, version, receivable, available, in_transfer, held_by_staff,
                                   in_dispute, platform_fees, clearing, chain, recent_withdrawals, held_for_sales)
        SELECT shards[next.place], next.business_id, next.version, next.receivable, next.available, next.in_transfer,
               next.held_by_staff, next.in_dispute, next.platform_fees, next.clearing, next.chain,
               next.recent_withdrawals, next.held_for_sales
          FROM unnest(head_at, head_business, head_expected, head_version, head_receivable, head_available,
                      head_in_transfer, head_held_by_staff, head_in_dispute, head_platform_fees, head_clearing,
                      head_chain, head_recent, head_held_for_sales)
               AS next (place, business_id, expected, version, receivable, available, in_transfer, held_by_staff,
                        in_dispute, platform_fees, clearing, chain, recent_withdrawals, held_for_sales)
         WHERE bases[next.place] IS NOT NULL AND next.expected = 0
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS added = ROW_COUNT;
        IF touched + added <> wanted THEN
            RAISE EXCEPTION 'a business is not at the version that was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;

    -- Updates the sales and transfers that have a row. An upsert would look up each row twice.
    IF true = ANY (sale_known) THEN
        UPDATE sale_state sale SET status = next.status, sequence = next.sequence, state = next.state
          FROM unnest(sale_at, append_events.sale_id, sale_known, sale_business, sale_status, sale_sequence,
                      append_events.sale_state)
               AS next (place, sale_id, known, business_id, status, sequence, state)
         WHERE bases[next.place] IS NOT NULL AND next.known
           AND sale.sale_id = next.sale_id AND sale.business_id = next.business_id;
        GET DIAGNOSTICS touched = ROW_COUNT;
        SELECT count(*) INTO wanted FROM unnest(sale_at, sale_known) AS next (place, known)
         WHERE next.known AND bases[next.place] IS NOT NULL;
        IF touched <> wanted THEN
            RAISE EXCEPTION 'a sale is not as it was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;

    IF true = ANY (transfer_known) THEN
        UPDATE transfer_state transfer SET status = next.status, sequence = next.sequence, state = next.state
          FROM unnest(transfer_at, append_events.transfer_id, transfer_known, transfer_business, transfer_status,
                      transfer_sequence, append_events.transfer_state)
               AS next (place, transfer_id, known, business_id, status, sequence, state)
         WHERE bases[next.place] IS NOT NULL AND next.known
           AND transfer.transfer_id = next.transfer_id AND transfer.business_id = next.business_id;
        GET DIAGNOSTICS touched = ROW_COUNT;
        SELECT count(*) INTO wanted FROM unnest(transfer_at, transfer_known) AS next (place, known)
         WHERE next.known AND bases[next.place] IS NOT NULL;
        IF touched <> wanted THEN
            RAISE EXCEPTION 'a transfer is not as it was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;

    INSERT INTO event (shard, position, business_id, sequence, event_id, event_type, event_version, payload, metadata,
                       recorded_at, occurred_at, digest, chain, idempotency_key, fingerprint, span, claimed_sale)
    SELECT shards[next.place], bases[next.place] + next.ordinal, next.business_id, next.sequence, next.event_id,
           next.event_type, next.event_version, next.payload, next.metadata, next.recorded_at, next.occurred_at,
           next.digest, next.chain, next.key, next.fingerprint, next.span, next.claimed_sale
      FROM unnest(event_at, event_ordinal, event_business, event_sequence, event_id, event_type, event_version,
                  event_payload, event_metadata, event_recorded, event_occurred, event_digest, event_chain, event_key,
                  event_fingerprint, event_span, event_claimed_sale)
           AS next (place, ordinal, business_id, sequence, event_id, event_type, event_version, payload, metadata,
                    recorded_at, occurred_at, digest, chain, key, fingerprint, span, claimed_sale)
     WHERE bases[next.place] IS NOT NULL;
    RETURN bases;
END $$;
