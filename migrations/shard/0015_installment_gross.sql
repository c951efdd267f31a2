-- The gross of sales in more than one installment, for reports.
--
-- Why: it is the part of the volume whose money comes over months. The sums by month and over all companies have no
-- number of installments, so they need a column of it.
-- `add_sales_sum` is for later columns too: all tables that add up sales have the same sums.
--
-- Locks the tables of sums against everything. They have rows of days, months and companies, not of sales, so it is a
-- matter of milliseconds to seconds.

-- Adds a sum to each table of sums of sales, with 0 in its rows. The rows are then computed in SQL, or folded again.
CREATE FUNCTION add_sales_sum(sum text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT table_name FROM information_schema.columns
                 WHERE table_schema = current_schema() AND column_name = 'settled_gross'
    LOOP
        EXECUTE format('ALTER TABLE %I ADD COLUMN %I bigint NOT NULL DEFAULT 0', name, sum);
    END LOOP;
END $$;

SELECT add_sales_sum('installment_gross');

UPDATE daily_sales SET installment_gross = gross WHERE installments > 1;
UPDATE hourly_sales SET installment_gross = gross WHERE installments > 1;
UPDATE platform_sales_by_attribute SET installment_gross = gross WHERE installments > 1;
UPDATE platform_sales_hourly_by_attribute SET installment_gross = gross WHERE installments > 1;
UPDATE platform_sales_monthly_by_attribute SET installment_gross = gross WHERE installments > 1;
UPDATE monthly_sales AS months SET installment_gross = days.gross
  FROM (SELECT business_id, date_trunc('month', business_date)::date AS month, sum(installment_gross) AS gross
          FROM daily_sales WHERE installments > 1 GROUP BY 1, 2) AS days
 WHERE (months.business_id, months.month) = (days.business_id, days.month);
UPDATE platform_sales_daily AS totals SET installment_gross = parts.gross
  FROM (SELECT business_date, shard, sum(installment_gross) AS gross
          FROM platform_sales_by_attribute GROUP BY 1, 2) AS parts
 WHERE (totals.business_date, totals.shard) = (parts.business_date, parts.shard);
UPDATE platform_sales_hourly AS totals SET installment_gross = parts.gross
  FROM (SELECT business_hour, shard, sum(installment_gross) AS gross
          FROM platform_sales_hourly_by_attribute GROUP BY 1, 2) AS parts
 WHERE (totals.business_hour, totals.shard) = (parts.business_hour, parts.shard);
UPDATE platform_sales_monthly AS totals SET installment_gross = parts.gross
  FROM (SELECT month, shard, sum(installment_gross) AS gross
          FROM platform_sales_monthly_by_attribute GROUP BY 1, 2) AS parts
 WHERE (totals.month, totals.shard) = (parts.month, parts.shard);
