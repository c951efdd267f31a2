-- The ownership of shards, and the function that records a batch of events.
--
-- Why one function appends: the check of the epoch, positions without gaps, balances, states and events must be
-- committed together, in one round trip. Nothing else changes the rows of events, heads, sales and transfers.
--
-- Locks nothing: it makes the tables of a new database.

-- ---------------------------------------------------------------- ownership

-- Each process has a random name. Its connections hold an advisory lock while they are open, and a shard whose owner
-- holds no lock is free. The lease counts for a process that hangs, and for a machine that disappears without closing
-- its connections.

-- The first key of these locks. The second is the hash of the owner's name: if two names have one hash, the one that
-- ended counts as living until its lease ends.
CREATE FUNCTION owner_lock() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1380013906';

-- The living owners are those with a connection to this database that has taken shards.
CREATE FUNCTION is_owner_gone(owner text) RETURNS boolean LANGUAGE sql STABLE AS $$
    -- Owners with other names are those of tests. They hold no lock: only their lease counts.
    SELECT owner LIKE 'process-%' AND NOT EXISTS (
        SELECT FROM pg_locks held
         WHERE held.locktype = 'advisory' AND held.objsubid = 2 AND held.granted
           AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND held.classid = owner_lock()::oid AND held.objid = hashtext(owner)::oid)
$$;

-- Takes the wanted shards whose lease has expired, whose owner is gone, or that this owner has already, and raises
-- their epochs. Only these rows are locked, so that asking for shards never waits for a living owner's batch.
CREATE FUNCTION take_shards(by_owner text, wanted smallint[], lease interval)
RETURNS SETOF log_shard LANGUAGE plpgsql AS $$
DECLARE
    gone text[];
BEGIN
    -- Held until the connection ends. A repetition counts in the same lock.
    PERFORM pg_advisory_lock_shared(owner_lock(), hashtext(by_owner));
    SELECT array_agg(known.owner) INTO gone
      FROM (SELECT DISTINCT log.owner FROM log_shard log
             WHERE log.shard = ANY (wanted) AND log.owner <> by_owner AND log.lease_until >= clock_timestamp()) known
     WHERE is_owner_gone(known.owner);
    PERFORM FROM log_shard
      WHERE shard = ANY (wanted)
        AND (owner = by_owner OR lease_until < clock_timestamp() OR owner = ANY (gone))
      ORDER BY shard FOR UPDATE;
    RETURN QUERY
        UPDATE log_shard SET epoch = epoch + 1, owner = by_owner, lease_until = clock_timestamp() + lease
         WHERE shard = ANY (wanted)
           AND (owner = by_owner OR lease_until < clock_timestamp() OR owner = ANY (gone))
        RETURNING log_shard.*;
END $$;

-- Renews the leases of the shards that still have the given epochs, and returns these shards. A lease of zero frees
-- them.
CREATE FUNCTION renew_shards(held smallint[], epochs bigint[], lease interval)
RETURNS SETOF smallint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM log_shard WHERE shard = ANY (held) ORDER BY shard FOR UPDATE;
    RETURN QUERY
        UPDATE log_shard SET lease_until = clock_timestamp() + lease
          FROM unnest(held, epochs) AS mine (shard, epoch)
         WHERE log_shard.shard = mine.shard AND log_shard.epoch = mine.epoch
        RETURNING log_shard.shard;
END $$;

-- ---------------------------------------------------------------- append

-- Records one batch. The first five arrays have one element for each shard, ascending. In the other groups of arrays,
-- `…_at` is the index of the element's shard in the first arrays.
-- Returns the last position of each shard before the batch, or NULL if the caller no longer owns the shard. Rows of
-- such a shard are left out, and the others are recorded.
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
    event_key uuid[], event_fingerprint uuid[], event_span smallint[], event_claimed_sale uuid[],
    decided_version bigint
) RETURNS bigint[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    bases     bigint[];
    differs   boolean;
    wanted    bigint;
    touched   bigint;
    added     bigint;
BEGIN
    IF cardinality(shards) = 1 THEN
        -- A batch of one shard locks one row only and cannot deadlock, so the update takes the lock itself.
        UPDATE log_shard SET position = position + counts[1], recorded_at = recorded[1]
         WHERE shard = shards[1] AND epoch = epochs[1] AND position = expected[1]
           AND (recorded_at IS NULL OR recorded_at <= recorded[1]);
        IF FOUND THEN
            bases := expected;
        ELSE
            bases := ARRAY[NULL::bigint];
            differs := EXISTS (SELECT FROM log_shard WHERE shard = shards[1] AND epoch = epochs[1]);
        END IF;
    ELSE
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
    END IF;
    IF differs THEN
        RAISE EXCEPTION 'a shard is not at the position that was decided on' USING ERRCODE = 'RZ003';
    END IF;

    IF (SELECT version <> decided_version FROM reference_version) THEN
        RAISE EXCEPTION 'the reference data is not as it was decided on' USING ERRCODE = 'RZ005';
    END IF;

    -- New rows are inserted first and in ascending order, so that two writers cannot deadlock.
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

    -- Sales and transfers that have a row are updated: an upsert would look up each one twice.
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
