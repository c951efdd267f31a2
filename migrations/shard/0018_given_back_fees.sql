-- The fee of a withdrawal is given back on the day of its return. If that is another day than the fee's, the day's sum is
-- below zero. The three tables have a row for each company and day, company and month, and day and shard; dropping a
-- check reads none of them.
ALTER TABLE platform_fees_daily DROP CONSTRAINT platform_fees_daily_withdrawals_check;
ALTER TABLE platform_fees_monthly DROP CONSTRAINT platform_fees_monthly_withdrawals_check;
ALTER TABLE platform_revenue_daily DROP CONSTRAINT platform_revenue_daily_withdrawals_check;
