-- The ownership of shards, one shard at a time: so that each shard's row may be on another node.
--
-- No statement locks rows of several shards, and no UPDATE calls a volatile function, which engines that distribute
-- tables refuse. What the functions promise is as before.
--
-- Locks nothing of the log: functions are replaced. A table of the log without a primary key gets another replica
-- identity, which takes its lock for milliseconds and reads nothing.

CREATE OR REPLACE FUNCTION take_shards(by_owner text, wanted smallint[], lease interval)
RETURNS SETOF log_shard LANGUAGE plpgsql AS $$
DECLARE
    gone text[];
    one  smallint;
    t    timestamptz;
BEGIN
    -- Held until the connection ends. A repetition counts in the same lock.
    PERFORM pg_advisory_lock_shared(owner_lock(), hashtext(by_owner));
    t := clock_timestamp();
    SELECT array_agg(known.owner) INTO gone
      FROM (SELECT DISTINCT log.owner FROM log_shard log
             WHERE log.shard = ANY (wanted) AND log.owner <> by_owner AND log.lease_until >= t) known
     WHERE is_owner_gone(known.owner);
    -- Ascending, so that two processes cannot deadlock. Only rows that may be taken are locked, so that asking for
    -- shards never waits for a living owner's batch.
    FOR one IN SELECT shard FROM unnest(wanted) AS shard ORDER BY 1 LOOP
        t := clock_timestamp();
        RETURN QUERY
            UPDATE log_shard SET epoch = epoch + 1, owner = by_owner, lease_until = t + lease
             WHERE shard = one AND (owner = by_owner OR lease_until < t OR owner = ANY (gone))
            RETURNING log_shard.*;
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION renew_shards(held smallint[], epochs bigint[], lease interval)
RETURNS SETOF smallint LANGUAGE plpgsql AS $$
DECLARE
    one  smallint;
    mine bigint;
    t    timestamptz;
BEGIN
    FOR one, mine IN SELECT shard, epoch FROM unnest(held, epochs) AS known (shard, epoch) ORDER BY 1 LOOP
        t := clock_timestamp();
        RETURN QUERY
            UPDATE log_shard SET lease_until = t + lease
             WHERE shard = one AND epoch = mine
            RETURNING log_shard.shard;
    END LOOP;
END $$;

-- A table without a primary key needs its whole rows in the WAL to be moved while it is written. Their keys are unique
-- constraints, some with a column that may be NULL.
DO $$
DECLARE
    keyless regclass;
BEGIN
    FOR keyless IN
        SELECT class.oid FROM pg_class class
         WHERE class.relkind = 'r' AND class.relnamespace = current_schema()::regnamespace
           AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = class.oid AND contype = 'p')
    LOOP
        EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', keyless);
    END LOOP;
END $$;
