-- The buckets of rate limits that hold over all processes (gateway/identity/src/rate_limit). They were counted in the
-- memory of each process, so a caller had as many attempts more as there were processes.
--
-- Locks nothing: the table is new.

-- A key is an HMAC of what is counted, so the table tells nobody's e-mail or address. Unlogged: a limit is worth neither
-- a write to the log nor a wait for the disk. After a crash of the server, or on a standby that takes over, all buckets
-- are full, as they were after a restart of the program. Rows are changed in place; there is no index on `full_at`,
-- because each attempt would change it too, and only the job that deletes full buckets looks for it.
CREATE UNLOGGED TABLE rate_limit_bucket (
    key     bytea       PRIMARY KEY CHECK (octet_length(key) = 32),
    -- When the bucket is full again. A bucket whose time has passed says nothing.
    full_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Takes an attempt from each of these buckets or from none. Returns the milliseconds until all of them have one; 0 if it
-- was taken. A bucket holds `bursts` attempts and gets one back after each `refill_ms`. The database's clock decides,
-- because all processes share it, unless an instant is given.
--
-- The rows are locked in the order of their keys, so that two calls never wait for each other.
CREATE FUNCTION take_from_rate_limits(keys bytea[], bursts bigint[], refill_ms bigint[], given_now timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    decided_at timestamptz := coalesce(given_now, clock_timestamp());
    wait_ms    bigint;
BEGIN
    WITH asked AS (
        SELECT * FROM unnest(keys, bursts, refill_ms) AS each_of(key, burst, refill)
    ), taken AS (
        INSERT INTO rate_limit_bucket AS bucket (key, full_at)
        SELECT key, decided_at + refill * interval '1 ms' FROM asked ORDER BY key
        ON CONFLICT (key) DO UPDATE
            SET full_at = greatest(bucket.full_at, decided_at) + (excluded.full_at - decided_at)
        RETURNING key, full_at
    )
    SELECT max(ceil(1000 * extract(epoch FROM taken.full_at - decided_at)) - asked.burst * asked.refill)
      INTO wait_ms
      FROM taken JOIN asked USING (key);
    IF wait_ms <= 0 THEN
        RETURN 0;
    END IF;
    UPDATE rate_limit_bucket AS bucket
       SET full_at = bucket.full_at - each_of.refill * interval '1 ms'
      FROM unnest(keys, refill_ms) AS each_of(key, refill)
     WHERE bucket.key = each_of.key;
    RETURN wait_ms;
END $$;

-- Gives an attempt back to each of `keys`, and fills those of `full_keys`.
CREATE FUNCTION give_back_to_rate_limits(keys bytea[], refill_ms bigint[], full_keys bytea[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM rate_limit_bucket WHERE key = ANY (keys || full_keys) ORDER BY key FOR UPDATE;
    UPDATE rate_limit_bucket AS bucket
       SET full_at = bucket.full_at - each_of.refill * interval '1 ms'
      FROM unnest(keys, refill_ms) AS each_of(key, refill)
     WHERE bucket.key = each_of.key;
    DELETE FROM rate_limit_bucket WHERE key = ANY (full_keys);
END $$;
