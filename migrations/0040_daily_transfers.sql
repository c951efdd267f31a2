-- Counts and sums of transfers by the business date of their request, kind and status. So the cost of the figures of
-- the report of payments does not grow with the number of withdrawals.
--
-- A transfer whose status changes moves to another row of the same date. Rows that count no transfer are deleted.

CREATE TABLE daily_transfers (
    business_id   uuid     NOT NULL,
    shard         smallint NOT NULL,
    business_date date     NOT NULL,
    kind          smallint NOT NULL,
    status        smallint NOT NULL,
    transfers     bigint   NOT NULL,
    amount        bigint   NOT NULL,
    fee           bigint   NOT NULL,
    PRIMARY KEY (business_id, business_date, kind, status)
) WITH (fillfactor = 70);

-- The sums over all companies. The shard is in the key, so that followers of different shards write different rows.
CREATE TABLE platform_transfers_daily (
    business_date date     NOT NULL,
    shard         smallint NOT NULL,
    kind          smallint NOT NULL,
    status        smallint NOT NULL,
    transfers     bigint   NOT NULL,
    amount        bigint   NOT NULL,
    fee           bigint   NOT NULL,
    PRIMARY KEY (business_date, shard, kind, status)
) WITH (fillfactor = 50);

-- Keeps the followers from changing transfers during this migration: they lock their checkpoints before their rows.
SELECT FROM projection_checkpoint WHERE model = 'transfers' ORDER BY shard FOR UPDATE;

INSERT INTO daily_transfers (business_id, shard, business_date, kind, status, transfers, amount, fee)
SELECT business_id, get_byte(sha256(uuid_send(business_id)), 0) % 16,
       (requested_at AT TIME ZONE 'America/Sao_Paulo')::date, kind, status, count(*), sum(amount), sum(fee)
  FROM transfer GROUP BY 1, 2, 3, 4, 5;

INSERT INTO platform_transfers_daily (business_date, shard, kind, status, transfers, amount, fee)
SELECT business_date, shard, kind, status, sum(transfers), sum(amount), sum(fee)
  FROM daily_transfers GROUP BY 1, 2, 3, 4;
