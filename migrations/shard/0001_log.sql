-- The event log, and the state that decisions need: the owner of each shard, the balances and the chain of each
-- business, and the state of each sale and each transfer.
--
-- The tables of this folder need nothing of the other folder, so that each shard can have its own set of them.
--
-- Why the keys of events and heads begin with the shard: a shard has one writer at a time. Its events form one ordered
-- sequence without gaps, which readers follow by position. `sale_state` and `transfer_state` are the exceptions: their
-- keys are ids, because they say which business a sale or a transfer belongs to.
-- Why the events are one table without a partition for each shard: a batch writes to most shards. Opening sixteen
-- partitions with three indexes each made the append measurably slower.
-- Why json and not jsonb: the audit hashes the bytes of payload and metadata, and jsonb does not keep the bytes.
--
-- Locks nothing: it makes the tables of a new database.

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

-- The shard of a company, as the program computes it (`Shard::of`).
CREATE FUNCTION shard_of(business_id uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (get_byte(sha256(uuid_send(business_id)), 0) % 16)::smallint
$$;

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
    -- Only on the first event of a sale: the sale's id.
    claimed_sale     uuid,
    PRIMARY KEY (shard, business_id, sequence)
)
-- Payloads of up to a page stay in the row. By default PostgreSQL would compress rows over 2 kB, which costs more than
-- writing the event.
WITH (toast_tuple_target = 8160,
-- Readiness proves with inserts that are rolled back that events can be recorded. Their dead rows are few, but a log
-- without sales is never vacuumed for its new ones.
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- A B-tree and not BRIN, although positions grow with the pages. Followers read the newest rows, and BRIN has no
-- summary of them until the next vacuum. So each read would scan all rows written since the last vacuum.
CREATE UNIQUE INDEX event_position ON event (shard, position);
CREATE UNIQUE INDEX event_idempotency ON event (shard, business_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- The first event of a sale claims it: no other event, in any business, may claim the sale, and the sale's event is
-- found by the sale's id. A sale with only one event has no row in `sale_state`, which would repeat the event.
-- 0035 made tables of the claims and of the idempotency keys. Sales, keys and transfers are each unique in an index of
-- their own, so an id of one kind cannot conflict with an equal id of another.
CREATE UNIQUE INDEX event_claim ON event (claimed_sale) WHERE claimed_sale IS NOT NULL;

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
    -- The part of `held_by_staff` that comes from holds on sales. The approval of a company releases these holds and no
    -- others.
    held_for_sales bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (shard, business_id),
    -- Double entry: the accounts sum to zero. Of the money of a business, only the available balance can be negative:
    -- it is then a debt. One check instead of several, because every append reads each check.
    CONSTRAINT business_head_balances CHECK (
        receivable + available + in_transfer + held_by_staff + in_dispute + platform_fees + clearing = 0
        AND least(receivable, in_transfer, held_by_staff, in_dispute, version) >= 0),
    CONSTRAINT business_head_held_for_sales CHECK (held_for_sales BETWEEN 0 AND held_by_staff)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- For the view `events` below, whose readers select a business by its id as text.
CREATE INDEX business_head_aggregate_id ON business_head (('biz_' || business_id::text));

-- The state of a sale as of its latest event, and the business that it belongs to. A sale belongs to the business that
-- first recorded it. A sale with one event has no row: its event claims it.
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
CREATE TABLE tree_head (
    shard       smallint NOT NULL REFERENCES log_shard,
    position    bigint NOT NULL CHECK (position >= 0),
    -- Counts the heads of the shard from 1, so that a deleted first head is noticed too.
    number      bigint NOT NULL CHECK (number >= 1),
    businesses  bigint NOT NULL,
    root        bytea NOT NULL CHECK (octet_length(root) = 32),
    -- The hash of the shard's previous tree head. Zeros in the first one.
    previous    bytea NOT NULL CHECK (octet_length(previous) = 32),
    made_at     timestamptz NOT NULL,
    key_id      bytea NOT NULL CHECK (octet_length(key_id) = 8),
    signature   bytea NOT NULL CHECK (octet_length(signature) = 64),
    PRIMARY KEY (shard, position),
    UNIQUE (shard, number)
);

-- The log in the columns of the upstream crate postgres-es, for readers of other programs. The join with
-- `business_head` lets them find the events of one business by its index on the aggregate id.
CREATE VIEW events AS
SELECT 'business'::text AS aggregate_type, 'biz_' || head.business_id::text AS aggregate_id, event.sequence,
       event.event_type, event.event_version, event.payload, event.metadata
  FROM business_head head JOIN event ON event.shard = head.shard AND event.business_id = head.business_id;
