-- Indexes that find companies with fees for withdrawals or rentals, without reading rows that have fees of sales only.
--
-- Why: the report of the platform's fees by company also lists these companies. Nearly every row has fees of sales
-- only. With 10 million sales of 100,000 companies, reading all rows doubled the report's time.
-- A capture changes no column of these indexes, so it does not have to update them.
CREATE INDEX platform_fees_daily_other ON platform_fees_daily (business_date)
 WHERE withdrawals <> 0 OR rentals <> 0;
CREATE INDEX platform_fees_monthly_other ON platform_fees_monthly (month)
 WHERE withdrawals <> 0 OR rentals <> 0;
