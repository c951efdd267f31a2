-- Orders that wait for a silent provider are due as soon as it answers, and staff can have an order tried now.
--
-- Why `paused_until`: a claim and a pause both move `next_try_at`, and only a row that waits between two tries may be
-- made due. A pause writes both columns, a claim only `next_try_at`. A program of an earlier version writes only
-- `next_try_at` too, so its rows count as attempted until their pause ends.
--
-- Locks `payout`, `refund`, `order_attempt` and `mail` against everything, for the time of reading each once: the indexes
-- are empty, but to see that takes about a second for a million rows. Sales by link and withdrawals wait meanwhile.

ALTER TABLE payout
    ADD COLUMN paused_until timestamptz,
    -- The provider that was silent at the last try. NULL: the row does not wait for one.
    ADD COLUMN awaits text;
ALTER TABLE refund ADD COLUMN paused_until timestamptz, ADD COLUMN awaits text;
ALTER TABLE order_attempt ADD COLUMN paused_until timestamptz, ADD COLUMN awaits text;
ALTER TABLE mail ADD COLUMN paused_until timestamptz, ADD COLUMN awaits text;

CREATE INDEX payout_awaits ON payout (awaits, next_try_at) WHERE ended_at IS NULL AND awaits IS NOT NULL;
CREATE INDEX refund_awaits ON refund (awaits, next_try_at) WHERE ended_at IS NULL AND awaits IS NOT NULL;
CREATE INDEX order_attempt_awaits ON order_attempt (awaits, next_try_at) WHERE ended_at IS NULL AND awaits IS NOT NULL;
CREATE INDEX mail_awaits ON mail (awaits, next_try_at) WHERE status = 'waiting' AND awaits IS NOT NULL;

-- They decide nothing, like `next_try_at`. The chained columns stay the same, so `chain_rows` need not enter every row
-- again.
UPDATE chained_table SET skipped = skipped || '{paused_until,awaits}'
 WHERE table_name IN ('payout', 'refund', 'order_attempt');
