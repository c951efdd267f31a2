-- A sale can have several refunds, of parts of it.
--
-- Why: each part that a user refunds is one request to the acquirer, and its answer names the refund in the ledger.
--
-- Locks `refund` against everything while an index is made and each row is entered in its chain again: 5 seconds for
-- 100,000 refunds, on two busy processors.

ALTER TABLE refund
    -- The ledger's id of the refund, which its answer names. NULL for a cancel of all that was left, which has none.
    ADD COLUMN reference text CHECK (reference <> ''),
    -- Whether it gives back less than the buyer paid.
    ADD COLUMN of_part boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT refund_sale_id_attempt_key,
    ADD CONSTRAINT refund_attempt_once UNIQUE NULLS NOT DISTINCT (sale_id, reference, attempt);

-- A refund has at most one request that is open or done. Two would refund the buyer twice.
DROP INDEX refund_once;
CREATE UNIQUE INDEX refund_once ON refund (sale_id, reference) NULLS NOT DISTINCT WHERE status <> 'refused';

SELECT chain_rows('refund', '{refund_id}', 'business_id', '{tries,next_try_at,last_error,updated_at,handled_to}');
