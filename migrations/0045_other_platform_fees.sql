-- The companies that paid for withdrawals or rentals, without reading those that paid for sales only.
--
-- Why: the platform's fees by company list them too. Nearly every row is of sales only: at 10 million sales of 100,000
-- companies that reading doubled the time of the report. A capture changes no column of these indexes.
CREATE INDEX platform_fees_daily_other ON platform_fees_daily (business_date)
 WHERE withdrawals <> 0 OR rentals <> 0;
CREATE INDEX platform_fees_monthly_other ON platform_fees_monthly (month)
 WHERE withdrawals <> 0 OR rentals <> 0;
