-- The event log, and the state that decisions need: the owner of each shard, the balances and the chain of each
-- business, and the state of each sale and each transfer.
--
-- Why the keys of events and heads begin with the shard: a shard has one writer at a time. Its events form one ordered
-- sequence without gaps, which readers follow by position. The tables could also be distributed by shard without a
-- change of these keys. `sale_state` and `transfer_state` are the exceptions: their keys are ids, because they say
-- which business a sale or a transfer belongs to.
-- Why the events are one table without a partition for each shard: a batch writes to most shards. Opening sixteen
-- partitions with three indexes each made the append measurably slower.
--
-- Why one function appends: the check of the epoch, positions without gaps, balances, states and events must be
-- committed together, in one round trip. Nothing else changes the rows of events, heads, sales and transfers.
--
-- Why json and not jsonb: the audit hashes the bytes of payload and metadata, and jsonb does not keep the bytes.

-- ---------------------------------------------------------------- shards

-- One row for each shard. A batch advances the rows of its shards only under the epoch with which its writer took them.
-- So a writer that lost a shard can never write to it again, however late its statement arrives. The lease only says
-- when another process may take the shard over.
CREATE TABLE log_shard (
    shard        smallint PRIMARY KEY CHECK (shard BETWEEN 0 AND 15),
    position     bigint NOT NULL DEFAULT 0 CHECK (position >= 0),
    epoch        bigint NOT NULL DEFAULT 0,
    owner        text,
    lease_until  timestamptz NOT NULL DEFAULT '-infinity',
    -- When the shard's latest event was recorded. Never decreases.
    recorded_at  timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
INSERT INTO log_shard (shard) SELECT generate_series(0, 15);

-- ---------------------------------------------------------------- events

-- No CHECK constraints: PostgreSQL prepares them again for every statement, which made the append measurably slower.
-- Types restrict the values where they can (16 bytes are a uuid). The audit finds a digest of a wrong length.
CREATE TABLE event (
    shard            smallint NOT NULL,
    -- Number in the shard: starts at 1, has no gaps, and follows the order of commits.
    position         bigint NOT NULL,
    business_id      uuid NOT NULL,
    -- Number in the business: starts at 1 and has no gaps.
    sequence         bigint NOT NULL,
    event_id         uuid NOT NULL,
    event_type       text NOT NULL,
    event_version    text NOT NULL,
    payload          json NOT NULL,
    metadata         json NOT NULL,
    recorded_at      timestamptz NOT NULL,
    -- When the fact happened, which can be before it was recorded.
    occurred_at      timestamptz NOT NULL,
    digest           bytea NOT NULL,
    chain            bytea NOT NULL,
    -- Only on the first event of a command: its idempotency key, a hash of the request that first used the key, and the
    -- number of events that the command recorded.
    idempotency_key  uuid,
    fingerprint      uuid,
    span             smallint,
    PRIMARY KEY (shard, business_id, sequence)
)
-- Payloads of up to a page stay in the row. By default PostgreSQL would compress rows over 2 kB, which costs more than
-- writing the event.
WITH (toast_tuple_target = 8160);

-- A B-tree and not BRIN, although positions grow with the pages. Followers read the newest rows, and BRIN has no
-- summary of them until the next vacuum. So each read would scan all rows written since the last vacuum.
CREATE UNIQUE INDEX event_position ON event (shard, position);
CREATE UNIQUE INDEX event_idempotency ON event (shard, business_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE FUNCTION log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is only appended to' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();

-- ---------------------------------------------------------------- state

-- The state of a business that decisions need. Only the append changes it.
CREATE TABLE business_head (
    shard          smallint NOT NULL,
    business_id    uuid NOT NULL,
    -- The sequence of the business's latest event.
    version        bigint NOT NULL,
    receivable     bigint NOT NULL,
    available      bigint NOT NULL,
    in_transfer    bigint NOT NULL,
    held_by_staff  bigint NOT NULL,
    in_dispute     bigint NOT NULL,
    platform_fees  bigint NOT NULL,
    clearing       bigint NOT NULL,
    -- The chain hash of the latest event.
    chain          bytea NOT NULL,
    -- The recent withdrawals, by which a repeated withdrawal is recognized. NULL if there are none, which is true for
    -- nearly every business.
    recent_withdrawals json,
    PRIMARY KEY (shard, business_id),
    -- Double entry: the accounts sum to zero. Of the money of a business, only the available balance can be negative:
    -- it is then a debt. One check instead of several, because every append reads each check.
    CONSTRAINT business_head_balances CHECK (
        receivable + available + in_transfer + held_by_staff + in_dispute + platform_fees + clearing = 0
        AND least(receivable, in_transfer, held_by_staff, in_dispute, version) >= 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
-- For the view `events` below, whose readers select a business by its id as text.
CREATE INDEX business_head_aggregate_id ON business_head (('biz_' || business_id::text));

-- The state of a sale as of its latest event, and the business that it belongs to. A sale belongs to the business that
-- first recorded it.
CREATE TABLE sale_state (
    sale_id      uuid PRIMARY KEY,
    business_id  uuid NOT NULL,
    status       text NOT NULL,
    -- When the first recorded event of the sale happened.
    created_at   timestamptz NOT NULL,
    -- Sequence of the event that last changed the row.
    sequence     bigint NOT NULL,
    state        json NOT NULL
) WITH (fillfactor = 80);

-- The state of a transfer as of its latest event, and the business that it belongs to.
CREATE TABLE transfer_state (
    transfer_id  uuid PRIMARY KEY,
    business_id  uuid NOT NULL,
    status       text NOT NULL,
    created_at   timestamptz NOT NULL,
    sequence     bigint NOT NULL,
    state        json NOT NULL
) WITH (fillfactor = 80);

-- Signed tree heads: the Merkle root over the chain hashes of a shard's businesses as of a position.
CREATE TABLE checkpoint (
    shard       smallint NOT NULL REFERENCES log_shard,
    position    bigint NOT NULL CHECK (position >= 0),
    businesses  bigint NOT NULL,
    root        bytea NOT NULL CHECK (octet_length(root) = 32),
    -- The hash of the shard's previous tree head. Zeros in the first one.
    previous    bytea NOT NULL CHECK (octet_length(previous) = 32),
    made_at     timestamptz NOT NULL,
    key_id      bytea NOT NULL CHECK (octet_length(key_id) = 8),
    signature   bytea NOT NULL CHECK (octet_length(signature) = 64),
    PRIMARY KEY (shard, position)
);

-- The log in the columns of the upstream crate postgres-es, for readers of other programs. The join with
-- `business_head` lets them find the events of one business by its index on the aggregate id.
CREATE VIEW events AS
SELECT 'business'::text AS aggregate_type, 'biz_' || head.business_id::text AS aggregate_id, event.sequence,
       event.event_type, event.event_version, event.payload, event.metadata
  FROM business_head head JOIN event ON event.shard = head.shard AND event.business_id = head.business_id;

-- ---------------------------------------------------------------- ownership

-- Takes the wanted shards whose lease has expired or that this owner has already, and raises their epochs. This
-- function and those below lock rows in the order of shards, so that they cannot deadlock.
CREATE FUNCTION take_shards(by_owner text, wanted smallint[], lease interval)
RETURNS SETOF log_shard LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM log_shard WHERE shard = ANY (wanted) ORDER BY shard FOR UPDATE;
    RETURN QUERY
        UPDATE log_shard SET epoch = epoch + 1, owner = by_owner, lease_until = clock_timestamp() + lease
         WHERE shard = ANY (wanted) AND (owner = by_owner OR lease_until < clock_timestamp())
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

-- Records one batch. The first four arrays have one element for each shard, ascending. In the other groups of arrays,
-- `…_at` is the index of the element's shard in the first arrays.
-- Returns the last position of each shard before the batch, or NULL if the caller no longer owns the shard. Rows of
-- such a shard are left out, and the others are recorded.
--
-- The whole batch fails in three cases:
-- RZ001: a head, a known sale or a known transfer is not in the state that the batch was decided on.
-- RZ003: the shard already has an event with a later recording time.
-- Unique violation of `sale_state` or `transfer_state`: a sale or transfer that was new belongs to another business
-- now.
CREATE FUNCTION append_events(
    shards smallint[], epochs bigint[], counts bigint[], recorded timestamptz[],
    head_at int[], head_business uuid[], head_expected bigint[], head_version bigint[], head_receivable bigint[],
    head_available bigint[], head_in_transfer bigint[], head_held_by_staff bigint[], head_in_dispute bigint[],
    head_platform_fees bigint[], head_clearing bigint[], head_chain bytea[], head_recent json[],
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
           recent_withdrawals = next.recent_withdrawals
      FROM unnest(head_at, head_business, head_expected, head_version, head_receivable, head_available,
                  head_in_transfer, head_held_by_staff, head_in_dispute, head_platform_fees, head_clearing, head_chain,
                  head_recent)
           AS next (place, business_id, expected, version, receivable, available, in_transfer, held_by_staff,
                    in_dispute, platform_fees, clearing, chain, recent_withdrawals)
     WHERE bases[next.place] IS NOT NULL AND next.expected > 0
       AND head.shard = shards[next.place] AND head.business_id = next.business_id AND head.version = next.expected;
    GET DIAGNOSTICS touched = ROW_COUNT;
    IF touched < wanted THEN
        INSERT INTO business_head (shard, business_id, version, receivable, available, in_transfer, held_by_staff,
                                   in_dispute, platform_fees, clearing, chain, recent_withdrawals)
        SELECT shards[next.place], next.business_id, next.version, next.receivable, next.available, next.in_transfer,
               next.held_by_staff, next.in_dispute, next.platform_fees, next.clearing, next.chain,
               next.recent_withdrawals
          FROM unnest(head_at, head_business, head_expected, head_version, head_receivable, head_available,
                      head_in_transfer, head_held_by_staff, head_in_dispute, head_platform_fees, head_clearing,
                      head_chain, head_recent)
               AS next (place, business_id, expected, version, receivable, available, in_transfer, held_by_staff,
                        in_dispute, platform_fees, clearing, chain, recent_withdrawals)
         WHERE bases[next.place] IS NOT NULL AND next.expected = 0
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS added = ROW_COUNT;
        IF touched + added <> wanted THEN
            RAISE EXCEPTION 'a business is not at the version that was decided on' USING ERRCODE = 'RZ001';
        END IF;
    END IF;

    -- New sales are inserted and known ones updated: an upsert would look up each sale twice.
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

    -- The same for transfers. Most batches have none, and the conditions skip both statements.
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
