-- The companies with a negative balance, from an index that is exact.
--
-- Why: ranges of pages (BRIN, migration 0038) say little about scattered rows. With 100,000 companies the planner took
-- that index or read every balance, as the sample of its statistics happened to be.
--
-- A balance changes with nearly every event. This column changes with its sign only, so updates stay on their page (HOT)
-- although an index depends on it.
ALTER TABLE balance ADD COLUMN is_negative boolean NOT NULL GENERATED ALWAYS AS (available < 0) STORED;
DROP INDEX balance_available;
CREATE INDEX balance_negative ON balance (business_id) WHERE is_negative;
