-- Sums over all companies, for staff's figures and the totals of staff's lists. Their cost is the same after ten
-- million sales of 100,000 companies as after ten thousand sales. Before, each query added up the rows of every
-- company.
--
-- There is a row for each shard, so that followers of different shards never wait for each other's row locks. A
-- follower adds the same changes to these rows as to the rows by company.

CREATE TABLE platform_sales_by_attribute (LIKE daily_sales INCLUDING CONSTRAINTS) WITH (fillfactor = 50);
ALTER TABLE platform_sales_by_attribute
    DROP COLUMN business_id, DROP COLUMN terminal_id, DROP COLUMN payment_link_code,
    ADD CONSTRAINT platform_sales_by_attribute_key UNIQUE NULLS NOT DISTINCT
        (business_date, shard, solution, payment_type, card_brand, installments);

CREATE TABLE platform_sales_daily (LIKE daily_sales INCLUDING CONSTRAINTS) WITH (fillfactor = 50);
ALTER TABLE platform_sales_daily
    DROP COLUMN business_id, DROP COLUMN terminal_id, DROP COLUMN payment_link_code,
    DROP COLUMN solution, DROP COLUMN payment_type, DROP COLUMN card_brand, DROP COLUMN installments,
    ADD PRIMARY KEY (business_date, shard);

-- Each shard keeps its newest hour and the 96 hours before it, as each company does in `hourly_sales`.
CREATE TABLE platform_sales_hourly (LIKE platform_sales_daily INCLUDING CONSTRAINTS) WITH (fillfactor = 50);
ALTER TABLE platform_sales_hourly
    DROP COLUMN business_date,
    ADD COLUMN business_hour timestamptz NOT NULL,
    ADD PRIMARY KEY (business_hour, shard);

CREATE TABLE platform_revenue_daily (
    business_date date     NOT NULL,
    shard         smallint NOT NULL,
    sales         bigint   NOT NULL,
    withdrawals   bigint   NOT NULL CHECK (withdrawals >= 0),
    rentals       bigint   NOT NULL,
    PRIMARY KEY (business_date, shard)
) WITH (fillfactor = 50);

-- Stops the followers while the sums are filled: they lock their checkpoints before they change rows.
SELECT FROM projection_checkpoint WHERE model IN ('balance', 'sales') ORDER BY model, shard FOR UPDATE;

DO $$
DECLARE
    sums text := 'sales, gross, percentage_fee, flat_fee, percentage_rate, flat_rate, net, cancels, canceled_gross,
        canceled_net, refunds, refunded_gross, refunded_net, acquirer_reversals, acquirer_reversed_gross,
        acquirer_reversed_net, disputes, disputed, disputes_won, won, chargebacks, charged_back, settled_count,
        settled_gross, settled';
    added text := regexp_replace(sums, '(\w+)', 'sum(\1)', 'g');
BEGIN
    EXECUTE format('INSERT INTO platform_sales_by_attribute
            (business_date, shard, solution, payment_type, card_brand, installments, %s)
        SELECT business_date, shard, solution, payment_type, card_brand, installments, %s
          FROM daily_sales GROUP BY 1, 2, 3, 4, 5, 6', sums, added);
    EXECUTE format('INSERT INTO platform_sales_daily (business_date, shard, %s)
        SELECT business_date, shard, %s FROM platform_sales_by_attribute GROUP BY 1, 2', sums, added);
    EXECUTE format('INSERT INTO platform_sales_hourly (business_hour, shard, %s)
        SELECT business_hour, shard, %s
          FROM hourly_sales JOIN (SELECT shard, max(business_hour) AS newest FROM hourly_sales GROUP BY shard) AS last
                                 USING (shard)
         WHERE business_hour >= newest - interval ''96 hours'' GROUP BY 1, 2', sums, added);
END $$;

INSERT INTO platform_revenue_daily (business_date, shard, sales, withdrawals, rentals)
SELECT business_date, get_byte(sha256(uuid_send(business_id)), 0) % 16, sum(sales), sum(withdrawals), sum(rentals)
  FROM platform_fees_daily GROUP BY 1, 2;

-- Only queries of the platform's revenue used these indexes.
DROP INDEX balance_daily_by_date, platform_fees_daily_by_date, platform_fees_monthly_by_month;

-- Totals of sales by status: those of all captured sales come from roll-ups. Those of sales that did not succeed come
-- from these indexes alone. Before, the totals of a million successful sales read each row.
DROP INDEX sale_by_outcome, sale_of_any_by_outcome;
CREATE INDEX sale_by_outcome ON sale (business_id, status, occurred_at, sale_id)
    INCLUDE (solution, payment_type, card_brand, terminal_id, installments, payment_link_code, amount, net)
    WHERE status <> 'succeeded';
CREATE INDEX sale_of_any_by_outcome ON sale (status, occurred_at, sale_id)
    INCLUDE (business_id, solution, payment_type, card_brand, terminal_id, installments, payment_link_code, amount, net)
    WHERE status <> 'succeeded';
