-- An exact index of the companies with a negative balance.
--
-- Why: a BRIN index (migration 0038) summarizes ranges of pages, which excludes few pages if the rows are scattered.
-- With 100,000 companies the planner chose that index or read every balance, depending on the sample of its statistics.
--
-- Nearly every event changes a balance. This column changes only with the balance's sign. So updates stay on their page
-- (HOT) although an index depends on the column.
ALTER TABLE balance ADD COLUMN is_negative boolean NOT NULL GENERATED ALWAYS AS (available < 0) STORED;
DROP INDEX balance_available;
CREATE INDEX balance_negative ON balance (business_id) WHERE is_negative;
