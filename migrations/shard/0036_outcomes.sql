-- Sales by the date of their capture or creation and by status, for the totals of lists with a status: so they read
-- days and months, not sales. Only sales that ended otherwise than `succeeded` have a row. Those without an end
-- (`new`, `created`, `pending`) are few, and a capture writes no row.
--
-- A sale whose status changes moves to another row of its date. Rows that count no sale are deleted.
--
-- The new tables lock nothing of others. They are filled from the index of the sales that did not succeed: about two
-- seconds for ten million sales. The followers wait for that long.

SET LOCAL lock_timeout = '30s';

CREATE TABLE daily_outcomes (
    business_id    uuid     NOT NULL,
    shard          smallint NOT NULL,
    business_date  date     NOT NULL,
    status         text     NOT NULL CHECK (status NOT IN ('new', 'created', 'pending', 'succeeded')),
    sales          bigint   NOT NULL,
    gross          bigint   NOT NULL,
    -- Of the sales that were captured.
    captured       bigint   NOT NULL,
    captured_gross bigint   NOT NULL,
    captured_net   bigint   NOT NULL,
    PRIMARY KEY (business_id, business_date, status)
) WITH (fillfactor = 70);

-- The sums over all companies.
CREATE TABLE platform_outcomes_daily (
    business_date  date     NOT NULL,
    shard          smallint NOT NULL,
    status         text     NOT NULL CHECK (status NOT IN ('new', 'created', 'pending', 'succeeded')),
    sales          bigint   NOT NULL,
    gross          bigint   NOT NULL,
    captured       bigint   NOT NULL,
    captured_gross bigint   NOT NULL,
    captured_net   bigint   NOT NULL,
    PRIMARY KEY (business_date, shard, status)
) WITH (fillfactor = 50);

CREATE TABLE platform_outcomes_monthly (
    month          date     NOT NULL CHECK (extract(day FROM month) = 1),
    shard          smallint NOT NULL,
    status         text     NOT NULL CHECK (status NOT IN ('new', 'created', 'pending', 'succeeded')),
    sales          bigint   NOT NULL,
    gross          bigint   NOT NULL,
    captured       bigint   NOT NULL,
    captured_gross bigint   NOT NULL,
    captured_net   bigint   NOT NULL,
    PRIMARY KEY (month, shard, status)
) WITH (fillfactor = 50);

INSERT INTO daily_outcomes
      (business_id, shard, business_date, status, sales, gross, captured, captured_gross, captured_net)
SELECT business_id, shard_of(business_id), (occurred_at AT TIME ZONE 'America/Sao_Paulo')::date, status,
       count(*), sum(amount), count(net), coalesce(sum(amount) FILTER (WHERE net IS NOT NULL), 0), coalesce(sum(net), 0)
  FROM sale
 WHERE status <> 'succeeded' AND status NOT IN ('new', 'created', 'pending')
 GROUP BY 1, 2, 3, 4;

INSERT INTO platform_outcomes_daily
      (business_date, shard, status, sales, gross, captured, captured_gross, captured_net)
SELECT business_date, shard, status, sum(sales), sum(gross), sum(captured), sum(captured_gross), sum(captured_net)
  FROM daily_outcomes GROUP BY 1, 2, 3;

INSERT INTO platform_outcomes_monthly
      (month, shard, status, sales, gross, captured, captured_gross, captured_net)
SELECT date_trunc('month', business_date::timestamp)::date, shard, status, sum(sales), sum(gross), sum(captured),
       sum(captured_gross), sum(captured_net)
  FROM platform_outcomes_daily GROUP BY 1, 2, 3;
