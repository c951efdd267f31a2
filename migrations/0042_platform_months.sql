-- Sums over all companies by month, and by hour and the attributes of sales.
--
-- Why: by day, a year by the attributes of sales is hundreds of thousands of rows, and the hours of one payment type were
-- added up from the rows of every company.
-- By shard, so that followers never wait for each other.

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

-- Of each shard only the last four days before its newest hour are kept, as of each company.
CREATE TABLE platform_sales_hourly_by_attribute (LIKE platform_sales_by_attribute INCLUDING CONSTRAINTS)
    WITH (fillfactor = 50);
ALTER TABLE platform_sales_hourly_by_attribute
    DROP COLUMN business_date,
    ADD COLUMN business_hour timestamptz NOT NULL,
    ADD CONSTRAINT platform_sales_hourly_by_attribute_key UNIQUE NULLS NOT DISTINCT
        (business_hour, shard, solution, payment_type, card_brand, installments);

-- The followers lock their checkpoints before their rows.
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
