-- A debt that is written off is a cost of the platform, beside what it earned from the company.
--
-- Takes an exclusive lock on the three tables, which have a row for each company and day, company and month, and day and
-- shard, for milliseconds: the column has a constant default. The index is small: most days have fees of sales only.

SET LOCAL lock_timeout = '30s';

ALTER TABLE platform_fees_daily ADD COLUMN write_offs bigint NOT NULL DEFAULT 0;
ALTER TABLE platform_fees_monthly ADD COLUMN write_offs bigint NOT NULL DEFAULT 0;
ALTER TABLE platform_revenue_daily ADD COLUMN write_offs bigint NOT NULL DEFAULT 0;

DROP INDEX platform_fees_daily_other, platform_fees_monthly_other;
CREATE INDEX platform_fees_daily_other ON platform_fees_daily (business_date)
 WHERE withdrawals <> 0 OR rentals <> 0 OR write_offs <> 0;
CREATE INDEX platform_fees_monthly_other ON platform_fees_monthly (month)
 WHERE withdrawals <> 0 OR rentals <> 0 OR write_offs <> 0;
