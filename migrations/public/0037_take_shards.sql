-- The function that takes shards returns rows of its own, not those of the table `log_shard`: each shard's table may
-- stand in another schema. What it promises is as before.
--
-- Locks nothing: a process that runs meanwhile calls the one or the other.

SET LOCAL lock_timeout = '30s';

DROP FUNCTION take_shards;

-- Takes the wanted shards whose lease has expired, whose owner is gone, or that this owner has already, and raises
-- their epochs.
CREATE FUNCTION take_shards(by_owner text, wanted smallint[], lease interval)
RETURNS TABLE (shard smallint, epoch bigint, "position" bigint, recorded_at timestamptz) LANGUAGE plpgsql AS $$
#variable_conflict use_column
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
    FOR one IN SELECT asked FROM unnest(wanted) AS asked ORDER BY 1 LOOP
        t := clock_timestamp();
        RETURN QUERY
            UPDATE log_shard log SET epoch = log.epoch + 1, owner = by_owner, lease_until = t + lease
             WHERE log.shard = one AND (log.owner = by_owner OR log.lease_until < t OR log.owner = ANY (gone))
            RETURNING log.shard, log.epoch, log.position, log.recorded_at;
    END LOOP;
END $$;
