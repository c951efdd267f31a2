-- Staff find held money by the number of the court's case, which courts and users write with and without punctuation:
-- its digits are compared.
--
-- Locks `hold` against writes while its rows are read once: a second for a million holds.

SET LOCAL lock_timeout = '30s';

CREATE INDEX hold_by_case ON hold (regexp_replace(case_number, '\D', '', 'g'), placed_at, business_id, hold_id)
    WHERE case_number IS NOT NULL;
