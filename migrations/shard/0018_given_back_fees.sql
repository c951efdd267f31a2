-- The fee of a withdrawal is given back on the day of its return. If that is another day than the fee's, the day's sum is
-- below zero. Locks the three tables for milliseconds: dropping a check reads none of their rows.
ALTER TABLE platform_fees_daily DROP CONSTRAINT platform_fees_daily_withdrawals_check;
ALTER TABLE platform_fees_monthly DROP CONSTRAINT platform_fees_monthly_withdrawals_check;
ALTER TABLE platform_revenue_daily DROP CONSTRAINT platform_revenue_daily_withdrawals_check;
