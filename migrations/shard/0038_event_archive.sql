-- Old events outside of the database (`razao archive`, layout `schemas`): which positions a file has, and where the
-- events of each company stand in it. Empty in layout `one`.
--
-- Locks nothing: both tables are new.

-- A partition of `event` that was verified, written to a file and detached.
CREATE TABLE event_archive (
    shard           smallint NOT NULL,
    -- The file has every event of the shard from this position up to `last_position`.
    first_position  bigint NOT NULL,
    last_position   bigint NOT NULL,
    -- The file's path, for every process that reads or records.
    file            text NOT NULL,
    bytes           bigint NOT NULL,
    -- The file's SHA-256. What it contains is proved by its events: by their digests, chains and tree heads.
    sha256          bytea NOT NULL CHECK (octet_length(sha256) = 32),
    archived_at     timestamptz NOT NULL,
    PRIMARY KEY (shard, first_position),
    CONSTRAINT event_archive_positions CHECK (first_position BETWEEN 1 AND last_position)
);

-- The events of a company in such a file.
CREATE TABLE event_archive_business (
    shard           smallint NOT NULL,
    business_id     uuid NOT NULL,
    -- The sequence of its last event in the file. The first one follows the row before.
    last_sequence   bigint NOT NULL,
    first_position  bigint NOT NULL,
    -- The chain hash of its last event in the file, from which the next file's events go on.
    chain           bytea NOT NULL,
    -- How far each event stands behind the one before it, the first behind `first_position`: numbers of seven bits a
    -- byte, the lowest first, with the highest bit set in all bytes of a number but the last one (LEB128).
    positions       bytea NOT NULL,
    PRIMARY KEY (shard, business_id, last_sequence),
    FOREIGN KEY (shard, first_position) REFERENCES event_archive
);
