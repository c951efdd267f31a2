-- The part of a business's `held_by_staff` balance that comes from holds on its sales.
--
-- Why: the approval of a new company releases the holds on its sales. Staff also hold amounts for other reasons, and a
-- release states an amount, not a hold. Without this sum, the approval could release an amount held for another reason.
-- Why holds on sales are found by their reason: the event of a hold has no sale, and these holds always had the same
-- reason.

ALTER TABLE business_head ADD COLUMN held_for_sales bigint NOT NULL DEFAULT 0;

-- A release reduces the holds on sales first, as in the domain's rules.
DO $$
DECLARE
    held   record;
    total  bigint;
    whose  uuid;
BEGIN
    FOR held IN
        SELECT shard, business_id, event_type, (payload -> event_type ->> 'amount')::bigint AS amount,
               payload -> event_type ->> 'reason' AS reason
          FROM event WHERE event_type IN ('AmountHeld', 'AmountReleased') ORDER BY business_id, sequence
    LOOP
        IF whose IS DISTINCT FROM held.business_id THEN
            whose := held.business_id;
            total := 0;
        END IF;
        IF held.event_type = 'AmountReleased' THEN
            total := greatest(total - held.amount, 0);
        ELSIF held.reason = 'Venda capturada sem o cadastro da empresa aprovado.' THEN
            total := total + held.amount;
        END IF;
        UPDATE business_head SET held_for_sales = total WHERE shard = held.shard AND business_id = whose;
    END LOOP;
END $$;

ALTER TABLE business_head
    ADD CONSTRAINT business_head_held_for_sales CHECK (held_for_sales BETWEEN 0 AND held_by_staff);

-- The append with the new column. The rest is as in migration 0001.
DROP FUNCTION append_events(
    smallint[], bigint[], bigint[], timestamptz[], int[], uuid[], bigint[], bigint[], bigint[], bigint[],
    bigint[], bigint[], bigint[], bigint[], bigint[], bytea[], json[], int[], uuid[], boolean[], uuid[], text[],
    timestamptz[], bigint[], json[], int[], uuid[], boolean[], uuid[], text[], timestamptz[], bigint[], json[],
    int[], bigint[], uuid[], bigint[], uuid[], text[], text[], json[], json[], timestamptz[], timestamptz[],
    bytea[], bytea[], uuid[], uuid[], smallint[]);

CREATE FUNCTION append_events(
    shards smallint[], epochs bigint[], counts bigint[], recorded timestamptz[],
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
    event_key uuid[], event_fingerprint uuid[], event_span smallint[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    bases     bigint[];
    backwards boolean;
    wanted    bigint;
    touched   bigint;
    added     bigint;
BEGIN
    PERFORM FROM log_shard WHERE shard = ANY (shards) ORDER BY shard FOR UPDATE;
    WITH before AS (
        SELECT place, mine.shard, log.position, log.recorded_at > mine.recorded_at AS backwards
          FROM unnest(shards, epochs, recorded) WITH ORDINALITY AS mine (shard, epoch, recorded_at, place)
          LEFT JOIN log_shard log ON log.shard = mine.shard AND log.epoch = mine.epoch
    ), advanced AS (
        UPDATE log_shard log SET position = log.position + mine.events, recorded_at = mine.recorded_at
          FROM unnest(shards, epochs, counts, recorded) AS mine (shard, epoch, events, recorded_at)
         WHERE log.shard = mine.shard AND log.epoch = mine.epoch
    )
    SELECT array_agg(before.position ORDER BY before.place), bool_or(before.backwards)
      INTO bases, backwards FROM before;
    IF backwards THEN
        RAISE EXCEPTION 'recorded before the shard''s latest event' USING ERRCODE = 'RZ003';
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

    -- New sales are inserted, and existing ones updated. An upsert would look up each sale twice.
    IF false = ANY (sale_known) THEN
        INSERT INTO sale_state (sale_id, business_id, status, created_at, sequence, state)
        SELECT next.sale_id, next.business_id, next.status, next.created_at, next.sequence, next.state
          FROM unnest(sale_at, sale_id, sale_known, sale_business, sale_status, sale_created, sale_sequence, sale_state)
               AS next (place, sale_id, known, business_id, status, created_at, sequence, state)
         WHERE bases[next.place] IS NOT NULL AND NOT next.known;
    END IF;
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

    -- The same for transfers. Most batches have none and skip these statements.
    IF false = ANY (transfer_known) THEN
        INSERT INTO transfer_state (transfer_id, business_id, status, created_at, sequence, state)
        SELECT next.transfer_id, next.business_id, next.status, next.created_at, next.sequence, next.state
          FROM unnest(transfer_at, transfer_id, transfer_known, transfer_business, transfer_status, transfer_created,
                      transfer_sequence, transfer_state)
               AS next (place, transfer_id, known, business_id, status, created_at, sequence, state)
         WHERE bases[next.place] IS NOT NULL AND NOT next.known;
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
                       recorded_at, occurred_at, digest, chain, idempotency_key, fingerprint, span)
    SELECT shards[next.place], bases[next.place] + next.ordinal, next.business_id, next.sequence, next.event_id,
           next.event_type, next.event_version, next.payload, next.metadata, next.recorded_at, next.occurred_at,
           next.digest, next.chain, next.key, next.fingerprint, next.span
      FROM unnest(event_at, event_ordinal, event_business, event_sequence, event_id, event_type, event_version,
                  event_payload, event_metadata, event_recorded, event_occurred, event_digest, event_chain, event_key,
                  event_fingerprint, event_span)
           AS next (place, ordinal, business_id, sequence, event_id, event_type, event_version, payload, metadata,
                    recorded_at, occurred_at, digest, chain, key, fingerprint, span)
     WHERE bases[next.place] IS NOT NULL;
    RETURN bases;
END $$;
