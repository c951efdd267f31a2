-- Locks nothing of the log: five tables are new, and the check of `audit_verification`, a table of two rows, is
-- replaced at once.
--
-- Checkpoints of the tree over all events of a shard, which only grows (docs/proof-format.md), and the cosignatures of
-- witnesses. Tree heads prove the state of companies; each event changes a leaf of theirs, so two of them cannot be
-- compared without the log. Two checkpoints can.

-- The roots of complete subtrees, so that a proof does not read the whole log. Derived from the events: `audit verify`
-- computes each again.
CREATE TABLE log_subtree (
    shard  smallint NOT NULL CHECK (shard BETWEEN 0 AND 15),
    -- The subtree has 2^height leaves.
    height smallint NOT NULL CHECK (height BETWEEN 8 AND 56 AND height % 8 = 0),
    -- The first leaf is index * 2^height, the event at the position after that.
    index  bigint NOT NULL CHECK (index >= 0),
    hash   bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (shard, height, index)
);

CREATE TABLE log_checkpoint (
    shard   smallint NOT NULL CHECK (shard BETWEEN 0 AND 15),
    -- The number of events that it covers: the position of the last one.
    size    bigint NOT NULL CHECK (size > 0),
    made_at timestamptz NOT NULL,
    -- The signed note with our signature alone.
    note    text NOT NULL,
    PRIMARY KEY (shard, size)
);

CREATE TABLE log_cosignature (
    shard       smallint NOT NULL,
    size        bigint NOT NULL,
    witness     text NOT NULL,
    cosigned_at timestamptz NOT NULL,
    -- The signature line.
    line        text NOT NULL,
    PRIMARY KEY (shard, size, witness),
    FOREIGN KEY (shard, size) REFERENCES log_checkpoint
);

-- Replays, and verifications in the background, are noted like whole verifications.
ALTER TABLE audit_verification DROP CONSTRAINT audit_verification_part_check;
ALTER TABLE audit_verification ADD CONSTRAINT audit_verification_part_check
    CHECK (part IN ('log', 'rows', 'replay', 'recent'));

-- Up to which position each shard was verified in the background, and what was found by then.
CREATE TABLE audit_progress (
    shard       smallint PRIMARY KEY CHECK (shard BETWEEN 0 AND 15),
    position    bigint NOT NULL DEFAULT 0 CHECK (position >= 0),
    findings    bigint NOT NULL DEFAULT 0 CHECK (findings >= 0),
    verified_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO audit_progress (shard) SELECT generate_series(0, 15);

-- When signed heads were written outside of the database, for operators. Nothing is decided by it.
CREATE TABLE heads_outside (
    target     text NOT NULL,
    name       text NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (target, name)
);
