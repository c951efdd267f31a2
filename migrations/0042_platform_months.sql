-- Sums over all companies: by month, by month and the attributes of sales, and by hour and the attributes of sales.
--
-- Why by month: a query of a year by attributes would read hundreds of thousands of rows by day.
-- Why by hour and attributes: before, the hours of one payment type were summed from the rows of every company.
-- Why the shard is in each key: followers of different shards never wait for each other's rows.

CREATE TABLE platform_sales_monthly (LIKE platform_sales_daily INCLUDING CONSTRAINTS) WITH (fillfactor = 50);
ALTER TABLE platform_sales_monthly
    DROP COLUMN business_date,
    -- The first day of the month.
    ADD COLUMN month date NOT NULL CHECK (extract(day FROM month) = 1),
    ADD PRIMARY KEY (month, shard);

CREATE TABLE platform_sales_monthly_by_attribute (LIKE platform_sales_by_attribute INCLUDING CONSTRAINTS)
    WITH (fillfactor = 50);
ALTER TABLE platform_sales_monthly_by_attribute
    DROP COLUMN business_date,
    ADD COLUMN month date NOT NULL CHECK (extract(day FROM month) = 1),
    ADD CONSTRAINT platform_sales_monthly_by_attribute_key UNIQUE NULLS NOT DISTINCT
        (month, shard, solution, payment_type, card_brand, installments);

-- Each shard keeps its newest hour and the 96 hours before it. The rows by company are kept for the same time.
CREATE TABLE platform_sales_hourly_by_attribute (LIKE platform_sales_by_attribute INCLUDING CONSTRAINTS)
    WITH (fillfactor = 50);
ALTER TABLE platform_sales_hourly_by_attribute
    DROP COLUMN business_date,
    ADD COLUMN business_hour timestamptz NOT NULL,
    ADD CONSTRAINT platform_sales_hourly_by_attribute_key UNIQUE NULLS NOT DISTINCT
        (business_hour, shard, solution, payment_type, card_brand, installments);

-- Followers lock their checkpoints before their rows. The same order here avoids deadlocks with them.
SELECT FROM projection_checkpoint WHERE model = 'sales' ORDER BY shard FOR UPDATE;

DO $$
DECLARE
    sums text := 'sales, gross, percentage_fee, flat_fee, percentage_rate, flat_rate, net, cancels, canceled_gross,
        canceled_net, refunds, refunded_gross, refunded_net, acquirer_reversals, acquirer_reversed_gross,
        acquirer_reversed_net, disputes, disputed, disputes_won, won, chargebacks, charged_back, settled_count,
        settled_gross, settled';
    added text := regexp_replace(sums, '(\w+)', 'sum(\1)', 'g');
BEGIN
    EXECUTE format('INSERT INTO platform_sales_monthly (month, shard, %s)
        SELECT date_trunc(''month'', business_date::timestamp)::date, shard, %s
          FROM platform_sales_daily GROUP BY 1, 2', sums, added);
    EXECUTE format('INSERT INTO platform_sales_monthly_by_attribute
            (month, shard, solution, payment_type, card_brand, installments, %s)
        SELECT date_trunc(''month'', business_date::timestamp)::date, shard, solution, payment_type, card_brand,
               installments, %s
          FROM platform_sales_by_attribute GROUP BY 1, 2, 3, 4, 5, 6', sums, added);
    EXECUTE format('INSERT INTO platform_sales_hourly_by_attribute
            (business_hour, shard, solution, payment_type, card_brand, installments, %s)
        SELECT business_hour, shard, solution, payment_type, card_brand, installments, %s
          FROM hourly_sales JOIN (SELECT shard, max(business_hour) AS newest FROM platform_sales_hourly GROUP BY shard)
                                 AS last USING (shard)
         WHERE business_hour >= newest - interval ''96 hours'' GROUP BY 1, 2, 3, 4, 5, 6', sums, added);
END $$;
